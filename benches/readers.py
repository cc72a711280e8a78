#!/usr/bin/env python3
"""What the readers make of a corpus, and how fast, beside a peer in the same run.

usage: readers.py RAGCTL [--corpora FOLDER] [--speed FOLDER] [--markitdown PYTHON]

--corpora     folder with {markdown,html,pdf}/manifest.json (default: tests/corpora)
--speed       folder whose files are ingested and read format by format (default: the corpora)
--markitdown  a Python that has the package markitdown, the peer for HTML, office files and e-books; pdftotext is the peer
              for PDF

Quality is asserted by `cargo test --test corpora`; this prints it as a table for people. Headings: those expected that are
sections, and sections that are expected headings. First texts, titles: as the manifest has them. F1: words against pdftotext.
"""
import argparse
import collections
import glob
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import unicodedata


def letters(text):
    return "".join(c for c in unicodedata.normalize("NFKC", text).lower() if c.isalnum())


def title_key(text):
    return letters(re.sub(r"\{#[^}]*\}$", "", text.strip()))


def words(text):
    text = unicodedata.normalize("NFKC", text)
    text = re.sub("[\u200e\u200f\u202a-\u202e]", "", re.sub(r"(\w)-\n(?=[a-z])", r"\1", text)).lower()
    # Extractors differ on the direction of Hebrew and Arabic.
    return ["".join(sorted(it)) if re.search("[\u0590-\u08ff]", it) else it for it in re.findall(r"\w+", text)]


def common(a, b):
    return sum((collections.Counter(a) & collections.Counter(b)).values())


def read(ragctl, path, case):
    command = [ragctl, "read", "--json", path]
    if case.get("password"):
        command += ["--password", case["password"]]
    process = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL)
    return json.loads(process.stdout) if process.returncode == 0 else None


def wanted_headings(case, name):
    found = case.get("headings", [])
    if name == "html":
        content = "main" if any(it.get("in") == "main" for it in found) else "body"
        found = [it for it in found if it.get("in", "main") == content and letters(it["text"])]
    return [(it["level"], title_key(it["text"])) for it in found if not it.get("nested_in_block")]


