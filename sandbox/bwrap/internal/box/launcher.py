# Makes the one socket that listens in the command's network and hands it to agentd. When
# agentd gives the signal, this process becomes the command.
import os, socket, sys

ready, go, channel, port, *command = sys.argv[1:]
out = socket.socket(fileno=int(channel))
if port:
    listener = socket.create_server(("127.0.0.1", int(port)), backlog=64)
    socket.send_fds(out, [b"listener"], [listener.detach()])
out.close()
os.write(int(ready), b"\n")
if not os.read(int(go), 1):
    os._exit(1)  # agentd has ended
os.closerange(3, 64)
os.execv(command[0], command)
