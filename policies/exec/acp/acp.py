"""Runs an agent of the Agent Client Protocol, which speaks by its standard input and
output, and carries what it says to agentd and back. The arguments are the agent's command."""

import os
import socket
import subprocess
import sys
import threading

connection = socket.create_connection(("127.0.0.1", 8000))
connection.sendall(b"GET /acp HTTP/1.1\r\nHost: agentd\r\nConnection: Upgrade\r\nUpgrade: acp\r\n\r\n")
head = b""
while not head.endswith(b"\r\n\r\n"):
    byte = connection.recv(1)
    if not byte:
        sys.exit("agentd closed the connection")
    head += byte
try:
    agent = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
except OSError as e:
    sys.exit(f"{sys.argv[1]}: {e.strerror}")
over = threading.Event()  # agentd has ended the conversation


def to_agent():
    while data := received():
        try:
            agent.stdin.write(data)
            agent.stdin.flush()
        except OSError:
            pass  # it has ended, or does not listen any more
    over.set()
    try:
        agent.stdin.close()
    except OSError:
        pass
    threading.Timer(2, agent.kill).start()


def received():
    try:
        return connection.recv(65536)
    except OSError:
        return b""


def from_agent():
    try:
        while data := os.read(agent.stdout.fileno(), 65536):
            connection.sendall(data)
    except OSError:
        pass


threading.Thread(target=to_agent, daemon=True).start()
answers = threading.Thread(target=from_agent, daemon=True)
answers.start()
status = agent.wait()
told = over.is_set()  # it was to end
answers.join(2)  # what it left running may hold its output open
try:
    connection.shutdown(socket.SHUT_WR)
except OSError:
    pass
over.wait(10)  # agentd has read what was said
sys.stderr.flush()
os._exit(0 if told else status if status >= 0 else 128 - status)
