#!/usr/bin/env python3
"""Trains the table of the built-in model `static` and writes models/static-v2.bin.

usage: train.py MODEL_FOLDER PAIRS.jsonl WORK_FOLDER OUTPUT.bin [--steps N] ...

WORK_FOLDER holds what prepare.py and teacher.py made: words.txt, words.npy, texts.txt, texts.npy. README.md says what is learnt from what, and
what it scores. Plain numpy: a text's vector is the sum of its tokens' rows at length 1, so that gradients are three lines.
"""
import argparse
import re
import sys
import zlib
from pathlib import Path

import numpy as np
import scipy.sparse as sparse

import common
from common import counts, distill, unit

# Sources that are kept out of the training altogether, and one in so many texts of the others: the development set.
DEV_SOURCES = ("efo", "postgresql-doc-15", "re3data")
DEV_SHARE = 33
# Questions a task of the development set.
DEV_QUERIES = 600
# Sentences shorter than this ask nothing; so many of a text are used.
SENTENCE_CHARS, SENTENCES = 20, 6
SENTENCE_END = re.compile(r"(?<=[.!?;])\s+(?=[A-Z0-9\"(])")
# A new word's weight over that of the last piece in the vocabulary.
NEW_WORD = 1.2
# Words that the teacher reads of a text of texts.txt, about its --tokens.
TEACHER_WORDS = 30
# Shares of the initial rows that are looked at in the end.
SHARES = (0.0, 0.25, 0.4, 0.5, 0.75)
# Length of the rows that are trained, so that one rate of learning fits all; a learnt scale per token stands before them.
ROW_LENGTH = 4.0


def initial_rows(outputs, words, dimension):
    """The recipe of tools/distill for the pieces of BERT's vocabulary and, in the same space, for the new words."""
    first = distill.FIRST_ID
    known = outputs[first:].astype(np.float64)
    mean = known.mean(0)
    variance, axes = np.linalg.eigh((known - mean).T @ (known - mean) / len(known))
    variance, axes = variance[::-1][:dimension], axes[:, ::-1][:, :dimension]
    axes = axes * np.sign(axes[np.abs(axes).argmax(0), np.arange(dimension)]) / np.sqrt(variance)
    rows = (np.concatenate([known, words.astype(np.float64)]) - mean) @ axes
    rows /= np.linalg.norm(rows, axis=1, keepdims=True) ** distill.LENGTH
    weights = distill.rank_weights(np.arange(first, len(outputs) + len(words))) ** distill.RANK
    weights[len(known) :] = weights[len(known) - 1] * NEW_WORD
    return np.concatenate([np.zeros((first, dimension)), rows * weights[:, None]]).astype(np.float32)


class Data:
    """Heads, passages and their sentences as token counts."""

    def __init__(self, path, tokenizer, n_tokens):
        passages, sources, heads, self.of_head, sentences, self.of_sentence = {}, [], [], [], [], []
        for pair in common.pairs(path):
            if pair["text"] not in passages:
                passages[pair["text"]] = len(passages)
                sources.append(pair["source"])
            heads.append(pair["head"])
            self.of_head.append(passages[pair["text"]])
        for text, at in passages.items():
            parts = [part for part in SENTENCE_END.split(text) if len(part) >= SENTENCE_CHARS]
            if len(parts) >= 2:
                sentences += parts[:SENTENCES]
                self.of_sentence += [at] * len(parts[:SENTENCES])
        self.of_head, self.of_sentence = np.array(self.of_head), np.array(self.of_sentence)
        self.sources = np.array(sources)
        self.is_dev = np.array(
            [s in DEV_SOURCES or zlib.crc32(t.encode()) % DEV_SHARE == 0 for s, t in zip(sources, passages)]
        )
        self.heads = counts(tokenizer, n_tokens, heads)
        self.passages = counts(tokenizer, n_tokens, list(passages))
        self.sentences = counts(tokenizer, n_tokens, sentences)
        # Any head of a passage.
        self.a_head = np.zeros(len(passages), np.int64)
        self.a_head[self.of_head] = np.arange(len(heads))


