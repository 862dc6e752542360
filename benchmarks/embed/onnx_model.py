"""Builds ONNX models of a BERT encoder with mean pooling from model.safetensors.

Two forms, as what ONNX Runtime makes of a model depends on how it is written:
"fused" uses ONNX Runtime's own operators (com.microsoft: Attention,
SkipLayerNormalization, BiasGelu), which is what its optimiser for transformers
turns a model into; "plain" uses standard operators. The benchmark takes the faster.
"""
import json
import os

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from safetensors.numpy import load_file


def build(folder, form):
    config = json.load(open(os.path.join(folder, "config.json")))
    w = load_file(os.path.join(folder, "model.safetensors"))
    heads, width, eps = config["num_attention_heads"], config["hidden_size"], config["layer_norm_eps"]
    nodes, weights, known = [], [], {}

    def const(name, value):
        if name not in known:
            weights.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
            known[name] = True
        return name

    def op(kind, inputs, domain="", outputs=1, **attributes):
        outs = [f"v{len(nodes)}_{i}" for i in range(outputs)]
        nodes.append(helper.make_node(kind, inputs, outs, domain=domain, **attributes))
        return outs[0] if outputs == 1 else outs

    def vec(name):
        return const(name, w[name])

    def linear(x, name, bias=True):
        y = op("MatMul", [x, const(name + ".weight.t", w[name + ".weight"].T)])
        return op("Add", [y, vec(name + ".bias")]) if bias else y

    def norm(x, name):
        return op("LayerNormalization", [x, vec(name + ".weight"), vec(name + ".bias")], axis=-1, epsilon=eps)

    def skip_norm(x, y, bias, name):
        if form == "fused":
            return op("SkipLayerNormalization", [x, y, vec(name + ".weight"), vec(name + ".bias"), vec(bias)], "com.microsoft", epsilon=eps)
        return norm(op("Add", [op("Add", [y, vec(bias)]), x]), name)

    def attention(x, p):
        names = [p + "attention.self." + n for n in ("query", "key", "value")]
        if form == "fused":
            qkv = const(p + "qkv", np.concatenate([w[n + ".weight"].T for n in names], 1))
            bias = const(p + "qkv.bias", np.concatenate([w[n + ".bias"] for n in names]))
            return op("Attention", [x, qkv, bias, "attention_mask"], "com.microsoft", num_heads=heads)
        split = const("split", np.array([0, 0, heads, width // heads]))
        q, k, v = (op("Reshape", [linear(x, n), split]) for n in names)
        q, v = (op("Transpose", [t], perm=[0, 2, 1, 3]) for t in (q, v))
        k = op("Transpose", [k], perm=[0, 2, 3, 1])
        s = op("Div", [op("MatMul", [q, k]), const("root", np.float32(np.sqrt(width // heads)))])
        s = op("Softmax", [op("Add", [s, additive])], axis=-1)
        o = op("Transpose", [op("MatMul", [s, v])], perm=[0, 2, 1, 3])
        return op("Reshape", [o, const("join", np.array([0, 0, width]))])

    e = "embeddings."
    mask = op("Cast", ["attention_mask"], to=TensorProto.FLOAT)
    additive = None
    if form == "plain":
        m = op("Unsqueeze", [mask, const("axes12", np.array([1, 2]))])
        additive = op("Mul", [op("Sub", [const("one", np.float32(1)), m]), const("low", np.float32(-10000))])
    length = op("Slice", [op("Shape", ["input_ids"]), const("1", np.array([1])), const("2", np.array([2]))])
    positions = op("Slice", [const("positions", w[e + "position_embeddings.weight"] + w[e + "token_type_embeddings.weight"][0]), const("0", np.array([0])), length])
    x = op("Add", [op("Gather", [const("words", w[e + "word_embeddings.weight"]), "input_ids"]), positions])
    x = norm(x, e + "LayerNorm")
    for i in range(config["num_hidden_layers"]):
        p = f"encoder.layer.{i}."
        a = linear(attention(x, p), p + "attention.output.dense", bias=False)
        x = skip_norm(x, a, p + "attention.output.dense.bias", p + "attention.output.LayerNorm")
        f = linear(x, p + "intermediate.dense", bias=False)
        if form == "fused":
            f = op("BiasGelu", [f, vec(p + "intermediate.dense.bias")], "com.microsoft")
        else:
            f = op("Gelu", [op("Add", [f, vec(p + "intermediate.dense.bias")])])
        x = skip_norm(x, linear(f, p + "output.dense", bias=False), p + "output.dense.bias", p + "output.LayerNorm")
    m = op("Unsqueeze", [mask, const("axes2", np.array([2]))])
    summed = op("ReduceSum", [op("Mul", [x, m]), const("1", np.array([1]))], keepdims=0)
    nodes.append(helper.make_node("LpNormalization", [summed], ["vectors"], axis=-1, p=2))
    i32 = TensorProto.INT32
    graph = helper.make_graph(
        nodes, "bert",
        [helper.make_tensor_value_info(n, i32, ["batch", "length"]) for n in ("input_ids", "attention_mask")],
        [helper.make_tensor_value_info("vectors", TensorProto.FLOAT, ["batch", width])], weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20), helper.make_opsetid("com.microsoft", 1)])
    model.ir_version = 9
    return model.SerializeToString()
