#!/usr/bin/env python3
"""Chooses the words that the vocabulary gains and the texts that the teacher reads.

usage: prepare.py MODEL_FOLDER PAIRS.jsonl WORK_FOLDER [--words N] [--texts N]

Writes WORK_FOLDER/words.txt (the most telling first) and WORK_FOLDER/texts.txt (in a random order, so that any first part of it is a fair sample).
"""
import argparse
import collections
import math
import random
import re
from pathlib import Path

import common

WORD = re.compile(r"[a-z]{4,28}")


def new_words(texts_by_source, vocabulary):
    """Words that BERT spells in pieces, by the sum over the sources of the square root of how many texts have them.

    The root keeps one large source (chemistry has 39,000 definitions) from filling the list.
    """
    weight = collections.Counter()
    for texts in texts_by_source.values():
        found = collections.Counter()
        for text, heads in texts.items():
            found.update(set(WORD.findall(" ".join([text, *heads]).lower())))
        for word, n in found.items():
            if n >= 2 and word not in vocabulary:
                weight[word] += math.sqrt(n)
    return sorted(weight, key=lambda word: (-weight[word], word))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=Path)
    parser.add_argument("pairs", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--words", type=int, default=14000, help="14,000 of 256 dimensions keep the model below 12 MB")
    parser.add_argument("--texts", type=int, default=80000)
    args = parser.parse_args()
    by_source = collections.defaultdict(dict)
    for pair in common.pairs(args.pairs):
        by_source[pair["source"]].setdefault(pair["text"], []).append(pair["head"])
    tokenizer, _ = common.tokenizer(args.model)
    words = new_words(by_source, tokenizer.get_vocab())[: args.words]
    (args.work / "words.txt").write_text("".join(f"{word}\n" for word in words))
    generator = random.Random(1)
    total = sum(len(texts) ** 0.6 for texts in by_source.values())
    chosen = []
    for texts in by_source.values():
        share = int(args.texts * len(texts) ** 0.6 / total)
        chosen += generator.sample(sorted(texts), min(share, len(texts)))
    generator.shuffle(chosen)
    (args.work / "texts.txt").write_text("".join(f"{text}\n" for text in chosen), encoding="utf-8")
    print(f"{len(words)} words, {len(chosen)} texts")


if __name__ == "__main__":
    main()
