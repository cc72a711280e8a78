#!/usr/bin/env python3
"""Writes the models of testdata/embed that are small enough to be read by eye, for tests of folders and hubs. Needs nothing but Python.

- tiny-bert: BERT of one layer and ten words with random weights. It has a classifier with one output, so that it is an embedding model
  and a cross-encoder at once.
- tiny-splade: the same with the head of a masked language model, as sentence-transformers writes sparse models.
- word-splade: DistilBERT with weights set by hand: a text has weights of its own words, and less of those that RELATED names. What a
  trained sparse model does, in small. A folder as transformers writes it.
- word-splade-doc: the same weights, with a second logarithm, and queries that need no model: a router of sentence-transformers.
"""
import json
import random
import struct
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent / "testdata/embed"
WIDTH, INNER, WORDS = 16, 32, ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "cats", "purr", "dogs", "bark", "herons", "fish", ".", "##s"]
POSITIONS = 64
CONFIG = {
    "model_type": "bert",
    "hidden_size": WIDTH,
    "intermediate_size": INNER,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "max_position_embeddings": POSITIONS,
    "vocab_size": len(WORDS),
    "hidden_act": "gelu",
    "layer_norm_eps": 1e-12,
}
SPLADE_MODULES = [
    {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.sparse_encoder.models.MLMTransformer"},
    {"idx": 1, "name": "1", "path": "1_SpladePooling", "type": "sentence_transformers.sparse_encoder.models.SpladePooling"},
]
ROUTER_MODULES = [{"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Router"}]
ROUTES = {
    "types": {
        "query_0_SparseStaticEmbedding": "sentence_transformers.sparse_encoder.models.SparseStaticEmbedding.SparseStaticEmbedding",
        "": "sentence_transformers.sparse_encoder.models.MLMTransformer.MLMTransformer",
        "document_1_SpladePooling": "sentence_transformers.sparse_encoder.models.SpladePooling.SpladePooling",
    },
    "structure": {"query": ["query_0_SparseStaticEmbedding"], "document": ["", "document_1_SpladePooling"]},
    "parameters": {"default_route": "document", "allow_empty_key": True},
}

# Words, and what each of them makes a text about as well.
RELATED = {
    "kitten": ["cat"],
    "cat": ["animal"],
    "dog": ["animal"],
    "puppy": ["dog"],
    "heron": ["bird"],
    "bird": ["animal"],
    "bread": ["food"],
    "fish": ["animal", "food"],
    "bake": ["bread"],
}
PLAIN = ["animal", "food", "oven", "sleeps", "hunts", "the", "a", "in", "and", "is"]


def write_safetensors(path, arrays):
    """Arrays of f32 by name, each as shape and values."""
    header, data = {}, b""
    for name, (shape, values) in arrays.items():
        raw = struct.pack(f"<{len(values)}f", *values)
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def write_json(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=1) + "\n")


def random_bert(prefix, heads):
    """Weights of a BERT model with these dense layers and normalisations on top, by name."""
    shapes = {
        prefix + "embeddings.word_embeddings.weight": [len(WORDS), WIDTH],
        prefix + "embeddings.position_embeddings.weight": [POSITIONS, WIDTH],
        prefix + "embeddings.token_type_embeddings.weight": [2, WIDTH],
    }

    def dense(name, rows, columns):
        shapes[name + ".weight"], shapes[name + ".bias"] = [rows, columns], [rows]

    layer = prefix + "encoder.layer.0."
    for part in ("query", "key", "value"):
        dense(f"{layer}attention.self.{part}", WIDTH, WIDTH)
    dense(layer + "attention.output.dense", WIDTH, WIDTH)
    dense(layer + "intermediate.dense", INNER, WIDTH)
    dense(layer + "output.dense", WIDTH, INNER)
    norms = [prefix + "embeddings.LayerNorm", layer + "attention.output.LayerNorm", layer + "output.LayerNorm"]
    for name, rows in heads.items():
        if rows is None:
            norms.append(name)
        elif name.endswith(".bias"):
            shapes[name] = [rows]
        else:
            dense(name, rows, WIDTH)
    for name in norms:
        shapes[name + ".weight"], shapes[name + ".bias"] = [WIDTH], [WIDTH]
    source, arrays = random.Random(1), {}
    for name, shape in shapes.items():
        n = shape[0] * (shape[1] if len(shape) > 1 else 1)
        is_norm = name.removesuffix(".weight") in norms
        arrays[name] = shape, [1.0 if is_norm else source.uniform(-0.5, 0.5) for _ in range(n)]
    return arrays


