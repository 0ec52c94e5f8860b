# The first process of a container. It outlives every script of an interaction.
# It runs as another user than the scripts, so they can neither signal nor inspect
# it. It may kill them and remove their files, and has no other privilege.
#
# It first hands the folders that scripts can write to over to agentd, and for a
# command a listener at the port that it is told, the one address that answers there.
# Then it carries out the requests on standard input, and answers each with a line:
#
#   file NAME N  take the next N bytes as a file in /run
#   kill         end every process but this one
#   clear        empty the folders
#
# The end of its standard input means that agentd has ended. Then it ends as well,
# and the kernel ends every other process of the container with it.
import os, shutil, signal, socket, stat, sys, time

FOLDERS = ["/work", "/tmp"]

def hand_over():
    handed = [os.open(name, os.O_RDONLY | os.O_DIRECTORY) for name in FOLDERS]
    for port in sys.argv[1:]:
        handed.append(socket.create_server(("127.0.0.1", int(port))).detach())
    with socket.socket(socket.AF_UNIX) as host:
        host.connect("/run/host")
        socket.send_fds(host, [b"folders"], handed)
    for fd in handed:
        os.close(fd)

def others():
    return any(name.isdigit() and name != "1" for name in os.listdir("/proc"))

def kill():
    # One call reaches every process but this one, and none can fork on the way:
    # a fork bomb is over at once.
    while others():
        try:
            os.kill(-1, signal.SIGKILL)
        except ProcessLookupError:
            pass
        time.sleep(0.0005)

def clear():
    for folder in FOLDERS:
        for attribute in os.listxattr(folder):
            os.removexattr(folder, attribute)
        for entry in list(os.scandir(folder)):
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path)  # follows no link
            else:
                os.unlink(entry.path)

def write(name, text):
    with open(b"/run/" + name, "wb") as file:
        file.write(text)

def answer(question):
    try:
        if question[0] == b"file":
            write(question[1], sys.stdin.buffer.read(int(question[2])))
        elif question[0] == b"kill":
            kill()
        elif question[0] == b"clear":
            clear()
        return "done"
    except Exception as error:  # such as folders nested a thousand deep
        return type(error).__name__

def shield():
    # Python imports these modules unasked. A script could leave its own in the
    # workspace, which is later on the path.
    os.mkdir("/run/site")
    for name in ("sitecustomize", "usercustomize"):
        open(f"/run/site/{name}.py", "w").close()

signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # orphans are waited for by the kernel
shield()
hand_over()
for line in iter(sys.stdin.buffer.readline, b""):
    print(answer(line.split()), flush=True)