def quality(ragctl, corpora):
    print("| format | files | headings found | sections that are headings | titles | first texts |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name in ["markdown", "html"]:
        folder = os.path.join(corpora, name)
        n = collections.Counter()
        for case in json.load(open(os.path.join(folder, "manifest.json"))):
            document = read(ragctl, os.path.join(folder, "files", case["file"]), case)
            n["files"] += 1
            given = [(it["level"], title_key(it["title"])) for it in document["sections"] if it["level"]]
            wanted = wanted_headings(case, name)
            n["wanted"] += len(wanted)
            n["given"] += len(given)
            n["hits"] += common(wanted, given)
            title = case.get("front_matter_title") or case.get("title")
            n["titles"] += title is not None
            n["right titles"] += title is not None and document["title"] == title
            text = letters(re.sub(r"\]\([^)]*\)", "]", document["text"]))
            n["first"] += 1
            n["right first"] += all(letters(it) in text for it in case.get("first_text", "").split(". "))
        print("| %s | %d | %d of %d | %d of %d | %d of %d | %d of %d |" % (
            name, n["files"], n["hits"], n["wanted"], n["hits"], n["given"], n["right titles"], n["titles"],
            n["right first"], n["first"]))
    print()
    folder = os.path.join(corpora, "pdf")
    scores, refused, warned = [], 0, 0
    n = collections.Counter()
    for case in json.load(open(os.path.join(folder, "manifest.json"))):
        document = read(ragctl, os.path.join(folder, "files", case["file"]), case)
        if document is None:
            refused += 1
            assert not case["opens"], case["file"]
            continue
        warns = any(it["kind"] != "dropped" for it in document["warnings"])
        warned += warns
        given = [title_key(it["title"]) for it in document["sections"] if it["level"]]
        outline = [title_key(it["title"]) for it in case.get("outline", [])]
        n["outline"] += len(outline)
        n["outline hits"] += common(outline, given)
        tags = [title_key(it["text"]) for it in case.get("tag_headings", [])]
        n["tags"] += len(tags)
        n["tag hits"] += common(map(sorted_key, tags), map(sorted_key, given))
        if case.get("reference_text"):
            given, wanted = words(document["text"]), words(open(os.path.join(folder, case["reference_text"])).read())
            n_words = len(given) + len(wanted)
            score = 2 * common(given, wanted) / n_words if n_words else 1.0
            scores.append((score, case["file"], warns))
    scores.sort()
    print("PDF: %d files read, %d refused, %d with warnings" % (len(scores), refused, warned))
    print("F1 of words against pdftotext: mean %.3f; lowest: %s" % (
        sum(it[0] for it in scores) / len(scores),
        ", ".join("%s %.3f%s" % (file, score, " (warns)" if warns else "") for score, file, warns in scores[:4])))
    print("outline titles that are sections: %d of %d; tagged headings: %d of %d" % (
        n["outline hits"], n["outline"], n["tag hits"], n["tags"]))


def sorted_key(text):
    return "".join(sorted(text))


def timed(command):
    """Wall and CPU seconds of a process and its children, and its output."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    process = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, process.stdout


MARKITDOWN = """
import sys, time
from markitdown import MarkItDown
converter = MarkItDown()
for path in sys.stdin:
    start = time.process_time()
    try:
        converter.convert(path.rstrip(chr(10))).text_content
        print(time.process_time() - start, flush=True)
    except Exception as error:
        print("refused", type(error).__name__, flush=True)
"""

FORMATS = [
    ("Markdown", ("md", "mdx"), None), ("HTML", ("html", "htm"), "markitdown"), ("PDF", ("pdf",), "pdftotext"),
    ("DOCX", ("docx",), "markitdown"), ("PPTX", ("pptx",), "markitdown"), ("XLSX", ("xlsx",), "markitdown"),
    ("EPUB", ("epub",), "markitdown"),
]
ROUNDS = 3


class Markitdown:
    """One process for all files, started and warm before the first is timed."""

    name = "markitdown"

    def __init__(self, python):
        self.process = subprocess.Popen(
            [python, "-c", MARKITDOWN], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def seconds(self, path):
        """CPU seconds for one file, None where it is refused."""
        self.process.stdin.write(path + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        return None if answer.startswith("refused") else float(answer)


class Pdftotext:
    """A process a file, its start counted."""

    name = "pdftotext"

    def seconds(self, path):
        wall, cpu, out = timed(["pdftotext", path, "-"])
        return cpu


def compare(ragctl, peer, files):
    """CPU seconds of both, summed over the files that both read, and the median of the ratios file by file.

    The two take turns, so that a busy machine is as slow for one as for the other; of ROUNDS times the median counts.
    """
    middle = lambda times: sorted(times)[len(times) // 2]
    ours, theirs, ratios = 0.0, 0.0, []
    for path in files:
        pairs = [(timed([ragctl, "read", "--text", path])[1:], peer.seconds(path)) for _ in range(ROUNDS)]
        if any(it[1] is None or not it[0][1] for it in pairs):
            continue
        mine, other = middle([it[0][0] for it in pairs]), middle([it[1] for it in pairs])
        ours, theirs = ours + mine, theirs + other
        ratios.append(other / mine)
    return ours, theirs, len(ratios), middle(ratios) if ratios else float("nan")


def speed(ragctl, folder, markitdown):
    peers = {"markitdown": Markitdown(markitdown)} if markitdown else {}
    if shutil.which("pdftotext"):
        peers["pdftotext"] = Pdftotext()
    print()
    print("| format | files | MB | ragctl ingest: wall, CPU | read by both | ragctl read, CPU | peer, CPU | peer / ragctl, sum | median |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for name, extensions, peer in FORMATS:
        files = sorted(
            path for it in extensions for path in glob.glob(os.path.join(folder, "**", "*." + it), recursive=True)
            if os.path.isfile(path))
        if not files:
            continue
        megabytes = sum(map(os.path.getsize, files)) / 1e6
        with tempfile.TemporaryDirectory() as temp:
            docs = os.path.join(temp, "docs")
            os.mkdir(docs)
            copies = [os.path.join(docs, "%05d-%s" % (at, os.path.basename(it))) for at, it in enumerate(files)]
            for path, copy in zip(files, copies):
                shutil.copyfile(path, copy)
            index = os.path.join(temp, "index")
            wall, cpu, _ = timed([ragctl, "ingest", "--quiet", "--index", index, docs])
            row = "| %s | %d | %.1f | %.2f s, %.2f s | " % (name, len(files), megabytes, wall, cpu)
            if peers.get(peer):
                ours, theirs, n_both, ratio = compare(ragctl, peers[peer], copies)
                row += "%d | %.2f s | %s %.2f s | %.2f | %.2f |" % (n_both, ours, peer, theirs, theirs / ours, ratio)
            else:
                row += "| %.2f s | - | | |" % sum(timed([ragctl, "read", "--text", it])[1] for it in copies)
            print(row, flush=True)


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("ragctl")
    arguments.add_argument("--corpora", default=os.path.join(here, "..", "tests", "corpora"))
    arguments.add_argument("--speed")
    arguments.add_argument("--markitdown")
    options = arguments.parse_args()
    ragctl = os.path.abspath(options.ragctl)
    quality(ragctl, options.corpora)
    speed(ragctl, options.speed or options.corpora, options.markitdown)
    sys.stdout.flush()


main()
