#!/usr/bin/env python3
"""Makes a static table of token vectors from the weights of all-MiniLM-L6-v2; tools/train-static starts from it.

usage: distill.py MODEL_FOLDER OUTPUT.bin [--outputs CACHE.npy]

MODEL_FOLDER holds model.safetensors and vocab.txt (README.md says where they come from). Needs numpy and blake3; no
network, no torch. CACHE.npy keeps the transformer's outputs, so that a second run with another recipe takes seconds.

Recipe, one vector a token of the vocabulary:
1. run [CLS] token [SEP] through the transformer and take the last layer's output at the token itself;
2. centre, project on the 256 leading principal components, divide each component by its standard deviation;
3. divide each vector by the square root of its length: halfway between lengths as they are and equal lengths;
4. multiply by ln(1 + max(1, id - 1995))^1.5: BERT's ids follow word frequency from "the" (id 1996) on, so that this is a
   cheap inverse-frequency weight which needs no corpus;
5. round to int8 with one f32 scale a row.

WHITENING, LENGTH and RANK are the three numbers in it; README.md has the grid that they were chosen from.
"""
import argparse
import json
import math
import struct
import sys
from pathlib import Path

import blake3
import numpy as np

DIMENSION = 256
# The first ordinary token ("!"); everything before is [PAD], [UNK], [CLS], [SEP], [MASK] or [unusedN].
FIRST_ID = 999
CLS, SEP = 101, 102
# Subtracted from the id in the weight: 1995 is the last id before "the", the most frequent word.
RANK_ZERO = 1995
# Powers of the component's standard deviation, of the vector's length, of the rank weight.
WHITENING, LENGTH, RANK = 1.0, 0.5, 1.5
# Room for open addressing: 65,536 slots for 43,523 tokens is a load of 0.66.
N_SLOTS = 1 << 16
EMPTY_SLOT = 0xFFFF
MAGIC = b"RAGCTLSV"
FORMAT_VERSION = 1
# Longest token that the reader accepts; it never looks up more bytes at once.
MAX_TOKEN_BYTES = 32
# Sequences a forward pass; small enough for the activations to stay in the cache.
BATCH = 256


