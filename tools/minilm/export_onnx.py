#!/usr/bin/env python3
"""Writes a BERT model as a folder for ONNX Runtime: model.onnx beside its tokenizer and configuration.

usage: export_onnx.py MODEL_FOLDER OUTPUT_FOLDER [embedding]

For comparisons (benches/embedding.py) and for tests of ragctl's ONNX path: the packages that carry weights carry no ONNX file.
Needs numpy and onnx; no torch. Inputs input_ids, attention_mask, token_type_ids (batch x length); output last_hidden_state, or
logits for a model with a classifier or with the head of a masked language model, unless it is to be an embedding model.
"""
import json
import shutil
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "distill"))
import distill  # noqa: E402


class Graph:
    def __init__(self, tensors):
        self.tensors, self.nodes, self.constants = tensors, [], {}

    def constant(self, name, value):
        self.constants[name] = numpy_helper.from_array(np.ascontiguousarray(value), name)
        return name

    def weight(self, name, transpose=False):
        value = self.tensors[name].astype(np.float32)
        return self.constant(name + ("^T" if transpose else ""), value.T if transpose else value)

    def node(self, op, inputs, **attributes):
        output = f"{op}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, inputs, [output], **attributes))
        return output

    def dense(self, x, name):
        return self.node("Add", [self.node("MatMul", [x, self.weight(name + ".weight", True)]), self.weight(name + ".bias")])

    def gelu(self, x):
        root, half, one = (self.constant(name, np.float32(value)) for name, value in (("root", 0.5**0.5), ("half", 0.5), ("one", 1)))
        erf = self.node("Add", [self.node("Erf", [self.node("Mul", [x, root])]), one])
        return self.node("Mul", [self.node("Mul", [x, erf]), half])

    def norm(self, x, name, epsilon):
        inputs = [x, self.weight(name + ".weight"), self.weight(name + ".bias")]
        return self.node("LayerNormalization", inputs, axis=-1, epsilon=epsilon)


def build(config, tensors, is_embedding=False):
    g = Graph(tensors)
    width, n_heads, epsilon = config["hidden_size"], config["num_attention_heads"], config["layer_norm_eps"]
    head = width // n_heads
    length = g.node("Slice", [g.node("Shape", ["input_ids"]), *(g.constant(f"i{v}_{n}", np.array([v], np.int64)) for n, v in enumerate((1, 2)))])
    places = g.node("Slice", [g.weight("embeddings.position_embeddings.weight"), g.constant("zero", np.array([0], np.int64)), length])
    x = g.node("Gather", [g.weight("embeddings.word_embeddings.weight"), "input_ids"])
    types = g.node("Gather", [g.weight("embeddings.token_type_embeddings.weight"), "token_type_ids"])
    x = g.norm(g.node("Add", [g.node("Add", [x, types]), places]), "embeddings.LayerNorm", epsilon)
    mask = g.node("Cast", ["attention_mask"], to=TensorProto.FLOAT)
    mask = g.node("Sub", [mask, g.constant("one", np.float32(1))])
    mask = g.node("Mul", [mask, g.constant("large", np.float32(1e9))])
    mask = g.node("Unsqueeze", [mask, g.constant("axes", np.array([1, 2], np.int64))])
    split = g.constant("split", np.array([0, 0, n_heads, head], np.int64))
    join = g.constant("join", np.array([0, 0, width], np.int64))
    for layer in range(config["num_hidden_layers"]):
        p = f"encoder.layer.{layer}."
        parts = []
        for part, perm in (("query", [0, 2, 1, 3]), ("key", [0, 2, 3, 1]), ("value", [0, 2, 1, 3])):
            dense = g.dense(x, f"{p}attention.self.{part}")
            parts.append(g.node("Transpose", [g.node("Reshape", [dense, split])], perm=perm))
        query, key, value = parts
        query = g.node("Mul", [query, g.constant("scale", np.float32(head**-0.5))])
        scores = g.node("Softmax", [g.node("Add", [g.node("MatMul", [query, key]), mask])], axis=-1)
        attended = g.node("Transpose", [g.node("MatMul", [scores, value])], perm=[0, 2, 1, 3])
        attended = g.dense(g.node("Reshape", [attended, join]), p + "attention.output.dense")
        x = g.norm(g.node("Add", [x, attended]), p + "attention.output.LayerNorm", epsilon)
        inner = g.gelu(g.dense(x, p + "intermediate.dense"))
        x = g.norm(g.node("Add", [x, g.dense(inner, p + "output.dense")]), p + "output.LayerNorm", epsilon)
    name, shape = "last_hidden_state", ["batch", "length", width]
    if "classifier.weight" in tensors and not is_embedding:
        first = g.node("Gather", [x, g.constant("first", np.int64(0))], axis=1)
        x = g.dense(g.node("Tanh", [g.dense(first, "pooler.dense")]), "classifier")
        name, shape = "logits", ["batch", tensors["classifier.weight"].shape[0]]
    head = "cls.predictions."
    if head + "bias" in tensors and not is_embedding:
        x = g.norm(g.gelu(g.dense(x, head + "transform.dense")), head + "transform.LayerNorm", epsilon)
        x = g.node("MatMul", [x, g.weight("embeddings.word_embeddings.weight", True)])
        x = g.node("Add", [x, g.weight(head + "bias")])
        name, shape = "logits", ["batch", "length", config["vocab_size"]]
    g.nodes.append(helper.make_node("Identity", [x], [name]))
    inputs = [
        helper.make_tensor_value_info(it, TensorProto.INT64, ["batch", "length"])
        for it in ("input_ids", "attention_mask", "token_type_ids")
    ]
    output = helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
    graph = helper.make_graph(g.nodes, "bert", inputs, [output], list(g.constants.values()))
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    return model


def wordpiece(words):
    """The uncased tokenizer of BERT, as ONNX folders have it."""
    ids = {word: at for at, word in enumerate(words)}
    return {
        "version": "1.0",
        "normalizer": {
            "type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": None, "lowercase": True},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {"type": "BertProcessing", "sep": ["[SEP]", ids["[SEP]"]], "cls": ["[CLS]", ids["[CLS]"]]},
        "model": {
            "type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": ids},
    }


def main():
    folder, output = Path(sys.argv[1]), Path(sys.argv[2])
    config = json.loads((folder / "config.json").read_text())
    output.mkdir(parents=True, exist_ok=True)
    tensors = distill.read_safetensors(folder / "model.safetensors")
    onnx.save(build(config, tensors, sys.argv[3:] == ["embedding"]), output / "model.onnx")
    if not (folder / "tokenizer.json").exists():
        words = (folder / "vocab.txt").read_text(encoding="utf-8").splitlines()
        (output / "tokenizer.json").write_text(json.dumps(wordpiece(words), ensure_ascii=False), encoding="utf-8")
    for path in folder.rglob("*.json"):
        target = output / path.relative_to(folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)


if __name__ == "__main__":
    main()
