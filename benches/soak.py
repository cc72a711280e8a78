#!/usr/bin/env python3
"""A long session of `ragctl mcp` while the index changes under it: times, memory, wrong answers.

usage: soak.py RAGCTL FOLDER [N]       (default: 10000 calls)

FOLDER is copied and ingested. Calls of all tools alternate; every 500 calls a file is added, changed or removed by another process,
and the next search must show it. Prints the quantiles of a call's time by tool, and the server's resident memory over time.
"""
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

QUERIES = ["how to restore a backup", "memory", "connection refused", "default value of the option", "--no-verify", "what is a lock"]


def resident(pid):
    with open("/proc/%d/status" % pid) as file:
        return next(int(line.split()[1]) / 1024 for line in file if line.startswith("VmRSS"))


def main():
    ragctl, source = os.path.abspath(sys.argv[1]), sys.argv[2]
    n_calls = int(sys.argv[3]) if len(sys.argv) > 3 else 10000
    rng = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(source, os.path.join(folder, "docs"))
        subprocess.run([ragctl, "ingest", "-q", "docs"], cwd=folder, check=False)
        server = subprocess.Popen([ragctl, "mcp"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        counter = [0]

        def ask(method, params):
            counter[0] += 1
            message = {"jsonrpc": "2.0", "id": counter[0], "method": method, "params": params}
            server.stdin.write(json.dumps(message).encode() + b"\n")
            server.stdin.flush()
            while True:
                answer = json.loads(server.stdout.readline())
                if answer.get("id") == counter[0]:
                    return answer["result"]

        def call(tool, **arguments):
            start = time.perf_counter()
            result = ask("tools/call", {"name": tool, "arguments": arguments})
            times.append((time.perf_counter() - start) * 1000)
            by_tool.setdefault(tool, []).append(times[-1])
            assert not result.get("isError"), result
            return result

        ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "soak", "version": "1"}})
        server.stdin.write(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}\n')
        times, by_tool, ids, memory = [], {}, [], []
        for n in range(n_calls):
            if n % max(1, n_calls // 10) == 0:
                memory.append(resident(server.pid))
            if n % 500 == 250:
                step = n // 500
                path = os.path.join(folder, "docs", "soak.md")
                word = "zq%dx" % step
                if step % 3 == 2:
                    os.remove(path)
                else:
                    with open(path, "w") as file:
                        file.write("# Soak\n\nThe word is %s.\n" % word)
                subprocess.run([ragctl, "ingest", "-q", "docs/", "--refresh", "changed", "--prune"], cwd=folder, check=False)
                found = call("textSearch", query=word, topK=1)["content"][0]["text"]
                assert (word + "." in found) == (step % 3 != 2), found
                ids = []
            kind = n % 9
            if kind in (0, 1) or not ids:
                found = call("hybridSearch", query=rng.choice(QUERIES), topK=10)
                ids = [hit["id"] for hit in found["structuredContent"]["hits"]]
            elif kind == 2:
                call("vectorSearch", query=rng.choice(QUERIES))
            elif kind == 3:
                call("textSearch", query=rng.choice(QUERIES), topK=5)
            elif kind == 4:
                call("broadenChunk", chunkId=rng.choice(ids))
            elif kind == 5:
                call("zoomOut", id=rng.choice(ids))
            elif kind == 6:
                call("findById", id=rng.choice(ids))
            elif kind == 7:
                call("listSections", documentTitle="a")
            else:
                call("readSection", sectionTitle=rng.choice(["Options", "introduction", "no such section"]))
        memory.append(resident(server.pid))
        server.stdin.close()
        assert server.wait(timeout=20) == 0
        for tool, times in [("all", times), *sorted(by_tool.items())]:
            times.sort()
            quantile = lambda share: times[min(len(times) - 1, int(len(times) * share))]
            print("%-13s %5d calls: median %.1f ms, p90 %.1f ms, p99 %.1f ms, longest %.1f ms" % (
                tool, len(times), quantile(0.5), quantile(0.9), quantile(0.99), times[-1]))
        print("resident memory, MB, before the first call and after every tenth: %s" % " ".join("%.0f" % it for it in memory))


main()
