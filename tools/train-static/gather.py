#!/usr/bin/env python3
"""Gathers the training text: pairs of a short text and a passage that answers it.

usage: gather.py PACKAGES PAIRS.jsonl

PACKAGES holds the unpacked packages that README.md names, one folder each. Writes one JSON object a line: source, head (a label,
synonym, heading or title) and text (its definition or section). Nothing of the sets under evaluation is in these packages.
"""
import io
import json
import re
import sqlite3
import sys
from pathlib import Path

import lxml.html
import zstandard

# A passage is cut at a sentence's end behind so many characters; a section yields at most so many passages.
PASSAGE_CHARS, PASSAGES = 600, 4
# Passages of fewer characters say too little.
MIN_CHARS = 40
# Ontologies of the package cellxgene-ontology-guide, and the largest share of their labels that repeats a pattern.
ONTOLOGIES = ["CL", "MONDO", "UBERON", "PATO", "EFO", "CHEBI"]
# Documentation in HTML: packages under permissive licences, and the most sections taken from one.
HTML_PACKAGES = [
    "apache2-doc", "bind9-doc", "libboost1.74-doc", "libreoffice-help-en-us", "nodejs-doc", "postgresql-doc-15", "python-astropy-doc",
    "python-biopython-doc", "python-django-doc", "python-pandas-doc", "python-scipy-doc", "python-sklearn-doc", "python-skimage-doc",
    "python-sqlalchemy-doc", "python-statsmodels-doc", "python-sympy-doc", "python3.11-doc",
]
SECTIONS_A_PACKAGE = 6000
# Words that English texts do not have; apache2-doc comes in nine languages.
FOREIGN = re.compile(r"\b(le|la|des|une|les|ist|der|und|para|los|que|ve|bir)\b")
SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9\"(])")


def squeeze(text):
    return re.sub(r"\s+", " ", text).strip()


def is_prose(text):
    """English, mostly letters and spaces: no tables, signatures or code."""
    return sum(c.isalpha() or c == " " for c in text) > 0.85 * len(text) and len(FOREIGN.findall(text)) <= 2


def passages(text):
    """Cuts a text at sentence ends into pieces of about PASSAGE_CHARS."""
    piece = ""
    for sentence in SENTENCE_END.split(text):
        piece = f"{piece} {sentence}".strip()
        if len(piece) >= PASSAGE_CHARS:
            yield piece
            piece = ""
    if piece:
        yield piece


def gene_ontology(root):
    """GO terms and synonyms with their definitions (CC BY 4.0)."""
    base = sqlite3.connect(next(root.rglob("GO.sqlite")))
    synonyms = {}
    for term, synonym in base.execute("select _id, synonym from go_synonym where synonym not like 'GO:%'"):
        synonyms.setdefault(term, []).append(synonym)
    for number, term, text in base.execute("select _id, term, definition from go_term"):
        for head in [term, *synonyms.get(number, [])[:2]]:
            yield head, text


def cell_guide(root, name):
    """Labels and synonyms of one ontology with their descriptions; the newest file there is."""
    path = sorted(root.rglob(f"{name}-ontology-*.json.zst"))[-1]
    terms = json.load(io.TextIOWrapper(zstandard.ZstdDecompressor().stream_reader(path.open("rb")), "utf-8"))
    for term in terms.values():
        text = term.get("description")
        if text and not term.get("deprecated"):
            synonyms = [it for it in term.get("synonyms", []) if it.lower() != term["label"].lower()]
            for head in [term["label"], *synonyms[:2]]:
                yield head, text


def wordnet(root):
    """Words of a synset with its gloss."""
    for part in ("noun", "verb", "adj", "adv"):
        for line in next(root.rglob(f"data.{part}")).read_text(encoding="latin-1").splitlines():
            if line.startswith("  "):
                continue
            fields, gloss = line.split(" | ", 1)
            fields = fields.split()
            words = [fields[4 + 2 * at].split("(")[0].replace("_", " ") for at in range(int(fields[3], 16))]
            yield ", ".join(words[:3]), gloss


