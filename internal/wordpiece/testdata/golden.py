"""Writes texts with the tokens that Hugging Face tokenizers makes of them.

    python golden.py built-in TOKENIZER.json COUNT SEED > FILE    for WORDPIECE_GOLDEN
    python golden.py loaded COUNT SEED > FILE                     loaded.json, or for WORDPIECE_LOADED

The texts are drawn at random from letters of many scripts, emoji, control
characters, punctuation, white space and the entries of the vocabulary.
"""
import itertools
import json
import random
import sys
import unicodedata

from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

LETTERS = {  # by what a vocabulary may be for
    "latin": (0x41, 0x5A, 0x61, 0x7A, 0xC0, 0x17F, 0x1E00, 0x1EFF), "cyrillic": (0x400, 0x45F, 0x490, 0x4CC),
    "greek": (0x370, 0x3FF, 0x1F00, 0x1FFF), "arabic": (0x621, 0x669, 0x6F0, 0x6F9), "hebrew": (0x5D0, 0x5EA, 0xFB1D, 0xFB4F),
    "hebrew points": (0x591, 0x5F4), "arabic marks": (0x610, 0x61A, 0x64B, 0x65F), "devanagari": (0x900, 0x97F), "thai": (0xE01, 0xE5B),
    "cjk": (0x4E00, 0x4E7F, 0x3400, 0x3410, 0xF900, 0xF920, 0x20000, 0x20010), "kana": (0x3041, 0x30FF), "hangul": (0xAC00, 0xAC80, 0x1100, 0x1112),
}
OTHER = {
    "accents": (0x300, 0x345), "emoji": (0x1F300, 0x1F64F, 0x1F3FB, 0x1F3FF, 0x1F900, 0x1F9FF, 0x200D, 0x200D, 0xFE0F, 0xFE0F, 0x1F1E6, 0x1F1FF),
    "control": (0x0, 0x1F, 0x7F, 0x9F, 0x200B, 0x200F, 0x2028, 0x202E, 0x2060, 0x2064, 0xFEFF, 0xFEFF, 0xFFF9, 0xFFFD),
    "space": (0x9, 0xD, 0x20, 0x20, 0xA0, 0xA0, 0x1680, 0x1680, 0x2000, 0x200A, 0x3000, 0x3000), "digits": (0x30, 0x39),
    "punctuation": (0x21, 0x2F, 0x3A, 0x40, 0x5B, 0x60, 0x7B, 0x7E, 0xA1, 0xBF, 0x2010, 0x205E, 0x3001, 0x3011, 0xFF01, 0xFF0F),
    "symbols": (0x2190, 0x22FF, 0x2500, 0x25FF), "private": (0xE000, 0xE020), "any": (0x20, 0xD7FF, 0xE000, 0x1FFFF),
}
BLOCKS = LETTERS | OTHER


def character(r, block):
    pairs = list(itertools.batched(BLOCKS[block], 2)) if hasattr(itertools, "batched") else list(zip(BLOCKS[block][::2], BLOCKS[block][1::2]))
    low, high = r.choice(pairs)
    return chr(r.randint(low, high))


def pieces(entries):
    starts = [e for e in entries if e[0] not in "[<" and not e.startswith("##")]
    return starts, [e[2:] for e in entries if e.startswith("##") and len(e) > 2]


def text(r, starts, inside):
    out = ""
    for _ in range(r.randint(1, 9)):
        kind = r.random()
        if kind < 0.55:
            word = r.choice(starts) + "".join(r.choice(inside) for _ in range(r.randint(0, 3)))
            out += r.choice((word, word, word, word.upper(), word.title()))
        elif kind < 0.57:
            out += r.choice("ae\u00e9\u0439\u043a\u5b57") * r.choice((4, 5, 6, 7, 99, 100, 101, 120, 299, 300, 301))
        elif kind < 0.6:
            out += r.choice(("[SEP]", "[UNK]", "<unk>", "[CLS] ", "##a", "@@"))
        else:
            block = r.choice(list(BLOCKS))
            for _ in range(r.randint(1, 10)):
                out += character(r, block if r.random() < 0.9 else "accents")
        out += r.choice((" ", " ", " ", "\n", "\u00a0", "\t", "", ""))
    return unicodedata.normalize(r.choice(("NFC", "NFD")), out) if r.random() < 0.4 else out


