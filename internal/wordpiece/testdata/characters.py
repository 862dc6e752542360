"""Writes ../characters.txt, and characters.json to check it by: what Hugging Face
tokenizers' BertNormalizer and BertPreTokenizer do with every character.

    python characters.py

Each property is read off the normaliser with that one setting on and all others
off, so that any settings can be composed of them; characters.json holds for each of
the 16 settings a digest of what the library makes of all characters with it.
"""
import hashlib
import itertools
import json
import os

from tokenizers import normalizers, pre_tokenizers

HEAD = """\
# What BERT's basic tokenizer knows of the characters outside ASCII, one range and property a line:
#   FROM[-TO][/2] PROPERTY     (hexadecimal; /2: every second one)
#   control    left out of clean text: control and format characters, private use
#   white      white space
#   ideograph  a CJK ideograph, where those are words of their own
#   punct      punctuation, a word of its own
#   mark       a nonspacing mark, left out where accents are stripped
#   base=X,Y   what remains of it without accents: NFD less nonspacing marks; base+N: the character N further on
#   lower=X,Y  in lower case; lower+N likewise
# Hangul syllables, whose NFD is arithmetic, are left out. README.md says how the file came about.
"""
SETTINGS = ("clean_text", "handle_chinese_chars", "strip_accents", "lowercase")
ALL = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]


def normalizer(*on):
    return normalizers.BertNormalizer(**{s: s in on for s in SETTINGS})


def read():
    clean, han, strip, lower = (normalizer(s) for s in SETTINGS)
    pre = pre_tokenizers.BertPreTokenizer()
    out = {p: {} for p in ("control", "white", "ideograph", "punct", "mark", "base", "lower")}
    for c in ALL:
        ch = chr(c)
        words = len(pre.pre_tokenize_str("a" + ch + "a"))
        flags = {"control": clean.normalize_str(ch) == "", "white": words == 2, "ideograph": han.normalize_str(ch) == f" {ch} ",
                 "punct": words == 3, "mark": strip.normalize_str(ch) == ""}
        if c < 128:  # written out in words.go
            assert flags["control"] == ((c < 32 or c == 127) and ch not in "\t\n\r")
            assert flags["white"] == (ch in "\t\n\v\f\r ")
            assert flags["punct"] == (32 < c < 127 and not ch.isalnum())
            assert lower.normalize_str(ch) == ch.lower() and strip.normalize_str(ch) == ch
            continue
        for p, yes in flags.items():
            if yes:
                out[p][c] = p
        # Clean text has a space for white space that is no control character.
        assert clean.normalize_str(ch) == ("" if flags["control"] else " " if flags["white"] else ch)
        for p, n in (("base", strip), ("lower", lower)):
            s = n.normalize_str(ch)
            if s not in ("", ch) and not (p == "base" and 0xAC00 <= c < 0xAC00 + 11172):
                out[p][c] = f"{p}{ord(s) - c:+d}" if len(s) == 1 else f"{p}=" + ",".join(f"{ord(x):x}" for x in s)
    return out


def ranges(values):
    """Neighbours, or every second character, of the same value."""
    left = dict(values)
    for c in sorted(values):
        if c not in left:
            continue
        best = [c]
        for step in (1, 2):
            run = [c]
            while left.get(run[-1] + step) == left[c]:
                run.append(run[-1] + step)
            if len(run) > len(best):
                best, by = run, step
        for x in best:
            del left[x]
        at = f"{c:x}" if len(best) == 1 else f"{c:x}-{best[-1]:x}" + ("/2" if by == 2 else "")
        yield f"{at} {values[c]}\n"


def digest(on):
    n, pre, h = normalizer(*on), pre_tokenizers.BertPreTokenizer(), hashlib.sha256()
    for page in itertools.batched(ALL, 256) if hasattr(itertools, "batched") else (ALL[i : i + 256] for i in range(0, len(ALL), 256)):
        text = n.normalize_str(" ".join("a" + chr(c) + "a" for c in page))
        for word, _ in pre.pre_tokenize_str(text):
            h.update(word.encode() + b"\n")
    return h.hexdigest()


folder = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(folder, "..", "characters.txt"), "w") as f:
    f.write(HEAD)
    for values in read().values():
        f.writelines(ranges(values))
with open(os.path.join(folder, "characters.json"), "w") as f:
    cases = [[s for s, yes in zip(SETTINGS, bits) if yes] for bits in itertools.product((False, True), repeat=4)]
    json.dump([{"on": on, "sha256": digest(on)} for on in cases], f, indent=1)
    f.write("\n")
