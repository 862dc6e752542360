"""Makes a folder as the hub publishes it, and reference vectors, of a BERT in ONNX.

    python bge.py MODEL.onnx TOKENIZER.json TEXTS.txt FOLDER

The model is one with CLS pooling and bge's question prefix. TEXTS.txt has a JSON string a
line. FOLDER gets config.json, model.safetensors (float32, the ONNX file's own
numbers), tokenizer.json, 1_Pooling/config.json, config_sentence_transformers.json, and
passages.jsonl and questions.jsonl: what ONNX Runtime makes of MODEL.onnx and the texts,
without and with the prefix. TestOtherModel compares. Needs onnx, onnxruntime, numpy,
safetensors, tokenizers.
"""
import base64
import json
import os
import re
import shutil
import sys

import numpy as np
import onnx
import onnxruntime
from onnx import numpy_helper
from safetensors.numpy import save_file
from tokenizers import Tokenizer

PREFIX = "Represent this sentence for searching relevant passages: "
file, tokenizer, texts, folder = sys.argv[1:]
graph = onnx.load(file).graph
tensors = {t.name: numpy_helper.to_array(t) for t in graph.initializer}
w = {k: np.ascontiguousarray(v) for k, v in tensors.items() if k.startswith(("embeddings.", "encoder."))}
# The exporter keeps the names of biases only; a matrix has its bias added next.
biases = {i: n for n in graph.node if n.op_type == "Add" for i in n.input}
for node in graph.node:
    if node.op_type == "MatMul" and node.input[1] in tensors:
        bias = next(i for i in biases[node.output[0]].input if i.endswith(".bias"))
        w[bias.removesuffix("bias") + "weight"] = np.ascontiguousarray(tensors[node.input[1]].T)
width = w["embeddings.LayerNorm.bias"].shape[0]
config = dict(model_type="bert", architectures=["BertModel"], hidden_act="gelu", layer_norm_eps=1e-12, hidden_size=width, num_attention_heads=width // 32,
              num_hidden_layers=1 + max(int(m[1]) for k in w if (m := re.match(r"encoder\.layer\.(\d+)\.", k))),
              intermediate_size=w["encoder.layer.0.intermediate.dense.bias"].shape[0], vocab_size=len(w["embeddings.word_embeddings.weight"]),
              max_position_embeddings=len(w["embeddings.position_embeddings.weight"]), type_vocab_size=len(w["embeddings.token_type_embeddings.weight"]))
os.makedirs(os.path.join(folder, "1_Pooling"), exist_ok=True)
save_file(w, os.path.join(folder, "model.safetensors"))
shutil.copy(tokenizer, os.path.join(folder, "tokenizer.json"))
for name, content in {"config.json": config, "1_Pooling/config.json": {"word_embedding_dimension": width, "pooling_mode_cls_token": True},
                      "config_sentence_transformers.json": {"prompts": {"query": PREFIX}}}.items():
    json.dump(content, open(os.path.join(folder, name), "w"), indent=1)

tok = Tokenizer.from_file(tokenizer)
tok.no_truncation()
tok.no_padding()
tok.encode_special_tokens = True  # "[SEP]" in a text is text
session = onnxruntime.InferenceSession(file, providers=["CPUExecutionProvider"])
for kind, prefix in ("passages", ""), ("questions", PREFIX):
    with open(os.path.join(folder, kind + ".jsonl"), "w") as out:
        for line in open(texts):
            text = json.loads(line)
            ids = tok.encode(prefix + text).ids
            assert len(ids) <= config["max_position_embeddings"], text
            ids = np.array([ids])
            v = session.run(None, {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)})[0][0, 0].astype(np.float64)
            v /= np.sqrt((v * v).sum())
            json.dump({"text": text, "tokens": ids.shape[1], "vector": base64.b64encode(v.astype("<f4").tobytes()).decode()}, out, ensure_ascii=False)
            out.write("\n")
