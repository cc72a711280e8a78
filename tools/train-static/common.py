"""What the steps of the training share: the tokenizer with the added words, and texts as rows of token counts."""
import json
import sys
from pathlib import Path

import numpy as np
import scipy.sparse as sparse
from tokenizers import Tokenizer

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "distill"))
import distill  # noqa: E402


def tokenizer(folder, words=()):
    """BERT's tokenizer with whole words added behind its vocabulary; and the size of the vocabulary."""
    config = json.loads((folder / "tokenizer.json").read_text())
    vocabulary = config["model"]["vocab"]
    for word in words:
        vocabulary.setdefault(word, len(vocabulary))
    config["truncation"] = config["padding"] = None
    return Tokenizer.from_str(json.dumps(config)), len(vocabulary)


def counts(tokenizer, n_tokens, texts):
    """A sparse matrix, one row a text: how often it has each token. Special and unused tokens are left out."""
    ids, ends = [np.zeros(0, np.int32)], [0]
    for start in range(0, len(texts), 8192):
        for encoding in tokenizer.encode_batch(list(texts[start : start + 8192]), add_special_tokens=False):
            row = np.array(encoding.ids, np.int32)
            row = row[row >= distill.FIRST_ID]
            ids.append(row)
            ends.append(ends[-1] + len(row))
    matrix = sparse.csr_matrix((np.ones(ends[-1], np.float32), np.concatenate(ids), ends), shape=(len(texts), n_tokens))
    matrix.sum_duplicates()
    return matrix


def unit(rows):
    return rows / np.maximum(1e-9, np.linalg.norm(rows, axis=1, keepdims=True))


def pairs(path):
    with open(path, encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)
