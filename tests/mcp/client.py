#!/usr/bin/env python3
"""Drives `ragctl mcp` with the official Python client, over standard input and output and over HTTP.

usage: client.py RAGCTL        (needs the package in requirements.txt; .ci/run makes a virtual environment for it)

Everything here is what a client relies on: the handshake, the tools with their schemas, an answer of each, wrong arguments,
resources, the prompt, cancelling, an index that changes under the server, filters of the starter, refusals on HTTP, and a server
that ends when its client does.
"""
import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

from mcp import Client, ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

GUIDE = """---
audience: public
---
# Guide

How the server is run.

## Backup

A snapshot is written every night. To restore a backup, stop the server, copy the newest snapshot back and start it again.

## Caching

Write-through caches acknowledge a write after it has reached the disk.
"""
SECRET = """---
audience: staff
---
# Runbook

## Backup

The vault's combination is written on the back of the backup cupboard.
"""
MANUAL = "# Manual\n\n## Backup\n\nThis section says something else about backups.\n"

TOOLS = [
    "hybridSearch", "vectorSearch", "textSearch", "regexSearch", "broadenChunk", "zoomOut", "listSections", "readSection",
    "findById",
]


def write(folder, name, text):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(text)


def text(result):
    return result.content[0].text


async def whole_session(client, ragctl, folder):
    tools = (await client.list_tools()).tools
    assert [tool.name for tool in tools] == TOOLS, tools
    for tool in tools:
        assert tool.annotations.read_only_hint, tool.name
        assert tool.input_schema["additionalProperties"] is False
        assert "anyOf" not in json.dumps(tool.input_schema)
    search = next(tool for tool in tools if tool.name == "hybridSearch")
    assert "2 documents" in search.description and "Guide" in search.description, search.description

    # Each tool once.
    found = await client.call_tool("hybridSearch", {"query": "how do I restore a backup", "topK": 2})
    assert not found.is_error and "copy the newest snapshot back" in text(found), text(found)
    hits = found.structured_content["hits"]
    assert found.structured_content["schema"] == "ragctl.search/1" and len(hits) == 2
    assert hits[0]["location"]["path"] == "docs/guide.md" and "text" not in hits[0]
    chunk = hits[0]["id"]
    for name, arguments, part in [
        ("vectorSearch", {"query": "acknowledge after reaching the disk", "topK": 1, "threshold": None}, "Write-through"),
        ("textSearch", {"query": "+snapshot -cache", "threshold": "none"}, "every night"),
        ("regexSearch", {"regex": "Write-[a-z]+"}, "Write-through"),
        ("broadenChunk", {"chunkId": chunk, "chunksToAdd": 1}, "the passage asked for"),
        ("zoomOut", {"id": chunk}, "Section: Guide > Backup"),
        ("listSections", {}, "Manual"),
        ("listSections", {"documentTitle": "guide"}, "Caching"),
        ("readSection", {"sectionTitle": "caching"}, "acknowledge a write"),
        ("findById", {"id": chunk}, "copy the newest snapshot back"),
    ]:
        answer = await client.call_tool(name, arguments)
        assert not answer.is_error and part in text(answer), (name, text(answer))
        assert answer.structured_content["schema"].startswith("ragctl."), name
    section = found.structured_content["hits"][0]["section"]["id"]
    assert "Guide" in text(await client.call_tool("zoomOut", {"id": section}))

    # What is not there is answered with a sentence; what is wrong with an error that names it.
    for name, arguments, part in [
        ("textSearch", {"query": "flugzeugträger"}, "Nothing was found"),
        ("findById", {"id": "c000000000000000"}, "Nothing has the id"),
        ("readSection", {"sectionTitle": "Backup"}, "2 documents have a section"),
        ("readSection", {"sectionTitle": "No such"}, "No section is called"),
    ]:
        answer = await client.call_tool(name, arguments)
        assert not answer.is_error and part in text(answer), (name, text(answer))
    for name, arguments, part in [
        ("textSearch", {"query": "a", "limit": 3}, "no parameter 'limit'"),
        ("textSearch", {}, "needs 'query'"),
        ("regexSearch", {"regex": "("}, "pattern"),
        ("dropIndex", {}, "there is no tool 'dropIndex'"),
    ]:
        answer = await client.call_tool(name, arguments)
        assert answer.is_error and part in text(answer), (name, text(answer))

    # Resources and the prompt.
    resources = (await client.list_resources()).resources
    assert sorted(it.title for it in resources) == ["Guide", "Manual"], resources
    guide = next(it for it in resources if it.title == "Guide")
    read = await client.read_resource(str(guide.uri))
    assert "A snapshot is written every night" in read.contents[0].text
    read = await client.read_resource(f"ragctl://chunk/{chunk}")
    assert read.contents[0].text.startswith("## Backup")
    try:
        await client.read_resource("ragctl://chunk/c000000000000000")
        raise AssertionError("a resource that is not there was read")
    except MCPError as error:
        assert "there is no resource" in str(error)
    prompts = (await client.list_prompts()).prompts
    strategy = await client.get_prompt(prompts[0].name)
    assert "broadenChunk" in strategy.messages[0].content.text

    # What another process ingests is found by the next call, and clients are told to list anew.
    async with client.listen(tools_list_changed=True, resources_list_changed=True) as changes:
        write(os.path.join(folder, "docs"), "new.md", "# News\n\nZeppelins arrived on Monday.\n")
        subprocess.run([ragctl, "ingest", "-q", "docs"], cwd=folder, check=True)
        answer = await client.call_tool("textSearch", {"query": "zeppelin"})
        told = {type(await asyncio.wait_for(anext(changes), timeout=20)).__name__ for _ in range(2)}
        assert told == {"ToolsListChanged", "ResourcesListChanged"}, told
    assert len((await client.list_resources()).resources) == 3
    search = next(tool for tool in (await client.list_tools()).tools if tool.name == "hybridSearch")
    assert "3 documents" in search.description, search.description
    assert "Zeppelins arrived" in text(answer), text(answer)
    os.remove(os.path.join(folder, "docs", "new.md"))
    subprocess.run([ragctl, "ingest", "-q", "docs", "--prune"], cwd=folder, check=True)
    answer = await client.call_tool("textSearch", {"query": "zeppelin"})
    assert "Nothing was found" in text(answer), text(answer)

    # The filter of the starter cannot be got around.
    for name, arguments in [
        ("hybridSearch", {"query": "vault combination cupboard", "topK": 50}),
        ("regexSearch", {"regex": ".*", "topK": 50}),
        ("listSections", {}),
        ("readSection", {"sectionTitle": "Backup", "documentTitle": "Runbook"}),
    ]:
        answer = await client.call_tool(name, arguments)
        assert "written on the back" not in text(answer), (name, text(answer))
        assert "runbook.md" not in json.dumps(answer.structured_content), name

    # A call that is cancelled leaves the session in order.
    try:
        await asyncio.wait_for(client.call_tool("regexSearch", {"regex": "(a|b|ab)*c"}), timeout=0.0001)
    except (TimeoutError, asyncio.TimeoutError):
        pass
    assert not (await client.call_tool("listSections", {})).is_error


