#!/usr/bin/env python3
"""Holds `ragctl eval` against pytrec_eval, which is trec_eval in a Python package (pip install pytrec_eval-terrier).

usage: eval-testdata.py make IR_FOLDER OUT_FOLDER     writes the samples that tests/cli/evaluating.rs reads
       eval-testdata.py check RAGCTL QRELS RUN ...    compares every value of every query, to 1e-6

A sample has judgements of a set (scifact, anthropic-docs), or made-up ones with all grades from -1
to 3; a run over them that a seeded generator makes, with many equal scores; and what pytrec_eval says of it.
"""
import json
import os
import random
import struct
import subprocess
import sys

import pytrec_eval

MEASURES = {"ndcg_cut.10", "ndcg", "map", "map_cut.10", "recall.10,100", "P.10", "success.1,5", "recip_rank"}
NAMES = {
    "nDCG@10": "ndcg_cut_10", "nDCG": "ndcg", "MAP": "map", "MAP@10": "map_cut_10", "recall@10": "recall_10",
    "recall@100": "recall_100", "P@10": "P_10", "success@1": "success_1", "success@5": "success_5", "MRR": "recip_rank",
}


def read_qrels(path):
    qrels = {}
    for line in open(path, encoding="utf-8"):
        cells = line.split("\t") if "\t" in line else line.split()
        grade = cells[-1].strip()
        if grade.lstrip("-").isdigit():
            qrels.setdefault(cells[0], {})[cells[-2]] = int(grade)
    return qrels


def read_run(path):
    run = {}
    for line in open(path, encoding="utf-8"):
        query, _, document, _, score, _ = line.split()
        run.setdefault(query, {})[document] = float(score)
    return run


def values(qrels, run):
    """By query, for those that something answers; MRR@10 is recip_rank of a run cut to ten documents, in trec_eval's order."""
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, MEASURES)
    of_all = evaluator.evaluate({query: run.get(query, {}) for query in qrels})
    as_float = lambda score: struct.unpack("f", struct.pack("f", score))[0]
    cut = {}
    for query in qrels:
        ranked = sorted(run.get(query, {}).items(), key=lambda it: (as_float(it[1]), it[0].encode()), reverse=True)
        cut[query] = dict(ranked[:10])
    of_ten = pytrec_eval.RelevanceEvaluator(qrels, {"recip_rank"}).evaluate(cut)
    result = {}
    for query, grades in sorted(qrels.items()):
        if any(grade > 0 for grade in grades.values()):
            result[query] = {ours: of_all.get(query, {}).get(theirs, 0.0) for ours, theirs in NAMES.items()}
            result[query]["MRR@10"] = of_ten.get(query, {}).get("recip_rank", 0.0)
    return result


def make(ir, out):
    rng = random.Random(5)
    samples = {}
    for name, path in (("scifact", "scifact/qrels.tsv"), ("anthropic-docs", "anthropic-docs/qrels.tsv")):
        qrels = read_qrels(os.path.join(ir, path))
        samples[name] = {query: qrels[query] for query in sorted(qrels)[:40]}
    samples["made-up"] = {"q%d" % n: {"d%d" % rng.randrange(60): rng.choice([-1, 0, 0, 1, 1, 2, 3]) for _ in range(25)} for n in range(40)}
    os.makedirs(out, exist_ok=True)
    for name, qrels in samples.items():
        everything = sorted({document for grades in qrels.values() for document in grades})
        run = {}
        for query, grades in qrels.items():
            if rng.random() < 0.05:
                continue  # a query without results
            chosen = set(rng.sample(everything, min(30, len(everything)))) | {it for it in grades if rng.random() < 0.8}
            run[query] = {document: rng.randrange(40) / 10 + (0.7 if grades.get(document, 0) > 0 else 0) for document in sorted(chosen)}
            for document in list(run[query])[:3]:
                run[query][document] = 2.5 + rng.choice([0, 1e-9])  # equal as 32-bit floats only
        with open(os.path.join(out, name + ".qrels"), "w", encoding="utf-8") as file:
            for query, grades in qrels.items():
                for document, grade in grades.items():
                    file.write("%s\t0\t%s\t%d\n" % (query, document, grade))
        with open(os.path.join(out, name + ".run"), "w", encoding="utf-8") as file:
            for query, documents in run.items():
                # The ranks are those of the ids: they must not count.
                for at, (document, score) in enumerate(documents.items()):
                    file.write("%s\tQ0\t%s\t%d\t%r\tmade-up\n" % (query, document, at + 1, score))
        with open(os.path.join(out, name + ".json"), "w", encoding="utf-8") as file:
            json.dump(values(qrels, run), file, indent=0, sort_keys=True)
            file.write("\n")


def check(ragctl, qrels_path, runs):
    qrels = read_qrels(qrels_path)
    metrics = ",".join(list(NAMES) + ["MRR@10"])
    for path in runs:
        out = subprocess.run([ragctl, "eval", "compare", path, path, "--qrels", qrels_path, "--metric", metrics, "--json"],
                             check=True, capture_output=True, text=True).stdout
        ours = {it["id"]: it["first"] for it in json.loads(out)["queries"]}
        theirs = values(qrels, read_run(path))
        assert ours.keys() == theirs.keys(), "other queries"
        worst = max(abs(ours[q][m] - theirs[q][m]) for q in theirs for m in theirs[q])
        print("%s: %d queries, largest difference %.1e" % (path, len(ours), worst))
        assert worst < 1e-6, path


if sys.argv[1:2] == ["make"] and len(sys.argv) == 4:
    make(*sys.argv[2:])
elif sys.argv[1:2] == ["check"] and len(sys.argv) >= 5:
    check(sys.argv[2], sys.argv[3], sys.argv[4:])
else:
    sys.exit(__doc__)
