#!/usr/bin/env python3
"""Writes vectors of the original all-MiniLM-L6-v2, in f32 with numpy, for a unit test.

usage: reference.py MODEL_FOLDER OUTPUT.json
"""
import json
import sys
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "distill"))
import distill  # noqa: E402

TEXTS = [
    "cat",
    "how to bake bread",
    "std::vec::Vec<T>",
    "Turns folders of documents into a searchable, navigable knowledge base.",
    "The mitochondrion is an organelle found in the cells of most eukaryotes.",
    "東京タワー, Ünïcödé and 3 < 5",
]


def main():
    folder, output = Path(sys.argv[1]), Path(sys.argv[2])
    config = json.loads((folder / "config.json").read_text())
    tensors = distill.read_safetensors(folder / "model.safetensors")
    bert = distill.Bert(
        tensors, config["num_hidden_layers"], config["num_attention_heads"], config["layer_norm_eps"]
    )
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(256)
    lines = []
    for text in TEXTS:
        vector = bert.forward(np.array([tokenizer.encode(text).ids]))[0].mean(0)
        vector /= np.linalg.norm(vector)
        values = [round(float(value), 5) for value in vector]
        lines.append(json.dumps({"text": text, "vector": values}, ensure_ascii=False))
    output.write_text("[\n" + ",\n".join(lines) + "\n]\n")


if __name__ == "__main__":
    main()
