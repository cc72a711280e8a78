#!/usr/bin/env python3
"""Throughput, latency and memory of ragctl on a folder.

usage: speed.py RAGCTL FOLDER [RUNS]

Every command runs as a process of its own, so that latencies are those of a cold start. Prints medians of RUNS (default 15)
runs, each beside its limit and beside the time of `ragctl --version`, the least that any process costs.
"""
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time


def run(command):
    """Wall seconds, peak memory in bytes and standard output of one process."""
    with tempfile.TemporaryFile() as out:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        return wall, usage.ru_maxrss * 1024, out.read(), usage.ru_utime + usage.ru_stime


def main():
    ragctl, folder = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 15
    with tempfile.TemporaryDirectory() as temp:
        index = ["--index", os.path.join(temp, "index")]
        wall, memory, out, cpu = run([ragctl, "ingest", "--json", folder, *index])
        report = json.loads(out)
        megabytes = report["bytes"] / 1e6
        print("ingest    %d files, %d failed, %.1f MB, %d chunks in %.2f s wall, %.2f s CPU" % (
            report["added"], len(report["failed"]), megabytes, report["chunks"], wall, cpu))
        print("          %.2f MB/s (limit 5), peak memory of one process %.0f MB (limit 1000)" % (
            megabytes / wall, memory / 1e6))
        wall, _, out, _ = run([ragctl, "ingest", "--json", folder, *index])
        print("again     %d unchanged in %.3f s" % (json.loads(out)["unchanged"], wall))
        for size, value in json.loads(run([ragctl, "info", "--json", *index])[2])["disk"].items():
            print("disk      %-9s %8.1f MB" % (size, value / 1e6))

        hits = json.loads(run([ragctl, "search", "--json", "how to open a file", *index])[2])["hits"]
        chunk = hits[0]["id"]
        floor = statistics.median(run([ragctl, "--version"])[0] for _ in range(runs))
        print("%-28s %6.1f ms" % ("--version", floor * 1e3))
        for limit, command in [
            (30, ["search", "--hybrid", "how to open a file"]),
            (30, ["search", "--vector", "how to open a file"]),
            (30, ["search", "--text", "how to open a file"]),
            (30, ["search", "--text", "ERR_INVALID_ARG_TYPE"]),
            (30, ["search", "--regex", "ERR_[A-Z_]+"]),
            (15, ["info"]),
            (15, ["expand", chunk]),
            (15, ["zoom", chunk]),
        ]:
            times = [run([ragctl, *command, *index])[0] * 1e3 for _ in range(runs)]
            print("%-28s %6.1f ms median, %6.1f min, %6.1f max (limit %d)" % (
                " ".join(command)[:28], statistics.median(times), min(times), max(times), limit))


main()
