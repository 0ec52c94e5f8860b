// A tool-calling interaction by the clients that the makers of models publish, as openai.mjs
// does it. The arguments name the dialect, and stream or create. The server is the one
// that SIM_URL names. Models reason, and what they reasoned goes back as it came.
import { readFileSync } from "node:fs";

const [dialect, way] = process.argv.slice(2);
const task = JSON.parse(readFileSync(0, "utf8"));
const files = new Map(Object.entries(task.files));
const bullets = (names) => names.map((name) => `- ${name}\n`).join("");
const prompt = `${task.instruction}\n\nFiles:\n${bullets([...files.keys()])}\nFiles to produce:\n${bullets(task.targets)}`;
const parameters = {
  read_file: ["path"],
  write_file: ["path", "content"],
  delete_file: ["path"],
  finish: [],
};
const perform = {
  read_file: ({ path }) => files.get(path),
  write_file: ({ path, content }) => (files.set(path, content), "written"),
  delete_file: ({ path }) => (files.delete(path), "deleted"),
  finish: () => "done",
};
const schema = (name) => ({
  type: "object",
  properties: Object.fromEntries(parameters[name].map((p) => [p, { type: "string" }])),
  required: parameters[name],
});
const names = Object.keys(perform);
const server = process.env.SIM_URL;
const model = "sim:perfect";

// Each turn takes the answers to the calls before and returns the calls that come next.
const dialects = {
  async chat() {
    const { default: OpenAI } = await import("openai");
    const client = new OpenAI({ baseURL: `${server}/v1`, apiKey: "none" });
    const messages = [{ role: "user", content: prompt }];
    return async (answers) => {
      messages.push(...answers.map(({ id, text }) => ({ role: "tool", tool_call_id: id, content: text })));
      const request = { model, messages, tools: names.map((name) => ({ type: "function", function: { name, parameters: schema(name) } })) };
      const completion = way === "stream" ? await client.chat.completions.stream(request).finalChatCompletion() : await client.chat.completions.create(request);
      const { role, content, tool_calls } = completion.choices[0].message;
      messages.push({ role, content, tool_calls });
      return (tool_calls ?? []).map(({ id, function: f }) => ({ id, name: f.name, args: JSON.parse(f.arguments) }));
    };
  },
  async responses() {
    const { default: OpenAI } = await import("openai");
    const client = new OpenAI({ baseURL: `${server}/v1`, apiKey: "none" });
    const input = [{ role: "user", content: prompt }];
    return async (answers) => {
      input.push(...answers.map(({ id, text }) => ({ type: "function_call_output", call_id: id, output: text })));
      const request = {
        model, input, store: false, include: ["reasoning.encrypted_content"], reasoning: { effort: "high", summary: "auto" },
        tools: names.map((name) => ({ type: "function", name, parameters: schema(name), strict: false })),
      };
      const response = way === "stream" ? await client.responses.stream(request).finalResponse() : await client.responses.create(request);
      input.push(...response.output);
      return response.output.filter((item) => item.type === "function_call")
        .map((item) => ({ id: item.call_id, name: item.name, args: JSON.parse(item.arguments) }));
    };
  },
  async messages() {
    const { default: Anthropic } = await import("@anthropic-ai/sdk");
    const client = new Anthropic({ baseURL: server, apiKey: "none" });
    const messages = [{ role: "user", content: prompt }];
    return async (answers) => {
      if (answers.length > 0) {
        messages.push({ role: "user", content: answers.map(({ id, text }) => ({ type: "tool_result", tool_use_id: id, content: text })) });
      }
      const request = {
        model, max_tokens: 20000, messages, thinking: { type: "enabled", budget_tokens: 2000 },
        tools: names.map((name) => ({ name, input_schema: schema(name) })),
      };
      const answer = way === "stream" ? await client.messages.stream(request).finalMessage() : await client.messages.create(request);
      messages.push({ role: "assistant", content: answer.content });
      return answer.content.filter((block) => block.type === "tool_use").map((block) => ({ id: block.id, name: block.name, args: block.input }));
    };
  },
  async gemini() {
    const { GoogleGenAI } = await import("@google/genai");
    const client = new GoogleGenAI({ apiKey: "none", httpOptions: { baseUrl: server } });
    const contents = [{ role: "user", parts: [{ text: prompt }] }];
    return async (answers) => {
      if (answers.length > 0) {
        contents.push({ role: "user", parts: answers.map(({ name, text }) => ({ functionResponse: { name, response: { output: text } } })) });
      }
      const request = {
        model, contents,
        config: {
          thinkingConfig: { includeThoughts: true },
          tools: [{ functionDeclarations: names.map((name) => ({ name, parametersJsonSchema: schema(name) })) }],
        },
      };
      const parts = [];
      if (way === "stream") {
        for await (const piece of await client.models.generateContentStream(request)) {
          parts.push(...(piece.candidates?.[0]?.content?.parts ?? []));
        }
      } else {
        parts.push(...(await client.models.generateContent(request)).candidates[0].content.parts);
      }
      contents.push({ role: "model", parts });
      return parts.filter((part) => part.functionCall).map(({ functionCall }) => ({ name: functionCall.name, args: functionCall.args ?? {} }));
    };
  },
};

const turn = await dialects[dialect]();
let answers = [];
for (let finished = false; !finished; ) {
  const calls = await turn(answers);
  answers = calls.map(({ id, name, args }) => ({ id, name, text: perform[name](args) }));
  finished = calls.length === 0 || calls.some(({ name }) => name === "finish");
}
console.log(JSON.stringify(Object.fromEntries(files)));
