# This is the sitecustomize of the zygote. Python calls serve just before it runs the
# script, when it checks whether the script is an archive to import from. serve forks a
# server for each interaction into new namespaces. The server forks for one script after
# the other, ends what each leaves running, and reports how it ended. In the script's
# process, serve returns and Python runs /run/script.py as usual. By then, that file is
# the script, in folders of its own.
#
#   zygote   forks servers; has no limits and never sees a script
#   server   the first process of an interaction's namespaces, in which it has all
#            rights; takes no signal from a script, and lets none into its memory
#   script   returns from serve, or becomes a fresh interpreter
#
# The server can prepare everything for the next script before it arrives.
def serve(usual):
    import sys
    import atexit, ctypes, gc, os, _io, _signal, _socket, _weakref

    CHANNEL = 11  # the number that agentd gives our end; a server has its own there
    libc = ctypes.PyDLL(None, use_errno=True)  # which keeps other threads out

    def call(function, *arguments):
        got = function(*arguments)
        if got < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), function.__name__)
        return got

    NEWNS, NEWCGROUP, NEWIPC, NEWUSER, NEWPID, NEWNET = 0x20000, 0x2000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000
    SIGCHLD, DEFAULT, IGNORE = 17, None, ctypes.c_void_p(1)
    WALL, ECHILD = 0x40000000, 10
    RDONLY, NOSUID, NODEV, NOEXEC, REMOUNT, BIND, DETACH = 1, 2, 4, 8, 32, 4096, 2

    class Program(ctypes.Structure):  # struct sock_fprog
        _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_char_p)]

    def mount(kind, at, flags, data=b""):
        call(libc.mount, kind, at, kind, ctypes.c_ulong(flags), data)

    def write(path, data):
        fd = os.open(path, os.O_WRONLY | os.O_CREAT, 0o644)
        os.write(fd, data)
        os.close(fd)

    def receive(channel):
        data, parts, _, _ = channel.recvmsg(1 << 16, 1 << 10)
        return data, [int.from_bytes(raw[i:i + 4], "little") for _, _, raw in parts for i in range(0, len(raw), 4)]

    def send(channel, data, *fds):
        raw = b"".join(fd.to_bytes(4, "little") for fd in fds)
        channel.sendmsg([data], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, raw)])

    def complain(to, e):
        try:
            os.write(to, b"%a" % e)
        except OSError:
            pass  # nobody listens any more

    # clone forks into new namespaces, in which it has all rights. Zero is the child.
    def clone(namespaces):
        number = {"x86_64": 56, "aarch64": 220}[os.uname().machine]
        return call(libc.syscall, number, ctypes.c_ulong(namespaces | SIGCHLD), *[ctypes.c_ulong(0)] * 4)

    def identify():
        write("/proc/self/setgroups", b"deny")
        write("/proc/self/uid_map", b"1000 1000 1")
        write("/proc/self/gid_map", b"1000 1000 1")

    # furnish makes the folders of the next script.
    def furnish():
        for path, options in (b"/tmp", b"mode=755,size=%d" % tmp), (b"/work", b"mode=755,size=1t"), (b"/run", b"mode=700"):
            mount(b"tmpfs", path, NOSUID | NODEV, options)
            furniture.append(path)
        os.mkdir("/work/workspace")
        os.mkdir("/run/site")
        write("/run/site/sitecustomize.py", b"")
        os.symlink("sitecustomize.py", "/run/site/usercustomize.py")
        folders = [os.open(path, os.O_RDONLY | os.O_DIRECTORY) for path in ("/work", "/tmp", "/run")]
        # Through its descriptor agentd can still write to this mount of /run.
        # Scripts see another on top of it, to which nobody can.
        call(libc.mount, b"/run", b"/run", None, ctypes.c_ulong(BIND), None)
        furniture.append(b"/run")
        call(libc.mount, None, b"/run", None, ctypes.c_ulong(REMOUNT | BIND | RDONLY | NOSUID | NODEV), None)
        return folders

    # clear unmounts them. A folder that agentd still reads exists until it is closed.
    def clear():
        while furniture:
            call(libc.umount2, furniture.pop(), DETACH)

    # settle makes a server of a fork. It returns the filter of scripts' system calls,
    # whether each is to have a fresh interpreter, and how large /tmp may become.
    def settle():
        os.setsid()
        os.chdir("/")
        libc.signal(SIGCHLD, DEFAULT)
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)  # Python's only handler, which scripts could call
        identify()
        mount(b"proc", b"/proc", NOSUID | NODEV | NOEXEC)
        network = _socket.socket(_socket.AF_INET, _socket.SOCK_DGRAM)
        up = b"lo".ljust(16, b"\0") + b"\1".ljust(24, b"\0")  # struct ifreq, IFF_UP
        call(libc.ioctl, network.fileno(), ctypes.c_ulong(0x8914), up)  # SIOCSIFFLAGS
        network.close()
        me = os.pidfd_open(os.getpid())
        send(channel, b"settled", me)
        os.close(me)
        program, _ = receive(channel)
        call(libc.unshare, NEWCGROUP)  # now that agentd has put us into one
        request, _ = receive(channel)
        fresh, tmp, *limits = map(int, request.split())
        # address space, processes, file size, core
        for resource, most in zip((9, 6, 1, 4), limits):
            call(libc.prlimit64, 0, resource, (ctypes.c_ulonglong * 2)(most, most), None)
        for capability in range(64):
            if libc.prctl(24, capability, 0, 0, 0) < 0:  # PR_CAPBSET_DROP
                break
        call(libc.prctl, 4, 0, 0, 0, 0)  # PR_SET_DUMPABLE: its files in /proc are nobody's
        return program, fresh, tmp

    # renumber has the next script's process numbered as the first one's was. Where
    # the kernel cannot, scripts see from theirs how many there were before.
    def renumber():
        try:
            write("/proc/sys/kernel/ns_last_pid", b"1")
        except OSError:
            pass

    # confine takes a script's rights. Its limits and the rights that programs could
    # bring are the server's too.
    def confine():
        call(libc.unshare, NEWIPC)
        call(libc.capset, (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)())
        call(libc.prctl, 22, 2, ctypes.byref(Program(len(program) // 8, program)), 0, 0)  # PR_SET_SECCOMP

    # rehearse does what scripts do, so that memory which is shared with the server is
    # copied before the script arrives.
    def rehearse():
        code = compile(REHEARSAL, "/run/script.py", "exec")
        exec(code, {"__name__": "__rehearsal__", "__builtins__": __builtins__})

    def script(gate):
        call(libc.prctl, 4, 1, 0, 0, 0)
        confine()
        if not fresh:
            rehearse()
        gate.send(b"ready")
        cwd, streams = receive(gate)
        if not cwd:
            os._exit(1)
        gate.close()
        os.chdir(cwd)
        if os.environb[b"PWD"] != cwd:
            os.environb[b"PWD"] = cwd
        _signal.signal(_signal.SIGINT, _signal.default_int_handler)
        for at, stream in enumerate(streams, 1):
            os.dup2(stream, at)
            os.close(stream)
        if fresh:
            os.execv(sys.executable, sys.orig_argv)
        # What the script would find in the workspace before the library's must
        # not be hidden by what is loaded.
        if not early.isdisjoint(name.partition(".")[0] for name in os.listdir("/work/workspace")):
            for name in early:
                sys.modules.pop(name, None)
        for path in ("/run/site", "/work/workspace", "/work"):
            sys.path_importer_cache.pop(path, None)
        atexit.register(leave)  # first of all, so called last of all

    # leave ends a script at once where that has the same effect as Python's own slow
    # end: where the script came to its last line and nothing that it left has anything
    # more to do. Otherwise it returns, and Python ends as usual.
    def leave():
        # Python takes these names away after the last line of a script, but not
        # when it raises SystemExit. After other exceptions there is last_type.
        names = main.__dict__
        if "__file__" in names or "__cached__" in names or "__name__" not in names or hasattr(sys, "last_type"):
            return
        if sys.stdout is not stdout or sys.stderr is not stderr or gc.callbacks or gc.get_debug():
            return
        left = gc.get_objects()
        if len(sys._current_frames()) > 1 or len(left) > 20000 or any(map(unfinished, left)):
            return
        for kind in set(map(type, left)) - Files:
            if any("__del__" in attribute(base, "__dict__") for base in attribute(kind, "__mro__")):
                return
        try:
            stdout.flush()
            stderr.flush()
        except BaseException:
            return  # to fail once more
        libc.fflush(None)
        end(0)

    # unfinished reports whether Python's end could do something for an object
    # that is not seen from its type.
    def unfinished(thing):
        kind = type(thing)
        if issubclass(kind, type):  # its objects need not be among those seen
            return "__del__" in attribute(thing, "__dict__")
        if kind is Module:  # one in C may keep things to be done
            return thing is not main and not str(thing.__dict__.get("__file__")).endswith(".py")
        if issubclass(kind, Reference):
            return thing.__callback__ is not None
        if kind in Files:
            try:
                return not thing.closed
            except Exception:  # it is detached
                return True
        return issubclass(kind, Module)

    # attend waits for a script to arrive and to end, and ends what it leaves running.
    def attend(child):
        # Meanwhile, agentd writes the workspace's files.
        room, _ = receive(channel)
        if not room:  # agentd has closed it
            os._exit(0)
        mount(b"tmpfs", b"/work", NOSUID | NODEV | REMOUNT, b"size=" + room)
        channel.send(b"fits")
        while True:
            pid, status = os.wait()
            if pid == child:
                break
        # No process that is left can fork on the way, and when there is no child
        # to wait for there is no other process: all are ours, or become so.
        libc.kill(-1, 9)
        while libc.waitpid(-1, None, WALL) > 0 or ctypes.get_errno() != ECHILD:
            pass
        channel.send(b"%d" % os.waitstatus_to_exitcode(status))
        clear()
        if not receive(channel)[0]:  # it asks for the next otherwise
            os._exit(0)

    def refuse(path):
        raise ImportError  # that is, no archive

    hooks, sys.path_hooks = sys.path_hooks, sys.path_hooks[1:]
    os.closerange(3, CHANNEL)  # what bwrap left open
    channel = _socket.socket(fileno=CHANNEL)
    # What scripts import most often. None keeps what it should not share, but
    # random, which begins anew after a fork.
    import collections, csv, datetime, functools, glob, io, itertools, json, math, pathlib, random, re, string
    early = set(sys.modules) - usual
    Module, Reference, attribute = type(sys), _weakref.ref, type.__getattribute__
    Files = {_io.FileIO, _io.BufferedReader, _io.BufferedWriter, _io.TextIOWrapper}
    stdout, stderr, end = sys.stdout, sys.stderr, os._exit  # whatever scripts make of them
    for name in "capset", "kill", "mount", "prctl", "prlimit64", "syscall", "umount2", "unshare", "waitpid":
        getattr(libc, name)  # found once for all
    # Objects that exist already are hidden from every script's garbage collector, which
    # would take longer with them than all else. So the main module must be made anew, or
    # it would not be collected at the end of the script.
    gc.collect()
    libc.malloc_trim(0)
    gc.freeze()
    libc.signal(SIGCHLD, IGNORE)  # nobody waits for servers
    while True:
        _, fds = receive(channel)
        if not fds:  # agentd has closed it
            os._exit(0)
        try:
            if clone(NEWUSER | NEWPID | NEWNET | NEWNS) == 0:
                break
        except OSError as e:
            complain(fds[0], e)
        os.close(fds[0])
    os.dup2(fds[0], CHANNEL)
    os.close(fds[0])
    try:
        program, fresh, tmp = settle()
    except BaseException as e:
        complain(CHANNEL, e)
        os._exit(1)
    furniture = []  # what is mounted for one script, in that order
    while True:
        try:
            folders = furnish()
            gate, opening = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_SEQPACKET)
            opening.setblocking(False)  # as agentd's end should be
            renumber()
            child = os.fork()
            if child != 0:
                gate.close()
                send(channel, b"next", opening.fileno(), *folders)
                opening.close()
                for fd in folders:
                    os.close(fd)
                attend(child)
                continue
        except BaseException as e:
            complain(CHANNEL, e)
            os._exit(1)
        channel.close()
        opening.close()
        for fd in folders:
            os.close(fd)
        try:
            script(gate)
        except BaseException as e:
            complain(gate.fileno(), e)
            os._exit(1)
        hooks[:] = [refuse] * len(hooks)  # those that Python is going through
        main = Module("__main__")
        main.__dict__.update(sys.modules["__main__"].__dict__, __annotations__={})
        sys.modules["__main__"] = main
        return


REHEARSAL = """
import os
counts = {}
with open("/run/site/sitecustomize.py") as file:
    for line in file.read().split(): counts[line] = len(line)
with open(os.devnull, "w") as file: print(f"{len(counts):>5}", file=file)
"""


def wait():
    import sys
    usual = set(sys.modules)  # loaded in every interpreter

    def hook(path):
        if path == sys.argv[0]:
            serve(usual)
        raise ImportError

    sys.path_hooks.insert(0, hook)


wait()
