#!/usr/bin/env python3
"""Holds models that ONNX Runtime runs against the same weights run by ragctl itself.

usage: check.py RAGCTL [MODEL_FOLDER]

RAGCTL has the cargo feature `onnx`; the Python has what requirements.txt names, among it the runtime's library. MODEL_FOLDER is a BERT
model (default: testdata/embed/tiny-bert, an embedding model and a cross-encoder at once). The model is exported, both ways of
running it embed the same folder and judge the same passages, and no score may differ by more than a fiftieth of what scores range over:
ragctl's own engine keeps weights in 10 bits. A runtime that is not there must be an error that says how to get it.

The weights of tokens that a sparse model (testdata/embed/tiny-splade) gives are held against those that the runtime and NumPy give without
ragctl; the same model under the names of DistilBERT must give the same bytes. The vectors of static models are held against those of
model2vec, which wrote their folders.
"""
import json
import os
import re
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import onnxruntime
from model2vec import StaticModel
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.normalizers import Lowercase
from tokenizers.pre_tokenizers import BertPreTokenizer

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools/distill"))
import distill  # noqa: E402

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


def kept_vectors(index):
    """The weights of tokens that an index keeps, by text."""
    database = sqlite3.connect(index / "ragctl.db")
    rows = database.execute(
        "SELECT before || urtext || coalesce(after, ''), vector FROM chunk JOIN embedding USING (text_hash)"
        " JOIN model ON model.fingerprint = embedding.model WHERE kind = 'sparse'"
    )
    return {text: dict(struct.iter_unpack("<If", blob)) for text, blob in rows}


def weights_by_hand(session, words, text):
    """SPLADE's weights of a text of whole words: log(1 + relu(logit)), the largest over the tokens."""
    ids = [words.index(it) if it in words else words.index("[UNK]") for it in re.findall(r"\w+|[^\w\s]", text.lower())]
    ids = [words.index("[CLS]"), *ids[:62], words.index("[SEP]")]
    inputs = {"input_ids": ids, "attention_mask": [1] * len(ids), "token_type_ids": [0] * len(ids)}
    (logits,) = session.run(["logits"], {name: np.array([values], np.int64) for name, values in inputs.items()})
    return np.log1p(np.maximum(logits[0], 0)).max(axis=0)


def as_distilbert(folder, to):
    """The same model under DistilBERT's names, which has no types of tokens: type 0 goes into the positions."""
    shutil.copytree(folder, to)
    tensors = distill.read_safetensors(folder / "model.safetensors")
    (of_type, *_), position = tensors.pop("embeddings.token_type_embeddings.weight"), "embeddings.position_embeddings.weight"
    tensors[position] = tensors[position] + of_type
    names = {
        "attention.self.query": "attention.q_lin", "attention.self.key": "attention.k_lin", "attention.self.value": "attention.v_lin",
        "attention.output.dense": "attention.out_lin", "attention.output.LayerNorm": "sa_layer_norm", "intermediate.dense": "ffn.lin1",
        "output.dense": "ffn.lin2", "output.LayerNorm": "output_layer_norm", "cls.predictions.transform.dense": "vocab_transform",
        "cls.predictions.transform.LayerNorm": "vocab_layer_norm", "cls.predictions.bias": "vocab_projector.bias",
        "encoder.layer": "transformer.layer"}
    header, data = {}, b""
    for name, values in tensors.items():
        for part, other in names.items():
            name = name.replace(part, other)
        name = name if name.startswith("vocab_") else "distilbert." + name
        raw = values.astype("<f4").tobytes()
        header[name] = {"dtype": "F32", "shape": values.shape, "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    (to / "model.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + data)
    config = json.loads((folder / "config.json").read_text())
    keys = {"hidden_size": "dim", "intermediate_size": "hidden_dim", "num_hidden_layers": "n_layers", "num_attention_heads": "n_heads", "hidden_act": "activation"}
    config = {keys.get(key, key): value for key, value in config.items()} | {"model_type": "distilbert"}
    (to / "config.json").write_text(json.dumps(config))


