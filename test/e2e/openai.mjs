// A tool-calling interaction by the official client, tool by tool: prints the files
// that come of it as JSON. Its input is {instruction, files: {name: content}, targets}.
import { readFileSync } from "node:fs";
import OpenAI from "openai";

const task = JSON.parse(readFileSync(0, "utf8"));
const files = new Map(Object.entries(task.files));
const bullets = (names) => names.map((name) => `- ${name}\n`).join("");
const tool = (name, ...parameters) => ({
  type: "function",
  function: {
    name,
    parameters: { type: "object", properties: Object.fromEntries(parameters.map((p) => [p, { type: "string" }])), required: parameters },
  },
});
const perform = {
  read_file: ({ path }) => files.get(path),
  write_file: ({ path, content }) => (files.set(path, content), "written"),
  delete_file: ({ path }) => (files.delete(path), "deleted"),
  finish: () => "done",
};

const client = new OpenAI();
const messages = [{
  role: "user",
  content: `${task.instruction}\n\nFiles:\n${bullets([...files.keys()])}\nFiles to produce:\n${bullets(task.targets)}`,
}];
for (let finished = false; !finished; ) {
  const completion = await client.chat.completions.create({
    model: process.env.OPENAI_MODEL,
    messages,
    tools: [tool("read_file", "path"), tool("write_file", "path", "content"), tool("delete_file", "path"), tool("finish")],
  });
  const { message } = completion.choices[0];
  messages.push(message);
  for (const call of message.tool_calls) {
    const { name, arguments: args } = call.function;
    messages.push({ role: "tool", tool_call_id: call.id, content: perform[name](JSON.parse(args)) });
    finished ||= name === "finish";
  }
}
console.log(JSON.stringify(Object.fromEntries(files)));