class Sampler:
    """Draws questions: from all sources, each damped by its size, or all from one, whose passages are harder to tell apart."""

    def __init__(self, data, owners):
        self.rows = np.flatnonzero(~data.is_dev[owners])
        self.sources = data.sources[owners[self.rows]]
        _, inverse, sizes = np.unique(self.sources, return_inverse=True, return_counts=True)
        self.weights = (sizes**0.6 / sizes)[inverse]
        self.weights /= self.weights.sum()
        self.by_source = {source: np.flatnonzero(self.sources == source) for source in np.unique(self.sources)}

    def draw(self, generator, n, one_source):
        if one_source:
            source = self.sources[generator.choice(len(self.rows), p=self.weights)]
            rows = self.by_source[source]
            return self.rows[generator.choice(rows, min(n, len(rows)), replace=False)]
        return self.rows[generator.choice(len(self.rows), n, p=self.weights)]


class Table:
    """Rows and scales with Adam's moments; only rows that a batch has are touched."""

    def __init__(self, rows, rate, scale_rate, steps):
        length = np.linalg.norm(rows, axis=1)
        length[length == 0] = 1
        self.rows = rows / length[:, None] * np.float32(ROW_LENGTH)
        self.scales = np.log(length / ROW_LENGTH).astype(np.float32)
        self.rates, self.steps, self.step = (rate, scale_rate), steps, 0
        self.moments = [[np.zeros_like(it), np.zeros_like(it)] for it in (self.rows, self.scales)]

    def of(self, tokens):
        return self.rows[tokens] * np.exp(self.scales[tokens])[:, None]

    def all(self):
        return self.of(np.arange(len(self.rows)))

    def update(self, tokens, gradient):
        factor = np.exp(self.scales[tokens])
        gradients = gradient * factor[:, None], (gradient * self.rows[tokens]).sum(1) * factor
        warm = min(1, (self.step + 1) / 50) * max(0.05, 1 - self.step / self.steps)
        self.step += 1
        for values, (first, second), rate, g in zip((self.rows, self.scales), self.moments, self.rates, gradients):
            first[tokens] = 0.9 * first[tokens] + 0.1 * g
            second[tokens] = 0.99 * second[tokens] + 0.01 * g * g
            mean, square = first[tokens] / (1 - 0.9**self.step), second[tokens] / (1 - 0.99**self.step)
            values[tokens] -= np.float32(rate * warm) * mean / (np.sqrt(square) + 1e-8)


class Narrow:
    """Makes matrices over all tokens into ones over the tokens that they have."""

    def __init__(self, n_tokens):
        self.mark, self.column = np.zeros(n_tokens, bool), np.zeros(n_tokens, np.int32)

    def __call__(self, *matrices):
        self.mark[:] = False
        for matrix in matrices:
            self.mark[matrix.indices] = True
        tokens = np.flatnonzero(self.mark)
        self.column[tokens] = np.arange(len(tokens), dtype=np.int32)
        shape = [(m.shape[0], len(tokens)) for m in matrices]
        return tokens, [
            sparse.csr_matrix((m.data, self.column[m.indices], m.indptr), shape=s) for m, s in zip(matrices, shape)
        ]


def softmax(logits):
    logits = np.exp(logits - logits.max(1, keepdims=True))
    return logits / logits.sum(1, keepdims=True)


def through_length(gradient, unit_rows, lengths):
    """The gradient before rows were brought to length 1."""
    return (gradient - (gradient * unit_rows).sum(1, keepdims=True) * unit_rows) / lengths


def embed(matrix, rows):
    sums = matrix @ rows
    lengths = np.maximum(1e-6, np.linalg.norm(sums, axis=1, keepdims=True))
    return sums / lengths, lengths


def contrast(table, narrow, queries, passages, owners, temperature):
    """InfoNCE: each query among the passages of the batch (weight .7), and each passage among the queries (.3)."""
    tokens, (queries, passages) = narrow(queries, passages)
    rows = table.of(tokens)
    q, q_length = embed(queries, rows)
    p, p_length = embed(passages, rows)
    logits = q @ p.T / temperature
    same = owners[:, None] == owners[None, :]
    np.fill_diagonal(same, False)
    logits[same] = -1e4
    forward, backward = softmax(logits), softmax(logits.T).T
    loss = -np.log(np.maximum(1e-9, np.diag(forward))).mean()
    g = (0.7 * forward + 0.3 * backward - np.eye(len(logits))) / (len(logits) * temperature)
    g = g.astype(np.float32)
    gradient = queries.T @ through_length(g @ p, q, q_length) + passages.T @ through_length(g.T @ q, p, p_length)
    return loss, tokens, gradient


