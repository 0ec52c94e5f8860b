// An agent that somebody else wrote, as a policy: the tool runner of the openai
// package, with the tools that agentd offers by MCP.
import { readFile } from "node:fs/promises";
import OpenAI from "openai";

const task = JSON.parse(await readFile(process.env.AGENTD_TASK, "utf8"));

async function mcp(method, params = {}) {
  const response = await fetch(task.mcp_url, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const answer = await response.json();
  if (answer.error) throw new Error(answer.error.message);
  return answer.result;
}

const { tools } = await mcp("tools/list");
const bullets = (names) => names.map((name) => `- ${name}\n`).join("");
const runner = new OpenAI().chat.completions.runTools(
  {
    model: task.model,
    messages: [{
      role: "user",
      content: `${task.instruction}\n\nFiles:\n${bullets(task.files)}\nFiles to produce:\n${bullets(task.targets)}`,
    }],
    tools: tools.map(({ name, description, inputSchema }) => ({
      type: "function",
      function: {
        name,
        description,
        parameters: inputSchema,
        parse: JSON.parse,
        function: async (args) => {
          const { content } = await mcp("tools/call", { name, arguments: args });
          if (name === "finish") runner.abort();
          return content[0].text;
        },
      },
    })),
  },
  { maxChatCompletions: 100 },
);
try {
  await runner.done();
} catch (error) {
  if (!runner.aborted) throw error;
}