def read_safetensors(path):
    """All tensors of a safetensors file as f32 arrays, by name (8-byte header length, JSON header, raw data)."""
    raw = path.read_bytes()
    (header_len,) = struct.unpack_from("<Q", raw)
    header = json.loads(raw[8 : 8 + header_len])
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__" or entry["dtype"] != "F32":
            continue
        start, end = entry["data_offsets"]
        data = np.frombuffer(raw, "<f4", (end - start) // 4, 8 + header_len + start)
        tensors[name.removeprefix("bert.")] = data.reshape(entry["shape"])
    return tensors


def erf(x):
    """Error function, absolute error below 1.5e-7 (Abramowitz and Stegun 7.1.26): f32 accuracy, which is enough here."""
    sign, x = np.sign(x), np.abs(x)
    t = 1 / (1 + np.float32(0.3275911) * x)
    coefficients = (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592)
    poly = np.zeros_like(x)
    for c in coefficients:
        poly = (poly + np.float32(c)) * t
    return sign * (1 - poly * np.exp(-x * x))


class Bert:
    """Forward pass of a BERT encoder in numpy, for short sequences of one length."""

    def __init__(self, tensors, n_layers, n_heads, epsilon):
        self.t, self.n_layers, self.n_heads, self.epsilon = tensors, n_layers, n_heads, epsilon

    def norm(self, x, name):
        mean = x.mean(-1, keepdims=True)
        variance = x.var(-1, keepdims=True)
        x = (x - mean) / np.sqrt(variance + np.float32(self.epsilon))
        return x * self.t[name + ".weight"] + self.t[name + ".bias"]

    def dense(self, x, name):
        # As one matrix: numpy would otherwise multiply sequence by sequence, 20 times slower.
        flat = x.reshape(-1, x.shape[-1])
        return (flat @ self.t[name + ".weight"].T + self.t[name + ".bias"]).reshape(*x.shape[:-1], -1)

    def heads(self, x):
        n, length, width = x.shape
        return x.reshape(n, length, self.n_heads, width // self.n_heads).transpose(0, 2, 1, 3)

    def forward(self, ids):
        """`ids` is n x length; returns n x length x width, the last layer's output."""
        t, length = self.t, ids.shape[1]
        x = t["embeddings.word_embeddings.weight"][ids]
        x = x + t["embeddings.position_embeddings.weight"][:length]
        x = x + t["embeddings.token_type_embeddings.weight"][0]
        x = self.norm(x, "embeddings.LayerNorm")
        for layer in range(self.n_layers):
            p = f"encoder.layer.{layer}."
            q, k, v = (self.heads(self.dense(x, f"{p}attention.self.{part}")) for part in ("query", "key", "value"))
            scores = q @ k.transpose(0, 1, 3, 2) / np.float32(math.sqrt(q.shape[-1]))
            scores = np.exp(scores - scores.max(-1, keepdims=True))
            attended = (scores / scores.sum(-1, keepdims=True)) @ v
            attended = attended.transpose(0, 2, 1, 3).reshape(x.shape)
            x = self.norm(x + self.dense(attended, p + "attention.output.dense"), p + "attention.output.LayerNorm")
            inner = self.dense(x, p + "intermediate.dense")
            inner = inner * np.float32(0.5) * (1 + erf(inner * np.float32(1 / math.sqrt(2))))
            x = self.norm(x + self.dense(inner, p + "output.dense"), p + "output.LayerNorm")
        return x


def token_outputs(folder):
    """Runs [CLS] token [SEP] for every id of the vocabulary: n x width, each the output at the token's own place."""
    config = json.loads((folder / "config.json").read_text())
    bert = Bert(
        read_safetensors(folder / "model.safetensors"),
        config["num_hidden_layers"],
        config["num_attention_heads"],
        config["layer_norm_eps"],
    )
    outputs = []
    for start in range(0, config["vocab_size"], BATCH):
        ids = np.arange(start, min(start + BATCH, config["vocab_size"]))
        sequences = np.stack([np.full_like(ids, CLS), ids, np.full_like(ids, SEP)], axis=1)
        outputs.append(bert.forward(sequences)[:, 1])
        print(f"\r{start + len(ids)} of {config['vocab_size']} tokens", end="", file=sys.stderr)
    print(file=sys.stderr)
    return np.concatenate(outputs).astype("<f4")


def project(outputs, dimension, whitening):
    """Centred PCA to `dimension` components, each divided by its standard deviation ^ whitening.

    The sign of a component is arbitrary in the decomposition; it is fixed so that the largest loading is positive.
    """
    centred = outputs.astype(np.float64)
    centred -= centred.mean(0)
    variance, axes = np.linalg.eigh(centred.T @ centred / len(centred))
    variance, axes = variance[::-1][:dimension], axes[:, ::-1][:, :dimension]
    axes = axes * np.sign(axes[np.abs(axes).argmax(0), np.arange(dimension)])
    return centred @ axes / variance ** (whitening / 2)


def rank_weights(ids):
    return np.log(1 + np.maximum(1, ids - RANK_ZERO))


def quantise(rows):
    """int8 rows and one f32 scale each: row = scale * int8 row."""
    scales = (np.abs(rows).max(1) / 127).astype("<f4")
    return np.rint(rows / scales[:, None]).clip(-127, 127).astype(np.int8), scales


def fnv1a(data):
    """FNV-1a, 32 bits (draft-eastlake-fnv)."""
    value = 0x811C9DC5
    for byte in data:
        value = ((value ^ byte) * 0x01000193) & 0xFFFFFFFF
    return value


def slot_table(tokens):
    """Open addressing with linear probing: slot -> row number, EMPTY_SLOT where there is none."""
    slots = [EMPTY_SLOT] * N_SLOTS
    for row, token in enumerate(tokens):
        value = fnv1a(token)
        slot = (value ^ value >> 16) & (N_SLOTS - 1)
        while slots[slot] != EMPTY_SLOT:
            slot = (slot + 1) & (N_SLOTS - 1)
        slots[slot] = row
    return slots


def model_bytes(tokens, rows, scales, first_id):
    """The format that src/bert/table.rs documents and reads."""
    text = b"".join(tokens)
    offsets = np.cumsum([0] + [len(token) for token in tokens])
    head = MAGIC + struct.pack(
        "<6I", FORMAT_VERSION, rows.shape[1], first_id, len(tokens), N_SLOTS, len(text)
    )
    assert max(map(len, tokens)) <= MAX_TOKEN_BYTES
    body = b"".join(
        [
            scales.astype("<f4").tobytes(),
            offsets.astype("<u4").tobytes(),
            np.array(slot_table(tokens), "<u2").tobytes(),
            text,
            rows.tobytes(),
        ]
    )
    return head + blake3.blake3(head + body).digest() + body


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--outputs", type=Path, help="cache of the transformer's outputs")
    args = parser.parse_args()
    if args.outputs and args.outputs.exists():
        outputs = np.load(args.outputs)
    else:
        outputs = token_outputs(args.folder)
        if args.outputs:
            np.save(args.outputs, outputs)
    tokens = (args.folder / "vocab.txt").read_bytes().split(b"\n")[: len(outputs)]
    rows = project(outputs[FIRST_ID:], DIMENSION, WHITENING)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True) ** LENGTH
    rows *= rank_weights(np.arange(FIRST_ID, len(outputs)))[:, None] ** RANK
    rows, scales = quantise(rows)
    args.output.write_bytes(model_bytes(tokens[FIRST_ID:], rows, scales, FIRST_ID))
    print(f"{args.output}: {len(rows)} tokens x {DIMENSION}, {args.output.stat().st_size} bytes")


if __name__ == "__main__":
    main()
