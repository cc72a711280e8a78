#!/usr/bin/env python3
"""How well chunks cover the answers: recall, precision and overlap with marked spans, through a real index.

usage: chunking.py RAGCTL FOLDER [CONFIGURATION ...]

FOLDER holds docs/ and questions.jsonl, with references as character offsets into the documents. A configuration is the options of
`ragctl ingest` as one argument, such as "--chunker window --max-chunk-size 800 --overlap 0"; without any, the grid of
chunkers, sizes and overlaps is measured. For each: ingest, ask every question in hybrid mode, and compare the bytes of the hits with
those of the answer. Printed for the best 5 and 10 hits (means over the questions, percent):

  recall     share of the answer's characters that the hits hold
  precision  share of the hits' characters that belong to the answer, where what comes twice counts twice
  IoU        characters of both / characters of either, counted in the same way

and as `R 3000`, `R 6000` the recall of as many hits as fit into so many characters (the hit that does not fit is cut), which
compares sizes at the same cost for the reader. `chars` is the mean length of the 10 hits together.
"""
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile

BUDGETS = (3000, 6000)
TOP = 10


def grid():
    for chunker in ("section", "sentence", "window"):
        for size, overlaps in ((400, (0, 50)), (600, (0, 100)), (800, (0, 100, 200)), (1000, (0, 150)),
                               (1500, (0, 200, 400)), (2500, (0, 400))):
            for overlap in overlaps:
                yield "--chunker %s --max-chunk-size %d --overlap %d" % (chunker, size, overlap)


class Document:
    """Text with the way from bytes to characters."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.bytes = file.read()
        self.n_chars = len(self.bytes.decode("utf-8"))

    def chars(self, start, end):
        first = len(self.bytes[:start].decode("utf-8", "ignore"))
        return first, first + len(self.bytes[start:end].decode("utf-8"))


def covered(spans, answer):
    """Characters of `answer` (a list of spans of one document) inside any of `spans`."""
    wanted = {at for start, end in answer for at in range(start, end)}
    held = {at for start, end in spans for at in range(start, end)}
    return len(wanted & held), len(wanted)


def score(hits, answer):
    n_hits = sum(end - start for _, (start, end) in hits)
    doc, spans = answer
    both, n_answer = covered([span for name, span in hits if name == doc], spans)
    return both / n_answer, both / n_hits if n_hits else 0, both / (n_answer + n_hits - both)


def within(hits, budget):
    """The first hits of at most `budget` characters together, the last one cut."""
    kept = []
    for name, (start, end) in hits:
        end = min(end, start + budget)
        kept.append((name, (start, end)))
        budget -= end - start
        if budget == 0:
            break
    return kept


def measure(ragctl, folder, options, documents, questions, pool):
    with tempfile.TemporaryDirectory() as temp:
        index = ["--index", os.path.join(temp, "index"), "--quiet"]
        report = subprocess.run([ragctl, "ingest", "--json", *index, *options.split(), os.path.join(folder, "docs")],
                                check=True, capture_output=True, text=True).stdout
        n_chunks = json.loads(report)["chunks"]

        def ask(question):
            out = subprocess.run([ragctl, "search", "--hybrid", "--jsonl", "--no-text", "-k", "40", *index, "--", question["text"]],
                                 check=False, capture_output=True, text=True).stdout
            hits = []
            for line in out.splitlines():
                hit = json.loads(line)
                name = hit["document"]["uri"].rsplit("/", 1)[-1]
                hits.append((name, documents[name].chars(*hit["location"]["bytes"])))
            answer = question["doc"], [(it["start_index"], it["end_index"]) for it in question["references"]]
            scores = [*score(hits[:5], answer), *score(hits[:TOP], answer)]
            scores += [score(within(hits, budget), answer)[0] for budget in BUDGETS]
            return scores + [sum(end - start for _, (start, end) in hits[:TOP]) / 100]

        scores = list(pool.map(ask, questions))
    return n_chunks, [100 * sum(column) / len(scores) for column in zip(*scores)]


def main():
    ragctl, folder = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    docs = os.path.join(folder, "docs")
    documents = {name: Document(os.path.join(docs, name)) for name in sorted(os.listdir(docs))}
    with open(os.path.join(folder, "questions.jsonl"), encoding="utf-8") as file:
        questions = [json.loads(line) for line in file]
    print("| options | chunks | recall@5 | precision@5 | IoU@5 | recall@10 | precision@10 | IoU@10 | %s | chars |" %
          " | ".join("R %d" % budget for budget in BUDGETS))
    print("| --- |" + " ---: |" * (8 + len(BUDGETS)))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for options in sys.argv[3:] or grid():
            n_chunks, row = measure(ragctl, folder, options, documents, questions, pool)
            print("| %s | %d | %s | %.0f |" % (options, n_chunks, " | ".join("%.1f" % it for it in row[:-1]), row[-1]), flush=True)


main()