def check_sparse(ragctl, temp, export):
    model = ROOT / "testdata/embed/tiny-splade"
    subprocess.run([*export[:2], model, temp / "sparse-onnx"], check=True)
    as_distilbert(model, temp / "sparse-distilbert")
    folders = {"sparse-own": model, "sparse-by-onnx": temp / "sparse-onnx", "sparse-by-distilbert": temp / "sparse-distilbert"}
    for index, folder in folders.items():
        run(ragctl, "ingest", "-q", "docs", "--model", folder, "--transform", "none", "--index", index, cwd=temp)
        run(ragctl, "verify", "--index", index, cwd=temp)
    compare("sparse embedding", *(scores(ragctl, temp, "--vector", "--index", index) for index in ("sparse-own", "sparse-by-onnx")))
    own, onnx, distilbert = (kept_vectors(temp / index) for index in folders)
    assert own == distilbert
    session = onnxruntime.InferenceSession(temp / "sparse-onnx/model.onnx")
    words = (model / "vocab.txt").read_text().split()
    for name, kept, tolerance in (("own engine", own, 0.01), ("runtime", onnx, 1e-5)):
        farthest = 0
        for text, weights in kept.items():
            expected = weights_by_hand(session, words, text)
            found = np.array([weights.get(token, 0) for token in range(len(words))])
            farthest = max(farthest, abs(found - expected).max())
        print(f"sparse weights, {name} against NumPy: {len(kept)} texts, largest {expected.max():.4f}, {farthest:.6f} apart at most")
        assert kept and farthest < tolerance, name
    refused = run(ragctl, "ingest", "docs", "--model", dense_as_sparse(temp), "--index", "new", code=2, cwd=temp)
    assert "fill-mask" in refused.stderr, refused.stderr


def static_models(temp):
    """Static models as their own library writes them: folder and model."""
    words = ["[UNK]", "cats", "purr", "dogs", "bark", "herons", "fish", ".", "and", "#"]
    tokenizer = Tokenizer(WordLevel({word: at for at, word in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.normalizer, tokenizer.pre_tokenizer = Lowercase(), BertPreTokenizer()
    draw = np.random.default_rng(1)
    vectors = draw.normal(size=(len(words), 7)).astype(np.float32)
    weights, mapping = draw.uniform(0.1, 2, len(words)), draw.integers(0, 4, len(words))
    options = {
        "static": {},
        "static-half": {"vectors": vectors.astype(np.float16)},
        "static-int8": {"vectors": np.rint(vectors * 40).astype(np.int8)},
        "static-mapped": {"vectors": vectors[:4], "weights": weights, "token_mapping": mapping},
    }
    for name, changes in options.items():
        model = StaticModel(**({"vectors": vectors, "tokenizer": tokenizer, "normalize": True, "max_length": None} | changes))
        model.save_pretrained(temp / name)
        yield temp / name, model
    # Folders without what sentence-transformers needs are model2vec's older ones.
    old = shutil.copytree(temp / "static", temp / "static-old")
    (old / "modules.json").unlink()
    config = json.loads((old / "config.json").read_text()) | {"model_type": "model2vec"}
    (old / "config.json").write_text(json.dumps(config))
    yield old, StaticModel.from_pretrained(temp / "static", force_download=False)


def check_static(ragctl, temp):
    for folder, model in static_models(temp):
        index = temp / ("index-" + folder.name)
        run(ragctl, "ingest", "-q", "docs", "--model", folder, "--transform", "none", "--index", index, cwd=temp)
        rows = sqlite3.connect(index / "ragctl.db").execute(
            "SELECT before || urtext || coalesce(after, ''), vector FROM chunk JOIN embedding USING (text_hash)"
        )
        farthest, n = 0, 0
        for n, (text, blob) in enumerate(rows, 1):
            expected = model.encode(text).astype(np.float64)
            found = np.frombuffer(blob, "<f4")
            farthest = max(farthest, abs(found - expected / np.linalg.norm(expected)).max())
        print(f"{folder.name}: {n} texts, {farthest:.7f} apart from model2vec at most")
        assert n > 2 and farthest < (1e-3 if folder.name == "static-half" else 1e-5)


def dense_as_sparse(temp):
    """An ONNX folder that says that it is sparse, and gives no logits."""
    folder = shutil.copytree(temp / "embedding", temp / "dense-as-sparse")
    config = json.loads((folder / "config.json").read_text()) | {"architectures": ["BertForMaskedLM"]}
    (folder / "config.json").write_text(json.dumps(config))
    return folder


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
        check_sparse(ragctl, temp, export)
        check_static(ragctl, temp)
        missing = run(ragctl, "ingest", "docs", "--model", temp / "embedding", "--index", "new", code=2, library="/nowhere/libonnxruntime.so", cwd=temp)
        assert "pip install onnxruntime" in missing.stderr, missing.stderr
        # The option beats the variable, and what it names is the only place that is looked at.
        found = run(ragctl, "doctor", "--ort-lib", LIBRARY, "--index", "own", library="/nowhere/libonnxruntime.so", cwd=temp)
        assert str(LIBRARY) in found.stdout, found.stdout
        missing = run(ragctl, "doctor", "--ort-lib", "/nowhere/libonnxruntime.so", "--index", "own", cwd=temp)
        assert str(LIBRARY) not in missing.stdout and "/nowhere" in missing.stdout, missing.stdout


LIBRARY = next(Path(onnxruntime.__file__).parent.glob("capi/libonnxruntime.so*"))
main()
