#!/usr/bin/env python3
"""Experiment: a static table for queries in the teacher's own space, for passages that the teacher embeds.

usage: asymmetric.py MODEL_FOLDER PAIRS.jsonl WORK_FOLDER OUTPUT.npy [--steps N]

WORK_FOLDER is that of train.py. Writes the table, tokens x 384, f32. README.md says what it scores.
"""
import argparse
import sys
from pathlib import Path

import numpy as np

import common
import train
from common import counts, distill, unit

BATCH, OTHERS, SENTENCES = 512, 1536, 4
TEMPERATURE = 0.05
# Weight of the cosine to the teacher's vector of the text itself, beside the questions' InfoNCE.
FOLLOW = 4.0
# Texts whose questions are not trained on.
DEV_TEXTS = 300


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("model", "pairs", "work", "output"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--steps", type=int, default=400)
    args = parser.parse_args()
    generator = np.random.default_rng(0)
    words = (args.work / "words.txt").read_text().split()
    tokenizer, n_tokens = common.tokenizer(args.model, words)
    vectors = np.load(args.work / "texts.npy").astype(np.float32)
    texts = (args.work / "texts.txt").read_text(encoding="utf-8").split("\n")[: len(vectors)]
    place = {text: at for at, text in enumerate(texts)}
    questions = [(p["head"], place[p["text"]]) for p in common.pairs(args.pairs) if p["text"] in place]
    for at, text in enumerate(texts):
        parts = [it for it in train.SENTENCE_END.split(text) if len(it) >= train.SENTENCE_CHARS]
        questions += [(part, at) for part in parts[:SENTENCES]]
    owners = np.array([at for _, at in questions])
    queries = counts(tokenizer, n_tokens, [question for question, _ in questions])
    leads = counts(tokenizer, n_tokens, [" ".join(text.split()[: train.TEACHER_WORDS]) for text in texts])

    # The teacher's outputs at each token, centred, at length 1 times the rank weight.
    rows = np.zeros((n_tokens, vectors.shape[1]), np.float32)
    outputs = np.load(args.work / "outputs.npy")
    rows[distill.FIRST_ID : len(outputs)] = outputs[distill.FIRST_ID :]
    rows[len(outputs) :] = np.load(args.work / "words.npy")
    rows[distill.FIRST_ID :] -= rows[distill.FIRST_ID :].mean(0)
    weights = distill.rank_weights(np.arange(n_tokens)).astype(np.float32)
    rows = unit(rows) * weights[:, None]

    is_dev = np.zeros(len(texts), bool)
    is_dev[generator.choice(len(texts), DEV_TEXTS, replace=False)] = True
    learnt, held, passages = np.flatnonzero(~is_dev[owners]), np.flatnonzero(is_dev[owners]), np.flatnonzero(~is_dev)
    table, narrow = train.Table(rows, 0.006, 0.02, args.steps), train.Narrow(n_tokens)
    for step in range(args.steps + 1):
        if step % 100 == 0 or step == args.steps:
            score = train.Development.gain(unit(queries[held] @ table.all()) @ vectors.T, owners[held])
            print(f"{step} dev {score:.4f}", file=sys.stderr, flush=True)
        if step == args.steps:
            break
        batch = learnt[generator.choice(len(learnt), BATCH)]
        among = np.concatenate([owners[batch], generator.choice(passages, OTHERS, replace=False)])
        tokens, (some,) = narrow(train.drop(queries[batch], 0.05, generator))
        q, length = train.embed(some, table.of(tokens))
        logits = q @ vectors[among].T / TEMPERATURE
        same = owners[batch][:, None] == among[None, :]
        same[np.arange(BATCH), np.arange(BATCH)] = False
        logits[same] = -1e4
        g = train.softmax(logits)
        g[np.arange(BATCH), np.arange(BATCH)] -= 1
        gradient = some.T @ train.through_length((g @ vectors[among] / (BATCH * TEMPERATURE)).astype(np.float32), q, length)
        batch = generator.choice(passages, BATCH, replace=False)
        more, (some,) = narrow(leads[batch])
        q, length = train.embed(some, table.of(more))
        other = some.T @ train.through_length((-FOLLOW * vectors[batch] / BATCH).astype(np.float32), q, length)
        both = np.union1d(tokens, more)
        total = np.zeros((len(both), vectors.shape[1]), np.float32)
        total[np.searchsorted(both, tokens)] += gradient
        total[np.searchsorted(both, more)] += other
        table.update(both, total)
    np.save(args.output, table.all())


if __name__ == "__main__":
    main()
