# Becomes a command, having handed a listener at 127.0.0.1 out of the sandbox.
import os, socket, sys

channel, port, command = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
out = socket.socket(fileno=channel)
if port:
    listener = socket.socket()
    listener.bind(("127.0.0.1", port))
    listener.listen(64)
    socket.send_fds(out, [b"listener"], [listener.fileno()])
    listener.close()
out.close()
try:
    os.execvp(command[0], command)
except OSError as e:
    print(f"{command[0]}: {e.strerror}", file=sys.stderr)
    os._exit(127)
