#!/usr/bin/env python3
"""Holds models that ONNX Runtime runs against the same weights run by ragctl itself.

usage: check.py RAGCTL [MODEL_FOLDER]

RAGCTL has the cargo feature `onnx`; the Python has what requirements.txt names, among it the runtime's library. MODEL_FOLDER is a BERT
model (default: testdata/embed/tiny-bert, an embedding model and a cross-encoder at once). The model is exported, both ways of
running it embed the same folder and judge the same passages, and no score may differ by more than a fiftieth of what scores range over:
ragctl's own engine keeps weights in 8 bits. A runtime that is not there must be an error that says how to get it.
"""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import onnxruntime

ROOT = Path(__file__).resolve().parent.parent.parent
TEXTS = {
    "cats.md": "# Cats\n\nCats purr. Dogs bark.\n",
    "herons.md": "# Herons\n\nHerons fish. Cats fish and dogs fish.\n",
    "dogs.md": "# Dogs\n\nDogs bark and bark. " + "Herons purr. Cats bark. " * 40 + "\n",
}
QUERIES = ["cats purr", "herons", "dogs bark fish"]


def run(ragctl, *arguments, library=None, code=0, **options):
    env = dict(os.environ, ORT_DYLIB_PATH=str(library or LIBRARY))
    done = subprocess.run([ragctl, *map(str, arguments)], capture_output=True, text=True, env=env, **options)
    assert done.returncode == code, done
    return done


def scores(ragctl, folder, *arguments):
    """Score by document and place, for each query."""
    found = []
    for query in QUERIES:
        out = run(ragctl, "search", "--json", "-k", "50", *arguments, query, cwd=folder).stdout
        found.append({(it["document"]["uri"], it["chunk"]["sequence"]): it["score"] for it in json.loads(out)["hits"]})
    assert all(found)
    return found


def compare(what, own, other):
    assert [set(it) for it in own] == [set(it) for it in other], what
    farthest = max(abs(a[key] - b[key]) for a, b in zip(own, other) for key in a)
    spread = max(max(it.values()) - min(it.values()) for it in own)
    print(f"{what}: {sum(map(len, own))} scores over a range of {spread:.4f}, {farthest:.6f} apart at most")
    assert farthest < 0.02 * spread, what


def main():
    ragctl = os.path.abspath(sys.argv[1])
    model = Path(sys.argv[2] if len(sys.argv) > 2 else ROOT / "testdata/embed/tiny-bert").resolve()
    is_reranker = b"classifier.weight" in (model / "model.safetensors").read_bytes()[:1_000_000]
    with tempfile.TemporaryDirectory() as temp:
        temp = Path(temp)
        export = [sys.executable, ROOT / "tools/minilm/export_onnx.py", model]
        subprocess.run([*export, temp / "embedding", "embedding"], check=True)
        (temp / "docs").mkdir()
        for name, text in TEXTS.items():
            (temp / "docs" / name).write_text(text)
        for index, folder in (("own", model), ("onnx", temp / "embedding")):
            run(ragctl, "ingest", "-q", "docs", "--model", folder, "--index", index, cwd=temp)
        own, other = (scores(ragctl, temp, "--vector", "--index", index) for index in ("own", "onnx"))
        compare("embedding", own, other)
        if is_reranker:
            subprocess.run([*export, temp / "reranker"], check=True)
            options = ["--text", "--index", "own", "--rerank-budget", "60", "--rerank"]
            own, other = (scores(ragctl, temp, *options, folder) for folder in (model, temp / "reranker"))
            compare("reranking", own, other)
            refused = run(ragctl, "search", "cats", "--index", "own", "--rerank", temp / "embedding", code=2, cwd=temp)
            assert "no cross-encoder" in refused.stderr, refused.stderr
        missing = run(ragctl, "ingest", "docs", "--model", temp / "embedding", "--index", "new", code=2, library="/nowhere/libonnxruntime.so", cwd=temp)
        assert "pip install onnxruntime" in missing.stderr, missing.stderr


LIBRARY = next(Path(onnxruntime.__file__).parent.glob("capi/libonnxruntime.so*"))
main()
