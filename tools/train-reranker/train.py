#!/usr/bin/env python3
"""Trains a small cross-encoder from the lower layers of all-MiniLM-L6-v2, on the CPU.

usage: train.py MINILM GROUPS.jsonl OUTPUT_FOLDER [--steps N]

GROUPS.jsonl is what mine.py writes. The folder has the files of a transformers `BertForSequenceClassification` with one output, so that
`ragctl search --rerank OUTPUT_FOLDER` and sentence-transformers' CrossEncoder both open it.
"""
import argparse
import json
import random
import shutil
import time
from functools import partial
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from safetensors.numpy import load_file, save_file
from tokenizers import Tokenizer

# Layers kept, from the embeddings up: the lower ones of a BERT lose least when the others go (Sajjad et al. 2020, "Poor man's BERT").
LAYERS, HEADS, EPSILON = 3, 12, 1e-12
# Questions of a step, and passages of each: its own, and others, of which the share that has its words too grows from none to HARD over
# the first EASY of the steps (the rest are those of other questions of its source). Hard ones alone teach nothing at the beginning.
QUESTIONS, PASSAGES, HARD, EASY = 6, 5, 3, 0.4
# Most tokens of a question with a passage, and the lengths that steps are padded to.
MAX_TOKENS, LENGTHS = 128, (48, 80, 128)
# Most tokens that the model is to read in use: more costs time, and it has learnt nothing of what stands there.
MOST_TOKENS = 256
RATE, HEAD_RATE, WARM_UP, DECAY = 2e-4, 1e-3, 0.05, 0.01
# Every so many questions one is kept for the proof.
HELD_OUT = 40


def initial(folder):
    """The weights to begin with, by their names in a BertForSequenceClassification."""
    weights = {}
    for name, value in load_file(folder / "model.safetensors").items():
        layer = int(name.split(".")[2]) if name.startswith("encoder.layer.") else 0
        if layer < LAYERS and "position_ids" not in name:
            weights["bert." + name] = value.astype(np.float32)
    width = weights["bert.pooler.dense.bias"].shape[0]
    noise = np.random.default_rng(1).normal(0, 0.02, (1, width))
    return weights | {"classifier.weight": noise.astype(np.float32), "classifier.bias": np.zeros(1, np.float32)}


def dense(weights, name, x):
    return x @ weights[name + ".weight"].T + weights[name + ".bias"]


def norm(weights, name, x):
    x = x - x.mean(-1, keepdims=True)
    x = x / jnp.sqrt((x * x).mean(-1, keepdims=True) + EPSILON)
    return x * weights[name + ".weight"] + weights[name + ".bias"]


def score(weights, ids, types, mask):
    """One number a row: `ids`, `types` and `mask` are rows x tokens."""
    rows, tokens = ids.shape
    embedded = [
        weights["bert.embeddings.word_embeddings.weight"][ids],
        weights["bert.embeddings.position_embeddings.weight"][:tokens],
        weights["bert.embeddings.token_type_embeddings.weight"][types],
    ]
    x = norm(weights, "bert.embeddings.LayerNorm", sum(embedded))
    hidden = jnp.where(mask, 0.0, -1e9)[:, None, None, :]

    def split(y):
        return y.reshape(rows, tokens, HEADS, -1).transpose(0, 2, 1, 3)

    for layer in range(LAYERS):
        at = f"bert.encoder.layer.{layer}."
        query, key, value = (split(dense(weights, f"{at}attention.self.{it}", x)) for it in ("query", "key", "value"))
        weight = jax.nn.softmax(query @ key.transpose(0, 1, 3, 2) / np.sqrt(query.shape[-1]) + hidden)
        y = (weight @ value).transpose(0, 2, 1, 3).reshape(rows, tokens, -1)
        x = norm(weights, at + "attention.output.LayerNorm", x + dense(weights, at + "attention.output.dense", y))
        y = jax.nn.gelu(dense(weights, at + "intermediate.dense", x), approximate=False)
        x = norm(weights, at + "output.LayerNorm", x + dense(weights, at + "output.dense", y))
    return dense(weights, "classifier", jnp.tanh(dense(weights, "bert.pooler.dense", x[:, 0])))[:, 0]


def loss(trained, fixed, batch):
    """Cross-entropy of each question's own passage, the first of its PASSAGES, and the share of questions that find it."""
    scores = score(trained | fixed, *batch).reshape(-1, PASSAGES)
    return -jax.nn.log_softmax(scores)[:, 0].mean(), (scores.argmax(1) == 0).mean()


@partial(jax.jit, donate_argnums=(0, 1, 2))
def step(trained, first, second, fixed, batch, number, share):
    """One step of Adam with decoupled decay; `share` of the full rate."""
    (value, hits), gradient = jax.value_and_grad(loss, has_aux=True)(trained, fixed, batch)
    size = jnp.sqrt(sum(jnp.vdot(it, it) for it in gradient.values()))
    gradient = {name: it * jnp.minimum(1.0, 1.0 / size) for name, it in gradient.items()}
    for name, g in gradient.items():
        first[name] = 0.9 * first[name] + 0.1 * g
        second[name] = 0.999 * second[name] + 0.001 * g * g
        move = first[name] / (1 - 0.9**number) / (jnp.sqrt(second[name] / (1 - 0.999**number)) + 1e-8)
        rate = share * (HEAD_RATE if name.startswith("classifier") else RATE)
        trained[name] = trained[name] - rate * (move + DECAY * trained[name])
    return trained, first, second, value, hits


