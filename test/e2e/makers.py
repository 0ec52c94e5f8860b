"""A tool-calling interaction by the clients for Python that the makers of models publish, as
makers.mjs does it."""

import json
import os
import sys

dialect, way = sys.argv[1:]
task = json.load(sys.stdin)
files = dict(task["files"])


def bullets(names):
    return "".join(f"- {name}\n" for name in names)


prompt = f"{task['instruction']}\n\nFiles:\n{bullets(files)}\nFiles to produce:\n{bullets(task['targets'])}"
parameters = {"read_file": ["path"], "write_file": ["path", "content"], "delete_file": ["path"], "finish": []}
server, model = os.environ["SIM_URL"], "sim:perfect"


def schema(name):
    return {"type": "object", "properties": {p: {"type": "string"} for p in parameters[name]}, "required": parameters[name]}


def perform(name, args):
    match name:
        case "read_file":
            return files[args["path"]]
        case "write_file":
            files[args["path"]] = args["content"]
        case "delete_file":
            del files[args["path"]]
    return "done"


# Each turn takes the answers to the calls before and returns the calls that come next.


def chat():
    import openai

    client = openai.OpenAI(base_url=server + "/v1", api_key="none")
    messages = [{"role": "user", "content": prompt}]
    tools = [{"type": "function", "function": {"name": name, "parameters": schema(name)}} for name in parameters]

    def turn(answers):
        messages.extend({"role": "tool", "tool_call_id": id, "content": text} for id, _, text in answers)
        if way == "stream":
            with client.chat.completions.stream(model=model, messages=messages, tools=tools) as stream:
                message = stream.get_final_completion().choices[0].message
        else:
            message = client.chat.completions.create(model=model, messages=messages, tools=tools).choices[0].message
        messages.append({
            "role": "assistant",
            "content": message.content,
            "tool_calls": [{"id": c.id, "type": "function", "function": {"name": c.function.name, "arguments": c.function.arguments}} for c in message.tool_calls],
        })
        return [(c.id, c.function.name, json.loads(c.function.arguments)) for c in message.tool_calls]

    return turn


def responses():
    import openai

    client = openai.OpenAI(base_url=server + "/v1", api_key="none")
    conversation = [{"role": "user", "content": prompt}]
    tools = [{"type": "function", "name": name, "parameters": schema(name), "strict": False} for name in parameters]

    def turn(answers):
        conversation.extend({"type": "function_call_output", "call_id": id, "output": text} for id, _, text in answers)
        request = dict(
            model=model, input=conversation, tools=tools, store=False,
            include=["reasoning.encrypted_content"], reasoning={"effort": "high", "summary": "auto"},
        )
        if way == "stream":
            with client.responses.stream(**request) as stream:
                response = stream.get_final_response()
        else:
            response = client.responses.create(**request)
        conversation.extend(item.model_dump(exclude_none=True, exclude={"parsed_arguments"}) for item in response.output)
        return [(i.call_id, i.name, json.loads(i.arguments)) for i in response.output if i.type == "function_call"]

    return turn


def messages():
    import anthropic

    client = anthropic.Anthropic(base_url=server, api_key="none")
    conversation = [{"role": "user", "content": prompt}]
    tools = [{"name": name, "input_schema": schema(name)} for name in parameters]

    def turn(answers):
        if answers:
            conversation.append({"role": "user", "content": [{"type": "tool_result", "tool_use_id": id, "content": text} for id, _, text in answers]})
        request = dict(model=model, max_tokens=20000, messages=conversation, tools=tools, thinking={"type": "enabled", "budget_tokens": 2000})
        if way == "stream":
            with client.messages.stream(**request) as stream:
                answer = stream.get_final_message()
        else:
            answer = client.messages.create(**request)
        conversation.append({"role": "assistant", "content": [b.model_dump(exclude_none=True, include={"type", "text", "thinking", "signature", "id", "name", "input"}) for b in answer.content]})
        return [(b.id, b.name, b.input) for b in answer.content if b.type == "tool_use"]

    return turn


def gemini():
    from google import genai
    from google.genai import types

    client = genai.Client(api_key="none", http_options=types.HttpOptions(base_url=server))
    contents = [types.Content(role="user", parts=[types.Part(text=prompt)])]
    declared = [types.FunctionDeclaration(name=name, parameters_json_schema=schema(name)) for name in parameters]
    config = types.GenerateContentConfig(tools=[types.Tool(function_declarations=declared)], thinking_config=types.ThinkingConfig(include_thoughts=True))

    def turn(answers):
        if answers:
            contents.append(types.Content(role="user", parts=[types.Part.from_function_response(name=name, response={"output": text}) for _, name, text in answers]))
        if way == "stream":
            parts = [
                part
                for piece in client.models.generate_content_stream(model=model, contents=contents, config=config)
                for part in piece.candidates[0].content.parts or []
            ]
        else:
            parts = client.models.generate_content(model=model, contents=contents, config=config).candidates[0].content.parts
        contents.append(types.Content(role="model", parts=parts))
        return [(None, part.function_call.name, part.function_call.args or {}) for part in parts if part.function_call]

    return turn


turn = {"chat": chat, "responses": responses, "messages": messages, "gemini": gemini}[dialect]()
answers, finished = [], False
while not finished:
    calls = turn(answers)
    answers = [(id, name, perform(name, args)) for id, name, args in calls]
    finished = not calls or any(name == "finish" for _, name, _ in calls)
print(json.dumps(files))
