#!/usr/bin/env python3
# Sends agentd requests that were made to use up its memory, all at the same time.
import http.client
import threading


def post(path, body):
    for _ in range(3):
        try:
            connection = http.client.HTTPConnection("127.0.0.1", 8000, timeout=60)
            connection.request("POST", path, body, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            print(path, len(body), answer.status, answer.read()[:100])
        except Exception as error:
            print(path, len(body), repr(error)[:100])


requests = []
for size in 60 << 20, 15 << 20:
    empty, text = b"{}," * (size // 3) + b"{}", b"x" * size
    requests.append(("/v1/chat/completions", b'{"messages":[' + empty + b"]}"))
    requests.append(("/v1/chat/completions", b'{"messages":[{"role":"user","content":"' + text + b'"}]}'))
    requests.append(("/v1/responses", b'{"input":"' + text + b'"}'))
    requests.append(("/mcp", b"[" + empty + b"]"))
threads = [threading.Thread(target=post, args=request) for request in requests for _ in range(2)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
