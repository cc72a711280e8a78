#!/usr/bin/env python3
"""Known-item search at scale: headings as queries, the sections that they open as answers.

usage: known_item.py RAGCTL FOLDER [--sample N] [--modes text,vector,hybrid]

Ingests FOLDER into a temporary index. A query is the heading of a section that has text of its own. `unique` are headings of two
words or more that only one section has, as they stand; `repeated` are headings that several sections have ("Options",
"Notes"), with the title of their document in front, where the two together are unique. A fixed sample of each is asked; a hit
counts when its section is the one that the heading opens. Prints MRR@10 and success@1 of `ragctl eval run --id-from section`.
"""
import argparse
import collections
import json
import os
import random
import re
import subprocess
import tempfile


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ragctl")
    parser.add_argument("folder")
    parser.add_argument("--sample", type=int, default=500)
    parser.add_argument("--modes", default="text,vector,hybrid")
    args = parser.parse_args()
    ragctl = os.path.abspath(args.ragctl)
    with tempfile.TemporaryDirectory() as temp:
        run = lambda *arguments: subprocess.run(
            [ragctl, *arguments, "--index", os.path.join(temp, "index")], check=False, capture_output=True, text=True)
        done = run("ingest", args.folder)
        print(done.stderr.strip().splitlines()[-1])
        sections = json.loads(run("sections", "--json").stdout)["sections"]
        bare = lambda title: re.sub(r"^[\d.]+\s+|^(Chapter|Part|Appendix) [\w.]+\s+", "", " ".join(title.split()))
        asked = [(bare(it["title"]), it) for it in sections if it["chunks"] and it["level"] > 0 and bare(it["title"])]
        by_title = collections.Counter(title.casefold() for title, _ in asked)
        unique = [(title, it["id"]) for title, it in asked if by_title[title.casefold()] == 1 and len(title.split()) > 1]
        full = [("%s: %s" % (bare(it["document"]["title"]), title), it["id"]) for title, it in asked if by_title[title.casefold()] > 1]
        by_full = collections.Counter(title.casefold() for title, _ in full)
        repeated = [(title, id) for title, id in full if by_full[title.casefold()] == 1]
        print("%d sections with text, %d unique headings, %d repeated ones" % (len(asked), len(unique), len(repeated)))
        for name, queries in (("unique", unique), ("repeated", repeated)):
            queries = random.Random(5).sample(queries, min(args.sample, len(queries)))
            paths = [os.path.join(temp, it) for it in ("queries.jsonl", "qrels.tsv")]
            with open(paths[0], "w", encoding="utf-8") as file:
                file.writelines(json.dumps({"_id": id, "text": title}) + "\n" for title, id in queries)
            with open(paths[1], "w", encoding="utf-8") as file:
                file.writelines("%s\t%s\t1\n" % (id, id) for _, id in queries)
            print("\n%s headings" % name)
            done = run("eval", "run", "--queries", paths[0], "--qrels", paths[1], "--id-from", "section", "--mode", args.modes,
                       "-k", "10", "--metric", "MRR@10,success@1,recall@10")
            print(done.stdout.rstrip() or done.stderr)


main()
