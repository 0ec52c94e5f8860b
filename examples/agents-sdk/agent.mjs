// An agent that somebody else wrote, as a policy: OpenAI's Agents SDK, which speaks
// the Responses API, with the tools that agentd offers by MCP.
import { readFile } from "node:fs/promises";
import { Agent, MCPServerStreamableHttp, run, setTracingDisabled } from "@openai/agents";

const task = JSON.parse(await readFile(process.env.AGENTD_TASK, "utf8"));
const bullets = (names) => names.map((name) => `- ${name}\n`).join("");

setTracingDisabled(true); // there is nobody to send traces to
const tools = new MCPServerStreamableHttp({ url: task.mcp_url, name: "agentd" });
await tools.connect();
try {
  const agent = new Agent({
    name: "editor",
    instructions: "You edit documents with your tools. Call finish when all files to produce are there.",
    model: task.model,
    mcpServers: [tools],
    toolUseBehavior: { stopAtToolNames: ["finish"] },
  });
  await run(
    agent,
    `${task.instruction}\n\nFiles:\n${bullets(task.files)}\nFiles to produce:\n${bullets(task.targets)}`,
    { maxTurns: 100 },
  );
} finally {
  await tools.close();
}
