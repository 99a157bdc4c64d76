// The official TypeScript SDK's client against the memory server: lists the tools, calls all five, prints what came.
//
//   node memory_client.mjs NODE_MODULES stdio COMMAND [ARGUMENT…]
//   node memory_client.mjs NODE_MODULES http URL TOKEN

const [modules, way, target, ...rest] = process.argv.slice(2);
const sdk = `${modules}/@modelcontextprotocol/sdk/dist/esm/client`;
const { Client } = await import(`${sdk}/index.js`);

async function transport() {
  if (way === "http") {
    const { StreamableHTTPClientTransport } = await import(`${sdk}/streamableHttp.js`);
    return new StreamableHTTPClientTransport(new URL(target), {
      requestInit: { headers: { Authorization: `Bearer ${rest[0]}` } },
    });
  }
  const { StdioClientTransport } = await import(`${sdk}/stdio.js`);
  return new StdioClientTransport({ command: target, args: rest, env: process.env, stderr: "inherit" });
}

const client = new Client({ name: "test", version: "1" });
await client.connect(await transport());
const found = { tools: (await client.listTools()).tools.map((tool) => tool.name), answers: [] };
for (const [name, rest] of [
  ["mem_put", { key: "k", value: "天气" }],
  ["mem_get", { key: "k" }],
  ["mem_get", { key: "none", default: "nothing" }],
  ["mem_append", { role: "user", text: "Question?" }],
  ["mem_append", { role: "agent", text: "Answer." }],
  ["mem_recent", { n: 5 }],
  ["mem_clear", {}],
  ["mem_recent", {}],
]) {
  const answer = await client.callTool({ name, arguments: { session_id: "ts", ...rest } });
  found.answers.push(answer.isError ? `error: ${answer.content[0].text}` : answer.content[0].text);
}
const refused = await client.callTool({ name: "mem_recent", arguments: { session_id: "ts", n: 1000000 } });
found.refused = refused.isError ? refused.content[0].text : "";
console.log(JSON.stringify(found));
await client.close();
