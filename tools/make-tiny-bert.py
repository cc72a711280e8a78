#!/usr/bin/env python3
"""Writes testdata/embed/tiny-bert: a BERT model of one layer and ten words with random weights, for tests of folders and hubs.

It has a classifier with one output, so that it is an embedding model and a cross-encoder at once. Needs nothing but Python.
"""
import json
import random
import struct
from pathlib import Path

WIDTH, INNER, WORDS = 16, 32, ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "cats", "purr", "dogs", "bark", "herons", "fish", ".", "##s"]
POSITIONS = 64


def main():
    folder = Path(__file__).resolve().parent.parent / "testdata/embed/tiny-bert"
    folder.mkdir(parents=True, exist_ok=True)
    shapes = {
        "embeddings.word_embeddings.weight": [len(WORDS), WIDTH],
        "embeddings.position_embeddings.weight": [POSITIONS, WIDTH],
        "embeddings.token_type_embeddings.weight": [2, WIDTH],
    }

    def dense(name, rows, columns):
        shapes[name + ".weight"], shapes[name + ".bias"] = [rows, columns], [rows]

    layer = "encoder.layer.0."
    for part in ("query", "key", "value"):
        dense(f"{layer}attention.self.{part}", WIDTH, WIDTH)
    dense(layer + "attention.output.dense", WIDTH, WIDTH)
    dense(layer + "intermediate.dense", INNER, WIDTH)
    dense(layer + "output.dense", WIDTH, INNER)
    dense("pooler.dense", WIDTH, WIDTH)
    dense("classifier", 1, WIDTH)
    norms = ["embeddings.LayerNorm", layer + "attention.output.LayerNorm", layer + "output.LayerNorm"]
    for name in norms:
        shapes[name + ".weight"], shapes[name + ".bias"] = [WIDTH], [WIDTH]
    source, header, data = random.Random(1), {}, b""
    for name, shape in shapes.items():
        n = shape[0] * (shape[1] if len(shape) > 1 else 1)
        is_norm = name.removesuffix(".weight") in norms
        values = [1.0 if is_norm else source.uniform(-0.5, 0.5) for _ in range(n)]
        raw = struct.pack(f"<{n}f", *values)
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + data)
    (folder / "vocab.txt").write_text("\n".join(WORDS) + "\n")
    config = {
        "model_type": "bert",
        "hidden_size": WIDTH,
        "intermediate_size": INNER,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
        "max_position_embeddings": POSITIONS,
        "vocab_size": len(WORDS),
        "hidden_act": "gelu",
        "layer_norm_eps": 1e-12,
    }
    (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n")
    (folder / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": POSITIONS}) + "\n")


if __name__ == "__main__":
    main()
