#!/usr/bin/env python3
"""Throughput of `minilm` beside Python fastembed and onnxruntime on the same weights and the same passage, in the same run.

usage: embedding.py RAGCTL ONNX_FOLDER [ROUNDS]

ONNX_FOLDER is what tools/minilm/export_onnx.py writes. Run it with a Python that has fastembed (which brings onnxruntime). Each
round runs every engine once, one after the other; prints passages (256 tokens) a second of wall time, and in brackets a second of
CPU time, which other processes on the machine disturb less. Load averages are printed, because they decide what figures are worth.
"""
import json
import multiprocessing
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

PASSAGE = (Path(__file__).resolve().parent.parent / "testdata/embed/passage.txt").read_text()
# Passages each Python process embeds, after one that is not counted.
N = 24


def fastembed_model(folder, threads):
    from fastembed import TextEmbedding
    from fastembed.common.model_description import ModelSource, PoolingType

    if not any(it["model"] == "local" for it in TextEmbedding.list_supported_models()):
        source = ModelSource(hf="local/local")
        TextEmbedding.add_custom_model("local", PoolingType.MEAN, True, source, 384, model_file="model.onnx")
    return TextEmbedding("local", specific_model_path=str(folder), threads=threads)


def fastembed(folder, threads, batch):
    model = fastembed_model(folder, threads)
    list(model.embed([PASSAGE]))
    started, cpu = time.perf_counter(), time.process_time()
    list(model.embed([PASSAGE] * N, batch_size=batch))
    return N, time.perf_counter() - started, time.process_time() - cpu


def two_processes(folder):
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        results = pool.starmap(fastembed, [(folder, 1, 1)] * 2)
    return sum(r[0] for r in results), max(r[1] for r in results), sum(r[2] for r in results)


def ragctl(program):
    command = [program, "models", "--json", "--measure", "minilm"]
    out = subprocess.run(command, capture_output=True, check=True).stdout
    models = json.loads(out)["models"]
    return next(it for it in models if it["name"] == "minilm")["passages_per_second"]


def whole_ingest(program, model="minilm"):
    """An ingest of distinct passages: reading, static vectors and writing included."""
    import tempfile

    with tempfile.TemporaryDirectory() as temp:
        docs = Path(temp) / "docs"
        docs.mkdir()
        words = PASSAGE.split()
        for at in range(N):
            (docs / f"{at}.txt").write_text(" ".join(words[at:] + words[:at]))
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        started = time.perf_counter()
        command = [program, "ingest", str(docs), "--index", str(Path(temp) / "index"), "--model", str(model), "--json"]
        env = dict(os.environ, ORT_DYLIB_PATH=runtime())
        report = json.loads(subprocess.run(command, capture_output=True, check=True, env=env).stdout)
        wall = time.perf_counter() - started
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return report["filled"]["embedded"], wall, cpu


def runtime():
    """The library of ONNX Runtime that fastembed uses too."""
    import onnxruntime

    return str(next(Path(onnxruntime.__file__).parent.glob("capi/libonnxruntime.so*")))


def main():
    program, folder = os.path.abspath(sys.argv[1]), Path(sys.argv[2]).resolve()
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    engines = [
        ("ragctl minilm, whole ingest", lambda: whole_ingest(program)),
        ("ragctl ONNX_FOLDER, whole ingest", lambda: whole_ingest(program, folder)),
        ("fastembed, its defaults", lambda: fastembed(folder, None, 256)),
        ("fastembed, 2 processes x 1 thread, batch 1", lambda: two_processes(folder)),
    ]
    for at in range(rounds):
        print("round %d, load %.1f" % (at + 1, os.getloadavg()[0]))
        print("  %-44s %6.1f" % ("ragctl minilm, models --measure", ragctl(program)))
        for name, run in engines:
            n, wall, cpu = run()
            print("  %-44s %6.1f  (%5.1f)" % (name, n / wall, n / cpu))


if __name__ == "__main__":
    main()