def dictd(root, name):
    """Entries of a dictionary in dictd's form: the headword is the first line."""
    import gzip

    data = gzip.decompress(next(root.rglob(f"{name}.dict.dz")).read_bytes())
    digits = {c: v for v, c in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")}

    def number(text):
        value = 0
        for c in text:
            value = value * 64 + digits[c]
        return value

    seen = set()
    for line in next(root.rglob(f"{name}.index")).read_text(encoding="utf-8", errors="replace").splitlines():
        head, start, length = line.split("\t")[:3]
        if head.startswith("00") or start in seen:
            continue
        seen.add(start)
        text = data[number(start) : number(start) + number(length)].decode("utf-8", "replace")
        yield head, text.partition("\n")[2]


def re3data(root):
    """Names of research data repositories with their descriptions (CC BY 4.0), and of registries (CC0)."""
    for path in (root.rglob("re3data/processed.json"), root.rglob("integbio/processed.json"), root.rglob("data/bioregistry.json")):
        for entry in json.loads(next(path).read_text(encoding="utf-8")).values():
            if isinstance(entry, dict) and entry.get("name") and entry.get("description"):
                yield entry["name"], entry["description"]


def html_sections(path):
    """Headings with the prose up to the next one; a heading is led by the page's title where it has one."""
    try:
        tree = lxml.html.fromstring(path.read_bytes())
    except (lxml.etree.ParserError, ValueError):
        return
    for bad in tree.xpath("//script|//style|//nav|//footer|//pre|//table|//dt|//code[ancestor::pre]"):
        bad.drop_tree()
    title = squeeze((tree.findtext(".//title") or "").split("—")[0])
    head, parts = None, []
    for element in tree.iter("h1", "h2", "h3", "h4", "p", "li"):
        if element.tag[0] == "h":
            if head:
                yield head, " ".join(parts)
            head, parts = squeeze(element.text_content()).rstrip("¶#").strip(), []
            head = re.sub(r"^[\d.]+\s*", "", head)
            if element.tag in ("h3", "h4") or len(head.split()) < 2:
                head = f"{title}: {head}" if title and title != head else head
        elif head and not (element.tag == "li" and element.find(".//p") is not None):
            text = squeeze(element.text_content()).replace("¶", "")
            if len(text) >= MIN_CHARS:
                parts.append(text)
    if head:
        yield head, " ".join(parts)


def documentation(root):
    n = 0
    for path in sorted(root.rglob("*.htm*")):
        if path.is_symlink() or not path.is_file() or re.search(r"genindex|search\.html|whatsnew|changelog|release", str(path)):
            continue
        for head, text in html_sections(path):
            if len(text) >= MIN_CHARS and 3 <= len(head) <= 120:
                yield head, text
                n += 1
                if n >= SECTIONS_A_PACKAGE:
                    return


def sources(root):
    yield "go", gene_ontology(root / "r-bioc-go.db")
    for name in ONTOLOGIES:
        yield name.lower(), cell_guide(root / "cellxgene-ontology-guide", name)
    yield "wordnet", wordnet(root / "wordnet-base")
    yield "re3data", re3data(root / "bioregistry")
    for name in ("jargon", "elements"):
        yield name, dictd(root / f"dict-{name}", name)
    for name in HTML_PACKAGES:
        if (root / name).is_dir():
            yield name, documentation(root / name)


def main():
    root, output = Path(sys.argv[1]), Path(sys.argv[2])
    seen = set()
    with output.open("w", encoding="utf-8") as out:
        for source, pairs in sources(root):
            n = 0
            for head, text in pairs:
                head, text = squeeze(head or ""), squeeze(text or "")
                if not head:
                    continue
                if len(text) < MIN_CHARS and source != "wordnet":
                    continue
                for piece in list(passages(text))[:PASSAGES]:
                    key = (head.lower(), piece.lower())
                    if key in seen or not is_prose(piece) or len(piece) < 15:
                        continue
                    seen.add(key)
                    out.write(json.dumps({"source": source, "head": head, "text": piece}, ensure_ascii=False) + "\n")
                    n += 1
            print(f"{source}: {n} pairs", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
