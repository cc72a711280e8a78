#!/usr/bin/env python3
"""Identifiers, error codes, options, versions and sentences with one known answer each: are they at rank 1?

usage: needles.py RAGCTL NEEDLES_FOLDER

NEEDLES_FOLDER holds docs/ and needles.jsonl (query, kind, doc, contains, docs_with_query, matches). Prints, for text and
hybrid mode, how many queries have a passage of the right file at rank 1, and how many the passage with the right text, with what
stands there instead; and whether the regular expressions match as often as they should.
"""
import json
import os
import re
import subprocess
import sys
import tempfile


def plain(text):
    """Without Markdown's marks, links and line ends."""
    text = re.sub(r"\(#[^)]*\)", "", text)
    return re.sub(r"\s+", " ", re.sub(r"[`*_\\\[\]]", "", text)).strip().lower()


def main():
    ragctl, folder = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    with open(os.path.join(folder, "needles.jsonl"), encoding="utf-8") as file:
        needles = [json.loads(line) for line in file]
    with tempfile.TemporaryDirectory() as temp:
        index = os.path.join(temp, "index")
        subprocess.run([ragctl, "ingest", "--quiet", os.path.join(folder, "docs"), "--index", index], check=True)

        def search(*args):
            command = [ragctl, "search", "--quiet", "--index", index, *args]
            return subprocess.run(command, check=False, capture_output=True, text=True).stdout

        for mode in ("text", "hybrid"):
            n_files = n_right = n_all = 0
            for needle in needles:
                if needle["kind"] == "regexp":
                    continue
                n_all += 1
                hits = json.loads(search("--" + mode, "--json", "-k", "1", "--", needle["query"]))["hits"]
                is_file = any(hit["document"]["uri"].rsplit("/", 1)[-1] == needle["doc"] for hit in hits)
                is_right = is_file and plain(needle["contains"]) in plain(hits[0]["text"])
                n_files += is_file
                n_right += is_right
                if not is_right:
                    first = hits[0]["document"]["uri"].rsplit("/", 1)[-1] + " > " + " > ".join(hits[0]["section"]["path"]) if hits else "nothing"
                    print("%s: %r (in %d documents) finds %s" % (mode, needle["query"], needle["docs_with_query"], first))
            print("%s: %d queries, at rank 1 the right file %d times, the right passage %d times" % (mode, n_all, n_files, n_right))
        for needle in needles:
            if needle["kind"] == "regexp":
                counts = search("--regex", "--count", "--json", "--", needle["query"].strip("/"))
                n = sum(it["matches"] for it in json.loads(counts)["documents"] if it["document"]["uri"].endswith(needle["doc"]))
                print("%s: %d matches, %d wanted" % (needle["query"], n, needle["matches"]))


main()