def follow(table, narrow, texts, vectors, temperature):
    """Kullback-Leibler divergence between the teacher's neighbours of a text in the batch and the table's."""
    tokens, (texts,) = narrow(texts)
    x, length = embed(texts, table.of(tokens))
    own, wanted = x @ x.T / temperature, vectors @ vectors.T / temperature
    np.fill_diagonal(own, -1e4)
    np.fill_diagonal(wanted, -1e4)
    own, wanted = softmax(own), softmax(wanted)
    loss = (wanted * (np.log(wanted + 1e-9) - np.log(own + 1e-9))).sum(1).mean()
    g = ((own - wanted) / (len(x) * temperature)).astype(np.float32)
    return loss, tokens, texts.T @ through_length((g + g.T) @ x, x, length)


def drop(matrix, share, generator):
    """Forgets that share of the entries, so that no question can rest on one word."""
    matrix = matrix.copy()
    matrix.data *= generator.random(len(matrix.data)) >= share
    return matrix


class Frames:
    """The lines that ragctl's transform `add-titles` puts before a chunk, with made-up addresses."""

    def __init__(self, tokenizer, n_tokens, words, generator, n=1600):
        lines = []
        for at in range(n):
            if at % 2:
                uri = str(generator.integers(1, 10 ** int(generator.integers(2, 9))))
            else:
                folder = generator.choice(["docs", "a", "guide", "files", "kb", "notes"])
                name = "-".join(generator.choice(words, int(generator.integers(1, 4))))
                uri = f"{folder}/{name}{generator.choice(['.md', '.html', '.pdf', ''])}"
            lines.append(f"# Title: \n# URI: {uri}\n# Section: \n\n")
        self.lines = counts(tokenizer, n_tokens, lines)

    def around(self, passages, titles, share, generator):
        """That share of the passages in a frame; `titles` (if any) stand in it three times, as ragctl repeats them."""
        chosen = sparse.diags((generator.random(passages.shape[0]) < share).astype(np.float32))
        frame = self.lines[generator.integers(0, self.lines.shape[0], passages.shape[0])]
        return (passages + chosen @ (frame if titles is None else frame + 3 * titles)).tocsr()