def write_random(name, arrays, config):
    folder = ROOT / name
    write_safetensors(folder / "model.safetensors", arrays)
    (folder / "vocab.txt").write_text("\n".join(WORDS) + "\n")
    write_json(folder / "config.json", config)
    (folder / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": POSITIONS}) + "\n")


def words_by_hand():
    """A model whose layers hand a token's own vector on: a word's logit is how far it lies in the direction of a token's vector."""
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *PLAIN[:2]]
    words += [it for it in RELATED if it not in words] + PLAIN[2:]
    width = 32
    assert len(words) <= width and width % 2 == 0
    direction = {word: at for at, word in enumerate(words)}
    table = []
    for word in words:
        row = [0.0] * width
        # Special tokens, and words that say little, have no direction of their own.
        if not word.startswith("[") and word not in ("the", "a", "in", "and", "is"):
            row[direction[word]] = 1.0
            for other in RELATED.get(word, []):
                row[direction[other]] = 0.5
        table += row
    zeros = lambda *shape: (list(shape), [0.0] * (shape[0] * (shape[1] if len(shape) > 1 else 1)))
    ones = lambda n: ([n], [1.0] * n)
    identity = [width, width], [float(at % (width + 1) == 0) for at in range(width * width)]
    arrays = {
        "distilbert.embeddings.word_embeddings.weight": ([len(words), width], table),
        "distilbert.embeddings.position_embeddings.weight": zeros(POSITIONS, width),
        "vocab_transform.weight": identity,
        "vocab_transform.bias": zeros(width),
        # Below this nothing is kept.
        "vocab_projector.bias": ([len(words)], [-0.5] * len(words)),
    }
    layer = "distilbert.transformer.layer.0."
    for part in ("q_lin", "k_lin", "v_lin", "out_lin"):
        arrays[f"{layer}attention.{part}.weight"], arrays[f"{layer}attention.{part}.bias"] = zeros(width, width), zeros(width)
    arrays[layer + "ffn.lin1.weight"], arrays[layer + "ffn.lin1.bias"] = zeros(width, width), zeros(width)
    arrays[layer + "ffn.lin2.weight"], arrays[layer + "ffn.lin2.bias"] = zeros(width, width), zeros(width)
    for norm in ("distilbert.embeddings.LayerNorm", layer + "sa_layer_norm", layer + "output_layer_norm", "vocab_layer_norm"):
        arrays[norm + ".weight"], arrays[norm + ".bias"] = ones(width), zeros(width)
    config = {
        "architectures": ["DistilBertForMaskedLM"],
        "model_type": "distilbert",
        "dim": width,
        "hidden_dim": width,
        "n_layers": 1,
        "n_heads": 2,
        "max_position_embeddings": POSITIONS,
        "vocab_size": len(words),
        "activation": "gelu",
    }
    for name in ("word-splade", "word-splade-doc"):
        folder = ROOT / name
        write_safetensors(folder / "model.safetensors", arrays)
        (folder / "vocab.txt").write_text("\n".join(words) + "\n")
        write_json(folder / "config.json", config)
    # The first is as transformers writes it, without modules.
    folder = ROOT / "word-splade-doc"
    write_json(folder / "modules.json", ROUTER_MODULES)
    write_json(folder / "router_config.json", ROUTES)
    write_json(folder / "document_1_SpladePooling/config.json", {"pooling_strategy": "max", "activation_function": "log1p_relu"})
    write_json(folder / "query_0_SparseStaticEmbedding/config.json", {"frozen": False})
    weights = [0.0 if word.startswith("[") or word in PLAIN[5:] else 1.0 + at / 10 for at, word in enumerate(words)]
    write_safetensors(folder / "query_0_SparseStaticEmbedding/model.safetensors", {"weight": ([len(words)], weights)})


def main():
    write_random("tiny-bert", random_bert("", {"pooler.dense": WIDTH, "classifier": 1}), CONFIG)
    head = {"cls.predictions.transform.dense": WIDTH, "cls.predictions.transform.LayerNorm": None, "cls.predictions.bias": len(WORDS)}
    write_random("tiny-splade", random_bert("bert.", head), {"architectures": ["BertForMaskedLM"], **CONFIG})
    write_json(ROOT / "tiny-splade/modules.json", SPLADE_MODULES)
    pooling = {"pooling_strategy": "max", "activation_function": "relu", "word_embedding_dimension": len(WORDS)}
    write_json(ROOT / "tiny-splade/1_SpladePooling/config.json", pooling)
    words_by_hand()


if __name__ == "__main__":
    main()