async def stdio(ragctl, folder, arguments):
    server = StdioServerParameters(command=ragctl, args=["mcp", *arguments], cwd=folder)
    async with Client(server) as client:
        await whole_session(client, ragctl, folder)
    # The handshake of older clients.
    async with stdio_client(server) as (reader, writer):
        async with ClientSession(reader, writer) as session:
            started = await session.initialize()
            assert started.server_info.name == "ragctl"
            assert "2 documents" in started.instructions and "broadenChunk" in started.instructions
            assert len((await session.list_tools()).tools) == len(TOOLS)
    about = StdioServerParameters(command=ragctl, args=["mcp", *arguments, "--about", "restoring", "-k", "1"], cwd=folder)
    async with stdio_client(about) as (reader, writer):
        async with ClientSession(reader, writer) as session:
            instructions = (await session.initialize()).instructions
            assert 'Passages about "restoring"' in instructions and "newest snapshot" in instructions, instructions
            assert "cupboard" not in instructions


async def http(ragctl, folder, arguments):
    server = subprocess.Popen(
        [ragctl, "mcp", "--http", "127.0.0.1:0", "--token", "sesame", *arguments],
        cwd=folder, stderr=subprocess.PIPE, text=True)
    try:
        url = server.stderr.readline().split()[-1]
        assert url.startswith("http://127.0.0.1:"), url
        import httpx2
        async with httpx2.AsyncClient(headers={"Authorization": "Bearer sesame"}) as connection:
            transport = streamable_http_client(url, http_client=connection)
            async with Client(transport) as client:
                await whole_session(client, ragctl, folder)

        def status(headers):
            body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}).encode()
            request = urllib.request.Request(url, data=body, headers={
                "Content-Type": "application/json", "Accept": "application/json, text/event-stream", **headers})
            try:
                return urllib.request.urlopen(request, timeout=10).status
            except urllib.error.HTTPError as error:
                return error.code
        good = {"Authorization": "Bearer sesame"}
        assert status({}) == 401
        assert status({"Authorization": "Bearer sesam"}) == 401
        assert status({**good, "Origin": "https://evil.example"}) == 403
        assert status({**good, "Host": "evil.example"}) in (400, 403, 421)
    finally:
        server.kill()
        server.wait()
    refused = subprocess.run([ragctl, "mcp", "--http", "0.0.0.0:0"], cwd=folder, capture_output=True, text=True, timeout=20)
    assert refused.returncode == 2 and "--token" in refused.stderr, refused


def dies_with_its_client(ragctl, folder):
    server = subprocess.Popen([ragctl, "mcp"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    server.stdin.close()
    assert server.wait(timeout=10) == 0
    server = subprocess.Popen([ragctl, "mcp"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    server.stdin.write(b"this is no json\n")
    server.stdin.flush()
    time.sleep(0.3)
    server.stdin.close()
    output = server.stdout.read()
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in output.splitlines()), output
    assert server.wait(timeout=10) == 0


def main():
    ragctl = os.path.abspath(sys.argv[1])
    signal.alarm(300)
    with tempfile.TemporaryDirectory() as folder:
        docs = os.path.join(folder, "docs")
        os.mkdir(docs)
        write(docs, "guide.md", GUIDE)
        write(docs, "manual.md", MANUAL)
        write(docs, "runbook.md", SECRET)
        subprocess.run([ragctl, "ingest", "-q", "docs"], cwd=folder, check=True)
        arguments = ["--base-filter", "audience IS NULL OR audience = 'public'"]
        trace = os.path.join(folder, "trace.jsonl")
        asyncio.run(stdio(ragctl, folder, [*arguments, "--trace", trace]))
        asyncio.run(http(ragctl, folder, arguments))
        dies_with_its_client(ragctl, folder)
        with open(trace, encoding="utf-8") as file:
            entries = [json.loads(line) for line in file]
        assert entries[0]["tool"] == "hybridSearch" and len(entries[0]["shown"]) == 2
        assert "text" not in entries[0]["shown"][0]
        summary = subprocess.run([ragctl, "trace", trace], capture_output=True, text=True, check=True).stdout
        assert "flugzeugträger" in summary and "found nothing" in summary, summary
    print("the Python client is content")


main()