class Development:
    """Questions of texts that are not trained on: nDCG@10 with one right answer, for heads and for sentences."""

    def __init__(self, data):
        self.data, self.tasks = data, []
        generator = np.random.default_rng(5)
        for name in (*DEV_SOURCES, None):
            held = data.sources == name if name else ~np.isin(data.sources, DEV_SOURCES)
            texts = np.flatnonzero(data.is_dev & held)
            place = np.full(len(data.sources), -1)
            place[texts] = np.arange(len(texts))
            picks = []
            for owners in (data.of_head, data.of_sentence):
                rows = np.flatnonzero(place[owners] >= 0)
                rows = generator.choice(rows, min(DEV_QUERIES, len(rows)), replace=False)
                picks.append((rows, place[owners[rows]]))
            self.tasks.append((texts, *picks))

    def scores(self, rows):
        data, out = self.data, []
        for texts, (heads, head_answers), (sentences, answers) in self.tasks:
            passages = unit(data.passages[texts] @ rows)
            out.append(self.gain(unit(data.heads[heads] @ rows) @ passages.T, head_answers))
            queries = unit(data.sentences[sentences] @ rows)
            # The answer to a sentence is its passage without it.
            rest = unit((data.passages[texts[answers]] - data.sentences[sentences]) @ rows)
            cosines = queries @ passages.T
            cosines[np.arange(len(queries)), answers] = (queries * rest).sum(1)
            out.append(self.gain(cosines, answers))
        return out

    @staticmethod
    def gain(cosines, answers):
        right = cosines[np.arange(len(cosines)), answers]
        before = (cosines > right[:, None]).sum(1)
        return float(np.where(before < 10, 1 / np.log2(before + 2), 0).mean())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("model", "pairs", "work", "output"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--dimension", type=int, default=256)
    parser.add_argument("--steps", type=int, default=900)
    parser.add_argument("--batch", type=int, default=1024)
    parser.add_argument("--rate", type=float, default=0.006)
    parser.add_argument("--scale-rate", type=float, default=0.02)
    parser.add_argument("--temperature", type=float, default=0.05)
    parser.add_argument("--teacher", type=float, default=1.0, help="weight of the teacher's loss")
    parser.add_argument("--sentences", type=float, default=0.4, help="share of batches whose questions are sentences")
    parser.add_argument("--one-source", type=float, default=0.5, help="share of batches from one source")
    parser.add_argument("--share", type=float, default=0.4, help="of the initial rows in the table written")
    parser.add_argument("--every", type=int, default=300, help="steps between two looks at the development set")
    args = parser.parse_args()

    generator = np.random.default_rng(0)
    words = (args.work / "words.txt").read_text().split()
    tokenizer, n_tokens = common.tokenizer(args.model, words)
    cache = args.work / "outputs.npy"
    if not cache.exists():
        np.save(cache, distill.token_outputs(args.model))
    rows = initial_rows(np.load(cache), np.load(args.work / "words.npy")[: len(words)], args.dimension)
    data = Data(args.pairs, tokenizer, n_tokens)
    vectors = np.load(args.work / "texts.npy").astype(np.float32)
    texts = (args.work / "texts.txt").read_text(encoding="utf-8").split("\n")[: len(vectors)]
    texts = counts(tokenizer, n_tokens, [" ".join(text.split()[:TEACHER_WORDS]) for text in texts])
    by_head, by_sentence = Sampler(data, data.of_head), Sampler(data, data.of_sentence)
    frames = Frames(tokenizer, n_tokens, words, generator)
    development, narrow = Development(data), Narrow(n_tokens)
    table = Table(rows, args.rate, args.scale_rate, args.steps)
    losses = []
    for step in range(args.steps + 1):
        if step % args.every == 0 or step == args.steps:
            scores = development.scores(table.all())
            loss = "-" if not losses else f"{np.mean(losses[-args.every :]):.3f}"
            print(step, "loss", loss, f"dev {np.mean(scores):.4f}:", *(f"{it:.3f}" for it in scores), file=sys.stderr, flush=True)
        if step == args.steps:
            break
        one_source = generator.random() < args.one_source
        if generator.random() < args.sentences:
            batch = by_sentence.draw(generator, args.batch, one_source)
            owners = data.of_sentence[batch]
            queries = data.sentences[batch]
            passages = drop(data.passages[owners] - queries, 0.15, generator)
            passages = frames.around(passages, data.heads[data.a_head[owners]], 0.5, generator)
            queries = drop(queries, 0.1, generator)
        else:
            batch = by_head.draw(generator, args.batch, one_source)
            owners = data.of_head[batch]
            queries = data.heads[batch]
            passages = frames.around(drop(data.passages[owners], 0.3, generator), None, 0.5, generator)
        loss, tokens, gradient = contrast(table, narrow, queries, passages, owners, args.temperature)
        losses.append(loss)
        if args.teacher:
            batch = generator.choice(len(vectors), min(768, len(vectors)), replace=False)
            _, more, other = follow(table, narrow, texts[batch], vectors[batch], args.temperature)
            both = np.union1d(tokens, more)
            total = np.zeros((len(both), args.dimension), np.float32)
            total[np.searchsorted(both, tokens)] += gradient
            total[np.searchsorted(both, more)] += args.teacher * other
            tokens, gradient = both, total
        table.update(tokens, gradient)

    np.save(args.work / "trained.npy", table.all())
    for share in SHARES:
        scores = development.scores(share * rows + (1 - share) * table.all())
        print(f"share {share} dev {np.mean(scores):.4f}:", *(f"{it:.3f}" for it in scores), file=sys.stderr, flush=True)
    final = args.share * rows + (1 - args.share) * table.all()
    first = distill.FIRST_ID
    pieces = (args.model / "vocab.txt").read_bytes().split(b"\n")[: n_tokens - len(words)]
    quantised, scales = distill.quantise(final[first:])
    names = [*pieces[first:], *(word.encode() for word in words)]
    args.output.write_bytes(distill.model_bytes(names, quantised, scales, first))
    print(f"{args.output}: {len(names)} tokens x {args.dimension}, {args.output.stat().st_size} bytes")


if __name__ == "__main__":
    main()