def vocabulary(r):
    """Half of the letters of each script, and pieces of one to three of them."""
    entries = {"[PAD]": 0, "[UNK]": 0, "[CLS]": 0, "[SEP]": 0, "<unk>": 0, "[MASK]": 0, "字a": 0, "##字": 0}
    for c in range(0x21, 0x7F):
        entries[chr(c)] = 0
    for block in LETTERS:
        for _ in range(60):
            word = "".join(character(r, block) for _ in range(r.choice((1, 1, 1, 2, 3))))
            for w in (word, word.lower(), "".join(x for x in unicodedata.normalize("NFD", word) if unicodedata.category(x) != "Mn")):
                if w and r.random() < 0.8:
                    entries[r.choice(("", "##")) + w] = 0
    for c in range(0x41, 0x7B):
        entries["##" + chr(c)] = 0
    for _ in range(150):
        entries[r.choice(("", "##")) + "".join(r.choice("aeinrstlEA") for _ in range(r.randint(2, 4)))] = 0
    out = list(entries)
    r.shuffle(out)
    return out


def with_prefix(entries, prefix):
    """The entry's number stays its id; what there is twice then is left out."""
    out = {}
    for i, e in enumerate(entries):
        out.setdefault(prefix + e.removeprefix("##") if e.startswith("##") else e, i)
    return out


def loaded(count, seed):
    r = random.Random(seed)
    entries = vocabulary(random.Random(7))
    starts, inside = pieces(entries)
    texts = [text(r, starts, inside) for _ in range(count)]
    flags = [dict(zip(("clean_text", "handle_chinese_chars", "strip_accents", "lowercase"), bits)) for bits in itertools.product((True, False), repeat=4)]
    cases = [(f, "##", 100, "[UNK]") for f in flags]
    cases += [(flags[0] | {"strip_accents": None}, "@@", 5, "<unk>"), (flags[3] | {"strip_accents": None}, "", 300, "[UNK]"), (flags[1], "##", 0, "[UNK]")]
    out = []
    for n, (f, prefix, longest, unk) in enumerate(cases):
        vocab = with_prefix(entries, prefix)
        t = Tokenizer(models.WordPiece(vocab, unk_token=unk, continuing_subword_prefix=prefix, max_input_chars_per_word=longest))
        t.normalizer, t.pre_tokenizer = normalizers.BertNormalizer(**f), pre_tokenizers.BertPreTokenizer()
        cls, sep = ("[CLS]", vocab["[CLS]"]), ("[SEP]", vocab["[SEP]"])
        if n % 2:
            t.post_processor = processors.BertProcessing(sep, cls)
        else:
            t.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[cls, sep])
        t.add_special_tokens(["[PAD]", unk, "[CLS]", "[SEP]", "[MASK]"])
        t.encode_special_tokens = True  # "[SEP]" in a text is text
        tokenizer = json.loads(t.to_str())
        tokenizer["model"]["vocab"] = prefix  # which the test puts in
        ids = [t.encode(x, add_special_tokens=False).ids for x in texts]
        out.append({"tokenizer": tokenizer, "cls": cls[1], "sep": sep[1], "ids": [" ".join(map(str, x)) for x in ids]})
    return {"entries": entries, "texts": texts, "cases": out}


def built_in(file, count, seed):
    r = random.Random(seed)
    t = Tokenizer.from_file(file)
    t.no_truncation()
    t.no_padding()
    t.encode_special_tokens = True
    starts, inside = pieces(sorted(t.get_vocab()))
    for _ in range(count):
        s = text(r, starts, inside)
        e = t.encode(s, add_special_tokens=False)
        at = [0]  # of each character, in bytes
        for c in s:
            at.append(at[-1] + len(c.encode()))
        yield {"text": s, "ids": e.ids, "spans": [at[x] for span in e.offsets for x in span]}


if sys.argv[1] == "loaded":
    json.dump(loaded(int(sys.argv[2]), int(sys.argv[3])), sys.stdout, separators=(",", ":"))
    print()
else:
    for line in built_in(sys.argv[2], int(sys.argv[3]), int(sys.argv[4])):
        print(json.dumps(line, separators=(",", ":")))