def encode(tokenizer, pairs):
    """`pairs` of texts as ids, types and mask, padded to one of LENGTHS."""
    encodings = tokenizer.encode_batch(pairs)
    longest = max(len(it.ids) for it in encodings)
    length = next(it for it in LENGTHS if it >= longest)
    ids, types, mask = (np.zeros((len(pairs), length), kind) for kind in (np.int32, np.int32, bool))
    for row, it in enumerate(encodings):
        n = len(it.ids)
        ids[row, :n], types[row, :n], mask[row, :n] = it.ids, it.type_ids, True
    return ids, types, mask


def batch(groups, by_source, n_hard, rng):
    """Questions of about one length with their passages, the own one first, then `n_hard` that share words with the question."""
    pairs = []
    for group in groups:
        hard = rng.sample(group["negatives"], min(n_hard, len(group["negatives"])))
        others = [rng.choice(by_source[group["source"]])["positive"] for _ in range(PASSAGES - 1 - len(hard))]
        pairs += [(group["query"], it) for it in (group["positive"], *hard, *others)]
    return pairs


def main():
    arguments = argparse.ArgumentParser()
    for name in ("minilm", "groups", "output"):
        arguments.add_argument(name, type=Path)
    arguments.add_argument("--steps", type=int, default=1400)
    arguments = arguments.parse_args()
    rng = random.Random(1)
    groups = [json.loads(line) for line in arguments.groups.open(encoding="utf-8")]
    rng.shuffle(groups)
    held_out, groups = groups[::HELD_OUT], [it for at, it in enumerate(groups) if at % HELD_OUT]
    by_source = {}
    for group in groups + held_out:
        by_source.setdefault(group["source"], []).append(group)
    tokenizer = Tokenizer.from_file(str(arguments.minilm / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS, strategy="longest_first")

    weights = initial(arguments.minilm)
    # The words stay as they are: half of all weights, and a few thousand steps see too little of them.
    is_fixed = lambda name: name.startswith("bert.embeddings.") and "LayerNorm" not in name  # noqa: E731
    fixed = {name: jnp.array(it) for name, it in weights.items() if is_fixed(name)}
    trained = {name: jnp.array(it) for name, it in weights.items() if not is_fixed(name)}
    first, second = ({name: jnp.zeros_like(it) for name, it in trained.items()} for _ in range(2))

    proof_rng = random.Random(2)
    proof = [held_out[at : at + QUESTIONS] for at in range(0, len(held_out) - QUESTIONS + 1, QUESTIONS)][:40]
    proof = [encode(tokenizer, batch(it, by_source, HARD, proof_rng)) for it in proof]
    judge = jax.jit(loss)

    def prove(label):
        losses, hits = zip(*(judge(trained, fixed, it) for it in proof))
        print(f"{label}: held out: loss {np.mean(losses):.3f}, own passage first {np.mean(hits):.3f}", flush=True)

    def save():
        write(arguments.minilm, arguments.output, {name: np.asarray(it) for name, it in (trained | fixed).items()})

    prove("start")
    number, sums = 0, []
    while number < arguments.steps:
        # Steps of one length waste little padding: questions are sorted by it within pools.
        pool = sorted(rng.sample(groups, 32 * QUESTIONS), key=lambda it: len(it["positive"]))
        steps = [pool[at : at + QUESTIONS] for at in range(0, len(pool), QUESTIONS)]
        rng.shuffle(steps)
        for chosen in steps[: arguments.steps - number]:
            number += 1
            done = number / arguments.steps
            share = min(done / WARM_UP, (1 - done) / (1 - WARM_UP))
            n_hard = min(HARD, int((HARD + 1) * done / EASY))
            data = encode(tokenizer, batch(chosen, by_source, n_hard, rng))
            trained, first, second, value, hits = step(trained, first, second, fixed, data, number, share)
            sums.append((float(value), float(hits)))
            if number % 50 == 0:
                value, hits = np.mean(sums[-50:], axis=0)
                seconds = time.process_time()
                print(f"step {number}, {n_hard} hard: loss {value:.3f}, own passage first {hits:.3f}, {seconds:.0f} CPU-s", flush=True)
            if number % 200 == 0:
                prove(f"step {number}")
                save()
    prove("end")
    save()


def write(minilm, folder, weights):
    folder.mkdir(parents=True, exist_ok=True)
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    config = json.loads((minilm / "config.json").read_text())
    config |= {"architectures": ["BertForSequenceClassification"], "num_hidden_layers": LAYERS, "num_labels": 1}
    config |= {"id2label": {"0": "LABEL_0"}, "label2id": {"LABEL_0": 0}}
    (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n")
    settings = json.loads((minilm / "tokenizer_config.json").read_text()) | {"model_max_length": MOST_TOKENS}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings, indent=1) + "\n")
    for name in ("tokenizer.json", "special_tokens_map.json", "vocab.txt", "LICENSE", "NOTICE"):
        shutil.copy(minilm / name, folder / name)


if __name__ == "__main__":
    main()
