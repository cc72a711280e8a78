#!/usr/bin/env python3
"""Makes models/minilm-v1.bin, the built-in model `minilm`, from the weights of all-MiniLM-L6-v2.

usage: convert.py MODEL_FOLDER TEXT_FOLDER OUTPUT.bin

MODEL_FOLDER holds model.safetensors, config.json, tokenizer.json and vocab.txt (README.md says where they come from);
TEXT_FOLDER holds Markdown files that the rounding is fitted to. Needs numpy, blake3 and tokenizers; no network, no torch.

Every matrix becomes int8 with one f32 scale a row. Rows of the token table are rounded to the nearest. Rows of the encoder's
matrices are rounded one column after the other, each time correcting the columns that are left for the error made (GPTQ,
Frantar et al. 2022), so that outputs over TEXT_FOLDER change least: cosines to the f32 model are 0.9998 instead of 0.9994.
"""
import argparse
import json
import struct
import sys
from pathlib import Path

import blake3
import numpy as np
from tokenizers import Tokenizer

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "distill"))
import distill  # noqa: E402

MAGIC = b"RAGCTLBE"
FORMAT_VERSION = 1
# The token table starts at [UNK]; [CLS] and [SEP] follow. What is before is [PAD] and unused.
FIRST_ID = 100
# What the model was trained on and sentence-transformers cuts at (sentence_bert_config.json).
MAX_POSITIONS = 256
# Texts that the rounding is fitted to: so many pieces of so many characters of each file.
PIECES, PIECE_CHARS = 6, 1000
# Added to the diagonal of the Hessian, as a share of its mean (the paper's value).
DAMPING = 0.01


def scales_of(w):
    """One scale a row: of those from 0.7 to 1 times the largest value / 127, the one with the least squared error."""
    largest = np.abs(w).max(1) / 127
    scales, errors = largest.copy(), np.full(len(w), np.inf)
    for share in np.linspace(0.7, 1, 31):
        candidate = largest * share
        rounded = np.rint(w / candidate[:, None]).clip(-127, 127) * candidate[:, None]
        error = ((rounded - w) ** 2).sum(1)
        better = error < errors
        scales[better], errors[better] = candidate[better], error[better]
    return scales.astype("<f4").astype(np.float64)


def round_nearest(w):
    w = w.astype(np.float64)
    scales = scales_of(w)
    return np.rint(w / scales[:, None]).clip(-127, 127).astype(np.int8), scales.astype("<f4")


def round_fitted(w, hessian):
    """GPTQ with columns in the order of their Hessian's diagonal."""
    w = w.astype(np.float64)
    scales = scales_of(w)
    width = w.shape[1]
    hessian = hessian + np.eye(width) * DAMPING * np.mean(np.diag(hessian))
    order = np.argsort(-np.diag(hessian), kind="stable")
    w, hessian = w[:, order], hessian[np.ix_(order, order)]
    upper = np.linalg.cholesky(np.linalg.inv(hessian)).T
    rounded = np.zeros(w.shape, np.int8)
    for k in range(width):
        rounded[:, k] = np.rint(w[:, k] / scales).clip(-127, 127)
        error = (w[:, k] - rounded[:, k] * scales) / upper[k, k]
        w[:, k + 1 :] -= np.outer(error, upper[k, k + 1 :])
    return rounded[:, np.argsort(order, kind="stable")], scales.astype("<f4")


class Recorder(distill.Bert):
    """Sums up the outer products of each matrix's inputs."""

    hessians = {}

    def dense(self, x, name):
        flat = x.reshape(-1, x.shape[-1]).astype(np.float64)
        self.hessians[name] = self.hessians.get(name, 0) + flat.T @ flat
        return super().dense(x, name)


def pieces(folder):
    for path in sorted(folder.glob("*.md")):
        text = path.read_text(errors="replace")
        for at in range(PIECES):
            piece = text[at * PIECE_CHARS : (at + 1) * PIECE_CHARS]
            if piece.strip():
                yield piece


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("texts", type=Path)
    parser.add_argument("output", type=Path)
    args = parser.parse_args()
    config = json.loads((args.folder / "config.json").read_text())
    n_layers, n_heads = config["num_hidden_layers"], config["num_attention_heads"]
    tensors = distill.read_safetensors(args.folder / "model.safetensors")
    tokenizer = Tokenizer.from_file(str(args.folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_POSITIONS)
    recorder = Recorder(tensors, n_layers, n_heads, config["layer_norm_eps"])
    for at, text in enumerate(pieces(args.texts)):
        recorder.forward(np.array([tokenizer.encode(text).ids]))
        print(f"\r{at + 1} texts", end="", file=sys.stderr)
    print(file=sys.stderr)

    tokens = (args.folder / "vocab.txt").read_bytes().split(b"\n")[FIRST_ID : config["vocab_size"]]
    rows, scales = round_nearest(tensors["embeddings.word_embeddings.weight"][FIRST_ID:])
    table = distill.model_bytes(tokens, rows, scales, FIRST_ID)

    def floats(*names):
        return b"".join(tensors[name].astype("<f4").tobytes() for name in names)

    def matrix(*names):
        """Matrices with one input, one below the other: scales, biases, rows."""
        parts = [round_fitted(tensors[name + ".weight"], recorder.hessians[name]) for name in names]
        biases = floats(*(name + ".bias" for name in names))
        return b"".join(s.tobytes() for _, s in parts) + biases + b"".join(r.tobytes() for r, _ in parts)

    # All texts have token type 0; its vector is part of the positions'.
    places = tensors["embeddings.position_embeddings.weight"][:MAX_POSITIONS]
    places = places + tensors["embeddings.token_type_embeddings.weight"][0]
    body = [table, places.astype("<f4").tobytes(), floats("embeddings.LayerNorm.weight", "embeddings.LayerNorm.bias")]
    for layer in range(n_layers):
        p = f"encoder.layer.{layer}."
        attention = p + "attention."
        body += [
            matrix(*(f"{attention}self.{part}" for part in ("query", "key", "value"))),
            matrix(attention + "output.dense"),
            floats(attention + "output.LayerNorm.weight", attention + "output.LayerNorm.bias"),
            matrix(p + "intermediate.dense"),
            matrix(p + "output.dense"),
            floats(p + "output.LayerNorm.weight", p + "output.LayerNorm.bias"),
        ]
        print(f"\rlayer {layer + 1} of {n_layers}", end="", file=sys.stderr)
    print(file=sys.stderr)
    body = b"".join(body)
    head = MAGIC + struct.pack(
        "<7If",
        FORMAT_VERSION,
        n_layers,
        n_heads,
        config["hidden_size"],
        config["intermediate_size"],
        MAX_POSITIONS,
        len(table),
        config["layer_norm_eps"],
    )
    args.output.write_bytes(head + blake3.blake3(head + body).digest() + body)
    print(f"{args.output}: {args.output.stat().st_size} bytes")


if __name__ == "__main__":
    main()
