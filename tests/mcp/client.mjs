// Drives `ragctl mcp` with the official TypeScript client, today's and the one before it, over standard input and output and over
// HTTP. `client.py` is the thorough one; this holds that the other official client gets along with the server.
//
// usage: node client.mjs RAGCTL      (after `npm install` in this folder; .ci/run does it in a copy)

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";

import * as today from "@modelcontextprotocol/client";
import { StdioClientTransport as TodaysStdio } from "@modelcontextprotocol/client/stdio";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OlderStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as OlderHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const SDKS = {
  "@modelcontextprotocol/client": [today.Client, TodaysStdio, today.StreamableHTTPClientTransport],
  "@modelcontextprotocol/sdk": [OlderClient, OlderStdio, OlderHttp],
};
const GUIDE = `# Guide

How the server is run.

## Backup

To restore a backup, stop the server, copy the newest snapshot back and start it again.

## Caching

Write-through caches acknowledge a write after it has reached the disk.
`;

const ragctl = resolve(process.argv[2]);
const text = (result) => result.content[0].text;

async function session(Client, transport, folder) {
  let changed;
  const change = new Promise((resolve) => (changed = resolve));
  const client = new Client(
    { name: "test", version: "1" },
    { listChanged: { resources: { autoRefresh: false, onChanged: () => changed() } } },
  );
  await client.connect(transport);
  const { tools } = await client.listTools();
  assert.equal(tools.length, 9);
  assert.ok(tools.every((tool) => tool.annotations.readOnlyHint));

  const call = (name, args) => client.callTool({ name, arguments: args });
  const found = await call("hybridSearch", { query: "how do I restore a backup", topK: 2 });
  assert.match(text(found), /copy the newest snapshot back/);
  const [hit] = found.structuredContent.hits;
  for (const [name, args, part] of [
    ["vectorSearch", { query: "acknowledge after reaching the disk", threshold: null }, /Write-through/],
    ["textSearch", { query: "+snapshot" }, /newest snapshot/],
    ["regexSearch", { regex: "Write-[a-z]+" }, /Write-through/],
    ["broadenChunk", { chunkId: hit.id }, /the passage asked for/],
    ["zoomOut", { id: hit.id }, /Section: Guide > Backup/],
    ["listSections", {}, /Guide/],
    ["readSection", { sectionTitle: "caching" }, /acknowledge a write/],
    ["findById", { id: hit.id }, /newest snapshot/],
    ["textSearch", { query: "flugzeugträger" }, /Nothing was found/],
  ]) {
    const answer = await call(name, args);
    assert.ok(!answer.isError, text(answer));
    assert.match(text(answer), part, name);
  }
  const wrong = await call("textSearch", { query: "a", limit: 3 });
  assert.ok(wrong.isError);
  assert.match(text(wrong), /no parameter 'limit'/);

  const { resources } = await client.listResources();
  const read = await client.readResource({ uri: resources[0].uri });
  assert.match(read.contents[0].text, /How the server is run/);
  const { prompts } = await client.listPrompts();
  const strategy = await client.getPrompt({ name: prompts[0].name });
  assert.match(strategy.messages[0].content.text, /broadenChunk/);

  // What another process ingests is announced, listed and found.
  writeFileSync(join(folder, "docs", "new.md"), "# News\n\nZeppelins arrived on Monday.\n");
  execFileSync(ragctl, ["ingest", "-q", "docs"], { cwd: folder });
  await change;
  assert.equal((await client.listResources()).resources.length, 2);
  assert.match(text(await call("textSearch", { query: "zeppelin" })), /Zeppelins arrived/);
  rmSync(join(folder, "docs", "new.md"));
  execFileSync(ragctl, ["ingest", "-q", "docs", "--prune"], { cwd: folder });
  await client.close();
}

const folder = mkdtempSync(join(tmpdir(), "ragctl-"));
const deadline = setTimeout(() => {
  console.error("no end after two minutes");
  process.exit(1);
}, 120_000);
let server;
try {
  mkdirSync(join(folder, "docs"));
  writeFileSync(join(folder, "docs", "guide.md"), GUIDE);
  execFileSync(ragctl, ["ingest", "-q", "docs"], { cwd: folder });
  server = spawn(ragctl, ["mcp", "--http", "127.0.0.1:0"], { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  const line = await new Promise((resolve) => createInterface({ input: server.stderr }).once("line", resolve));
  const url = new URL(line.split(" ").at(-1));
  for (const [name, [Client, Stdio, Http]] of Object.entries(SDKS)) {
    await session(Client, new Stdio({ command: ragctl, args: ["mcp"], cwd: folder }), folder);
    await session(Client, new Http(url), folder);
    console.log(`${name} is content`);
  }
} finally {
  server?.kill();
  clearTimeout(deadline);
  rmSync(folder, { recursive: true });
}
