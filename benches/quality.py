#!/usr/bin/env python3
"""Retrieval quality of ragctl on labelled sets.

usage: quality.py RAGCTL IR_FOLDER [SET ...]     (default: scifact cranfield adi anthropic-docs xquad/en)

IR_FOLDER holds expand.py, evaluate.py and the sets. Each document becomes one Markdown file; a document's rank is that of its
best chunk among the best 200 chunks. Prints nDCG@10 and R@100.
"""
import json
import os
import subprocess
import sys
import tempfile


def names(folder):
    """From the file that expand.py writes to the document's own id."""
    import gzip, re
    with gzip.open(os.path.join(folder, "corpus.jsonl.gz"), "rt", encoding="utf-8") as file:
        ids = [json.loads(line)["_id"] for line in file]
    return {re.sub(r"[^A-Za-z0-9._-]", "_", it) + ".md": it for it in ids}


def main():
    ragctl, ir = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    sets = sys.argv[3:] or ["scifact", "cranfield", "adi", "anthropic-docs", "xquad/en"]
    print("%-16s %-8s %8s %8s" % ("set", "mode", "nDCG@10", "R@100"))
    for name in sets:
        folder = os.path.join(ir, name)
        with tempfile.TemporaryDirectory() as temp:
            docs, index = os.path.join(temp, "docs"), os.path.join(temp, "index")
            subprocess.run([sys.executable, os.path.join(ir, "expand.py"), folder, docs], check=True, stdout=subprocess.DEVNULL)
            subprocess.run([ragctl, "ingest", "--quiet", docs, "--index", index], check=True)
            ids = names(folder)
            with open(os.path.join(folder, "queries.jsonl"), encoding="utf-8") as file:
                queries = [json.loads(line) for line in file]
            for mode in ("text", "vector", "hybrid"):
                run = os.path.join(temp, mode + ".tsv")
                with open(run, "w", encoding="utf-8") as out:
                    for query in queries:
                        found = subprocess.run(
                            [ragctl, "search", "--" + mode, "--jsonl", "--no-text", "-k", "200", "--quiet", "--index", index,
                             "--", query["text"]],
                            check=False, capture_output=True, text=True)
                        for line in found.stdout.splitlines():
                            uri = json.loads(line)["document"]["uri"]
                            out.write("%s\t%s\n" % (query["_id"], ids[uri.rsplit("/", 1)[-1]]))
                result = subprocess.run([sys.executable, os.path.join(ir, "evaluate.py"), folder, run],
                                        check=True, capture_output=True, text=True).stdout
                scores = dict(line.split("\t") for line in result.splitlines())
                print("%-16s %-8s %8s %8s" % (name, mode, scores["nDCG@10"], scores["R@100"]), flush=True)


main()
