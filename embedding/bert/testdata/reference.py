"""BERT's encoder in numpy, float64: the reference of this package's tests.

Needs numpy, safetensors, and tokenizers. Nothing of it runs with Quarry.
"""
import json
import os

import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer

_erf = np.frompyfunc(__import__("math").erf, 1, 1)


def gelu(x):
    return x * 0.5 * (1 + _erf(x / np.sqrt(2)).astype(np.float64))


def norm(x, w, name, eps):
    d = x - x.mean(-1, keepdims=True)
    return d / np.sqrt((d * d).mean(-1, keepdims=True) + eps) * w[name + ".weight"] + w[name + ".bias"]


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def load(folder):
    config = json.load(open(os.path.join(folder, "config.json")))
    w = load_file(os.path.join(folder, "model.safetensors"))
    prefix = "bert." if any(k.startswith("bert.") for k in w) else ""
    w = {k.removeprefix(prefix): v.astype(np.float64) for k, v in w.items() if v.dtype.kind == "f"}
    return config, w


def tokenizer(folder):
    t = Tokenizer.from_file(os.path.join(folder, "tokenizer.json"))
    t.no_truncation()
    t.no_padding()
    t.encode_special_tokens = True  # "[SEP]" in a text is text
    return t


def encode(config, w, ids, types):
    """The last layer's token vectors of one sequence."""
    eps, heads = config["layer_norm_eps"], config["num_attention_heads"]
    n, width = len(ids), config["hidden_size"]
    e = "embeddings."
    x = w[e + "word_embeddings.weight"][ids] + w[e + "position_embeddings.weight"][:n] + w[e + "token_type_embeddings.weight"][types]
    x = norm(x, w, e + "LayerNorm", eps)
    for i in range(config["num_hidden_layers"]):
        p = f"encoder.layer.{i}."
        linear = lambda x, name: x @ w[p + name + ".weight"].T + w[p + name + ".bias"]
        split = lambda x: x.reshape(n, heads, width // heads).transpose(1, 0, 2)
        q, k, v = (split(linear(x, "attention.self." + name)) for name in ("query", "key", "value"))
        a = softmax(q @ k.transpose(0, 2, 1) / np.sqrt(width // heads)) @ v
        a = a.transpose(1, 0, 2).reshape(n, width)
        x = norm(x + linear(a, "attention.output.dense"), w, p + "attention.output.LayerNorm", eps)
        x = norm(x + linear(gelu(linear(x, "intermediate.dense")), "output.dense"), w, p + "output.LayerNorm", eps)
    return x


def unit(v):
    return v / np.sqrt((v * v).sum())
