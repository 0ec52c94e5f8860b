// An interaction by the official client in the dialect of the Responses API, as a
// command of the policy exec. The argument says how it asks: with create it names the
// conversation and sends what is new, with stream it sends all again and takes the
// answer in events.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import OpenAI from "openai";

const task = JSON.parse(readFileSync(process.env.AGENTD_TASK, "utf8"));
const bullets = (names) => names.map((name) => `- ${name}\n`).join("");
const tool = (name, ...parameters) => ({
  type: "function",
  name,
  strict: true,
  parameters: {
    type: "object",
    properties: Object.fromEntries(parameters.map((p) => [p, { type: "string" }])),
    required: parameters,
    additionalProperties: false,
  },
});
const perform = {
  read_file: ({ path }) => readFileSync(path, "utf8"),
  write_file: ({ path, content }) => (mkdirSync(dirname(path), { recursive: true }), writeFileSync(path, content), "written"),
  delete_file: ({ path }) => (rmSync(path), "deleted"),
  finish: () => "done",
};

const client = new OpenAI();
const request = {
  model: task.model,
  instructions: "You edit documents.",
  tools: [tool("read_file", "path"), tool("write_file", "path", "content"), tool("delete_file", "path"), tool("finish")],
};

async function stream(input) {
  const events = client.responses.stream({ ...request, input });
  const said = new Map();
  events.on("response.function_call_arguments.delta", ({ item_id, delta }) => said.set(item_id, (said.get(item_id) ?? "") + delta));
  const response = await events.finalResponse();
  for (const call of response.output) {
    assert.equal(call.arguments, said.get(call.id));
    assert.deepEqual(call.parsed_arguments, JSON.parse(call.arguments));
  }
  return response;
}

let fresh = [{
  role: "user",
  content: `${task.instruction}\n\nFiles:\n${bullets(task.files)}\nFiles to produce:\n${bullets(task.targets)}`,
}];
let previous;
const all = [];
for (let finished = false; !finished; ) {
  all.push(...fresh);
  const response = process.argv[2] === "stream"
    ? await stream(all)
    : await client.responses.create({ ...request, input: fresh, previous_response_id: previous });
  assert.equal(response.status, "completed");
  assert.equal(response.output_text, "");
  assert.ok(response.output.length > 0 && response.usage.total_tokens > 0);
  previous = response.id;
  fresh = response.output.map(({ call_id, name, arguments: args }) => {
    finished ||= name === "finish";
    return { type: "function_call_output", call_id, output: perform[name](JSON.parse(args)) };
  });
  all.push(...response.output);
}
