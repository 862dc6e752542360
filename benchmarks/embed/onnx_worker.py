"""Runs a model in ONNX Runtime for the benchmark: one JSON request a line on
standard input, one answer a line on standard output.

    python onnx_worker.py MODEL_FOLDER

{"threads": T}                      opens the sessions of both forms with T threads
{"form": F, "batches": [[ids...]]}  runs the batches, each padded to its longest;
                                    answers CPU seconds, wall seconds, vectors
{"tokenize": [texts], "limit": N}   answers the ids of each text, cut to N
"""
import json
import sys
import time

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

import onnx_model

folder = sys.argv[1]
tokenizer = Tokenizer.from_file(folder + "/tokenizer.json")
tokenizer.no_padding()
tokenizer.encode_special_tokens = True
models = {form: onnx_model.build(folder, form) for form in ("fused", "plain")}
sessions = {}


def open_sessions(threads):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
    if threads > 1:  # waiting threads must not count as work
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    for form, model in models.items():
        sessions[form] = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def run(form, batches):
    padded = []
    for batch in batches:
        n = max(len(ids) for ids in batch)
        ids = np.zeros((len(batch), n), np.int32)
        mask = np.zeros((len(batch), n), np.int32)
        for i, s in enumerate(batch):
            ids[i, : len(s)], mask[i, : len(s)] = s, 1
        padded.append({"input_ids": ids, "attention_mask": mask})
    cpu, wall = time.process_time(), time.perf_counter()
    vectors = [sessions[form].run(None, p)[0] for p in padded]
    return {"cpu": time.process_time() - cpu, "wall": time.perf_counter() - wall, "vectors": np.concatenate(vectors).tolist()}


for line in sys.stdin:
    request = json.loads(line)
    if "threads" in request:
        open_sessions(request["threads"])
        answer = {"version": onnxruntime.__version__}
    elif "tokenize" in request:
        tokenizer.enable_truncation(request["limit"])
        answer = {"ids": [t.ids for t in tokenizer.encode_batch(request["tokenize"])]}
    else:
        answer = run(request["form"], request["batches"])
    print(json.dumps(answer), flush=True)
