#!/usr/bin/env python3
"""Finds, for questions with a known passage, the other passages that share their words: the hard negatives of the training.

usage: mine.py MINILM PAIRS.jsonl GROUPS.jsonl [QUESTIONS]

PAIRS.jsonl is what ../train-static/gather.py writes. A question is the head of a pair, or, as often, a sentence that is cut out of a
passage, which then asks for the rest. Writes one JSON object a line: source, query, positive (text), negatives (texts, best BM25 first).
"""
import json
import random
import re
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import scipy.sparse as sparse

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "train-static"))
import common  # noqa: E402

# Saturation and length normalisation of BM25, the values that ragctl's text search has.
K1, B = 1.2, 0.75
# Tokens in more than this share of the passages rank nothing and cost most of the time.
COMMON = 0.02
# Negatives kept of a question; the first ones are passed over as likely answers that nobody marked.
NEGATIVES, PASSED_OVER = 30, 2
# Most questions of one source: glosses and ontologies are not to drown the documentation.
SHARE = 0.12
# A sentence becomes a question when it and what is left of its passage have so many characters.
SENTENCE_CHARS, REST_CHARS = 40, 80
SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9\"(])")


def questions(pairs, n, rng):
    """(source, query, positive, number of its pair), `n` at most."""
    seen = Counter(it for text in {pair["text"] for pair in pairs} for it in SENTENCE_END.split(text))
    left = {}
    order = list(range(len(pairs)))
    rng.shuffle(order)
    found = []
    for at in order:
        pair = pairs[at]
        if len(found) == n:
            break
        if left.setdefault(pair["source"], int(SHARE * n)) == 0:
            continue
        query, rest = pair["head"], pair["text"]
        sentences = SENTENCE_END.split(pair["text"])
        if rng.random() < 0.5 and len(sentences) > 1:
            cut = rng.randrange(len(sentences))
            query, rest = sentences[cut], " ".join(sentences[:cut] + sentences[cut + 1 :])
            # A sentence that other passages have too asks for none of them.
            if len(query) < SENTENCE_CHARS or len(rest) < REST_CHARS or seen[query] > 1:
                continue
        left[pair["source"]] -= 1
        found.append((pair["source"], query, rest, at))
    return found


def bm25(counts):
    """The weights of BM25, a row a passage."""
    n = counts.shape[0]
    df = np.bincount(counts.indices, minlength=counts.shape[1])
    idf = np.log(1 + (n - df + 0.5) / (df + 0.5))
    idf[df > COMMON * n] = 0
    lengths = np.asarray(counts.sum(axis=1)).ravel()
    norm = np.repeat(K1 * (1 - B + B * lengths / lengths.mean()), np.diff(counts.indptr))
    weights = counts.copy()
    weights.data = counts.data * (K1 + 1) / (counts.data + norm) * idf[counts.indices]
    weights.eliminate_zeros()
    return weights


def main():
    model, source, output = (Path(it) for it in sys.argv[1:4])
    n = int(sys.argv[4]) if len(sys.argv) > 4 else 60_000
    rng = random.Random(1)
    pairs = list(common.pairs(source))
    texts = sorted({it["text"] for it in pairs})
    number = {text: at for at, text in enumerate(texts)}
    tokenizer, n_tokens = common.tokenizer(model)
    postings = bm25(common.counts(tokenizer, n_tokens, texts)).T.tocsr()
    asked = questions(pairs, n, rng)
    heads = {}
    for pair in pairs:
        heads.setdefault(number[pair["text"]], set()).add(pair["head"].lower())
    with output.open("w", encoding="utf-8") as out:
        for start in range(0, len(asked), 64):
            batch = asked[start : start + 64]
            counts = common.counts(tokenizer, n_tokens, [query for _, query, _, _ in batch])
            counts.data[:] = 1
            scores = sparse.csr_matrix(counts @ postings)
            for row, (name, query, positive, at) in enumerate(batch):
                ids = scores.indices[scores.indptr[row] : scores.indptr[row + 1]]
                values = scores.data[scores.indptr[row] : scores.indptr[row + 1]]
                top = ids[np.argsort(-values, kind="stable")[: 2 * NEGATIVES]]
                own, head = number[pairs[at]["text"]], pairs[at]["head"].lower()
                negatives = [it for it in top if it != own and head not in heads[it] and query.lower() not in heads[it]]
                negatives = negatives[PASSED_OVER : PASSED_OVER + NEGATIVES]
                if negatives:
                    negatives = [texts[it] for it in negatives]
                    line = {"source": name, "query": query, "positive": positive, "negatives": negatives}
                    out.write(json.dumps(line, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
