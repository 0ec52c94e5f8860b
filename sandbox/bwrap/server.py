# This is the sitecustomize of a warm interpreter. Python imports it as it
# starts, after everything that a script needs and before the script itself.
# Here it waits, and for each script forks into new namespaces. There the import
# returns, and Python goes on to run /run/script.py as it always does: by then
# that is the script, in a file system of its own.
#
#   server   waits for scripts; no script can see it or send it a signal
#   init     the first process of a script's namespaces; tells how it ended
#   script   returns from this module
def serve():
    import ctypes, gc, os, sys, _socket

    CHANNEL = 9  # the number that agentd gives our end
    libc = ctypes.PyDLL(None, use_errno=True)  # which keeps other threads out

    def call(function, *arguments):
        got = function(*arguments)
        if got < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), function.__name__)
        return got

    NEWNS, NEWIPC, NEWUSER, NEWPID, SIGCHLD = 0x20000, 0x8000000, 0x10000000, 0x20000000, 17
    RDONLY, NOSUID, NODEV, NOEXEC, REMOUNT, BIND = 1, 2, 4, 8, 32, 4096

    class Program(ctypes.Structure):  # struct sock_fprog
        _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_char_p)]

    def mount(kind, at, flags, data=b""):
        call(libc.mount, kind, at, kind, ctypes.c_ulong(flags), data)

    def write(path, data):
        fd = os.open(path, os.O_WRONLY | os.O_CREAT, 0o644)
        while data:
            data = data[os.write(fd, data):]
        os.close(fd)

    def receive(channel):
        data, parts, _, _ = channel.recvmsg(1 << 16, 1 << 10)
        return data, [int.from_bytes(raw[i:i + 4], "little") for _, _, raw in parts for i in range(0, len(raw), 4)]

    def send(channel, data, *fds):
        raw = b"".join(fd.to_bytes(4, "little") for fd in fds)
        channel.sendmsg([data], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, raw)] if fds else [])

    def furnish():
        write("/proc/self/setgroups", b"deny")
        write("/proc/self/uid_map", b"1000 1000 1")
        write("/proc/self/gid_map", b"1000 1000 1")
        mount(b"proc", b"/proc", NOSUID | NODEV | NOEXEC)
        mount(b"tmpfs", b"/tmp", NOSUID | NODEV, b"mode=755,size=4096")
        mount(b"tmpfs", b"/workspace", NOSUID | NODEV, b"mode=755,size=4096")
        mount(b"tmpfs", b"/run", NOSUID | NODEV, b"mode=700")
        os.mkdir("/run/site")
        write("/run/site/sitecustomize.py", b"")
        os.symlink("sitecustomize.py", "/run/site/usercustomize.py")
        os.chdir("/workspace")

    def fit(tmp, room, text):
        mount(b"tmpfs", b"/tmp", NOSUID | NODEV | REMOUNT, b"size=%d" % tmp)
        mount(b"tmpfs", b"/workspace", NOSUID | NODEV | REMOUNT, b"size=%d" % room)
        out = os.open("/run/script.py", os.O_WRONLY | os.O_CREAT, 0o600)
        while os.sendfile(out, text, None, 1 << 30):
            pass
        os.close(out)
        mount(b"tmpfs", b"/run", NOSUID | NODEV | RDONLY | REMOUNT)

    def confine(limits, program):
        for resource, most in limits:
            pair = (ctypes.c_ulonglong * 2)(most, most)
            call(libc.prlimit64, 0, resource, pair, None)
        for capability in range(64):
            if libc.prctl(24, capability, 0, 0, 0) < 0:  # PR_CAPBSET_DROP
                break
        call(libc.capset, (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)())
        call(libc.prctl, 22, 2, ctypes.byref(Program(len(program) // 8, program)), 0, 0)  # PR_SET_SECCOMP

    def script(init, program):
        limits, streams = receive(init)
        if not limits:
            os._exit(1)
        init.close()
        for at, stream in enumerate(streams, 1):
            os.dup2(stream, at)
            os.close(stream)
        # address space, processes, file size, core
        confine(zip((9, 6, 1, 4), map(int, limits.split())), program)

    def init(server, program):
        os.close(CHANNEL)
        os.setsid()
        furnish()
        folders = [os.open(path, os.O_RDONLY | os.O_DIRECTORY) for path in ("/workspace", "/tmp")]
        me = os.pidfd_open(os.getpid())
        near, far = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_SEQPACKET)
        child = os.fork()
        if child == 0:
            for fd in (*folders, me):
                os.close(fd)
            server.close()
            near.close()
            return script(far, program)
        far.close()
        request, fds = receive(server)
        if not request:
            os._exit(0)
        server.close()
        stdout, stderr, control, text = fds
        tmp, room, *most = map(int, request.split())
        fit(tmp, room, text)
        channel = _socket.socket(fileno=control)
        send(channel, b"ready", *folders, me)
        for fd in (*folders, me, text):
            os.close(fd)
        if channel.recv(1) != b"g":
            os._exit(1)
        send(near, " ".join(map(str, most)).encode(), stdout, stderr)
        near.close()
        for fd in (0, 1, 2, stdout, stderr):
            os.close(fd)
        while True:
            pid, status = os.wait()
            if pid == child:
                channel.send(str(os.waitstatus_to_exitcode(status)).encode())
                os._exit(0)

    os.closerange(3, CHANNEL)  # what bwrap left open
    channel = _socket.socket(fileno=CHANNEL)
    program, _ = receive(channel)
    syscall = libc.syscall
    CLONE = {"x86_64": 56, "aarch64": 220}[os.uname().machine]
    # What is here already need not be looked at again by every script's garbage
    # collector, which takes longer than the whole rest. The main module must be
    # made anew then, or it would not be collected at the end of the script.
    gc.collect()
    gc.freeze()
    channel.send(b"ready")
    while True:
        # The next script's namespaces are made before it comes.
        near, far = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_SEQPACKET)
        flags = ctypes.c_ulong(NEWUSER | NEWPID | NEWNS | NEWIPC | SIGCHLD)
        pid = call(syscall, CLONE, flags, *[ctypes.c_ulong(0)] * 4)
        if pid == 0:
            near.close()
            try:
                init(far, program)
            except BaseException as e:
                os.write(2, ("preparing a script: %r\n" % e).encode())
                os._exit(1)
            channel.detach()
            main = type(sys)("__main__")
            main.__dict__.update(sys.modules["__main__"].__dict__, __annotations__={})
            sys.modules["__main__"] = main
            return
        far.close()
        request, fds = receive(channel)
        if not request:
            os._exit(0)
        try:
            send(near, request, *fds)
        except OSError:
            pass  # it has ended; that its fds close says so
        near.close()
        for fd in fds:
            os.close(fd)
        os.waitpid(pid, 0)


serve()
del serve
