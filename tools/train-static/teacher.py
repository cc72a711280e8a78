#!/usr/bin/env python3
"""Runs texts through the teacher, all-MiniLM-L6-v2.

usage: teacher.py ONNX_FOLDER TEXTS.txt VECTORS.npy [--tokens N] [--pieces]

One text a line. Without --pieces the vectors are the teacher's own (mean of all outputs, length 1, f16); with it the mean of the
outputs at the text's own tokens as they are (f16), which is what tools/distill takes of a token. A run that was stopped goes on where it
was: every 4,096 texts are a file beside VECTORS.npy until all are done.
"""
import argparse
import sys
from pathlib import Path

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

SHARD = 4096
# Tokens a call: more do not fit into the cache.
BATCH_TOKENS = 384


def encode(session, tokenizer, texts, pieces):
    ids = [encoding.ids for encoding in tokenizer.encode_batch(texts)]
    order = sorted(range(len(ids)), key=lambda it: len(ids[it]))
    vectors = np.zeros((len(ids), 384), np.float32)
    at = 0
    while at < len(order):
        stop = at + 1
        while stop < len(order) and len(ids[order[stop]]) * (stop + 1 - at) <= BATCH_TOKENS:
            stop += 1
        batch = order[at:stop]
        tokens = np.zeros((len(batch), len(ids[batch[-1]])), np.int64)
        mask = np.zeros_like(tokens)
        for row, text in enumerate(batch):
            tokens[row, : len(ids[text])] = ids[text]
            mask[row, : len(ids[text])] = 1
        (outputs,) = session.run(
            None, {"input_ids": tokens, "attention_mask": mask, "token_type_ids": np.zeros_like(tokens)}
        )
        for row, text in enumerate(batch):
            if pieces:
                vectors[text] = outputs[row, 1 : len(ids[text]) - 1].mean(0)
            else:
                vector = outputs[row, : len(ids[text])].mean(0)
                vectors[text] = vector / np.linalg.norm(vector)
        at = stop
    return vectors.astype(np.float16)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("texts", type=Path)
    parser.add_argument("vectors", type=Path)
    parser.add_argument("--tokens", type=int, default=40, help="read so many tokens of a text")
    parser.add_argument("--pieces", action="store_true")
    args = parser.parse_args()
    tokenizer = Tokenizer.from_file(str(args.folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(args.tokens)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(args.folder / "model.onnx"), options)
    lines = args.texts.read_text(encoding="utf-8").split("\n")[:-1]
    shards = []
    for start in range(0, len(lines), SHARD):
        shard = args.vectors.with_suffix(f".{start // SHARD:04}.npy")
        if not shard.exists():
            np.save(shard, encode(session, tokenizer, lines[start : start + SHARD], args.pieces))
        shards.append(shard)
        print(f"{min(start + SHARD, len(lines))} of {len(lines)} texts", file=sys.stderr, flush=True)
    np.save(args.vectors, np.concatenate([np.load(shard) for shard in shards]))
    for shard in shards:
        shard.unlink()


if __name__ == "__main__":
    main()
