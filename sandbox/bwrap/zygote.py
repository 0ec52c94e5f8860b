# This is the sitecustomize of the zygote. It has Python call serve as the last
# thing before the script, when it asks whether that is an archive to import from.
# There it forks a server for each interaction, which forks into new namespaces
# for the next script and waits until that has come and gone. In the script's
# process serve returns, and Python goes on to run /run/script.py as it always
# does: by then that is the script, in a file system of its own.
#
#   zygote   forks servers; knows no limits and sees no script
#   server   the first process of an interaction's namespaces; forks for scripts,
#            none of which can see it or send it a signal
#   init     the first process of a script's namespaces; tells how it ended
#   script   returns from serve, or becomes a fresh interpreter
#
# All that can be done before a script comes is done before it comes.
def serve(usual):
    import sys
    import atexit, ctypes, gc, os, _io, _socket, _weakref

    CHANNEL = 9  # the number that agentd gives our end; a server has its own there
    libc = ctypes.PyDLL(None, use_errno=True)  # which keeps other threads out

    def call(function, *arguments):
        got = function(*arguments)
        if got < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), function.__name__)
        return got

    NEWNS, NEWCGROUP, NEWIPC, NEWUSER, NEWPID, NEWNET = 0x20000, 0x2000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000
    SIGINT, SIGCHLD, DEFAULT, IGNORE = 2, 17, None, ctypes.c_void_p(1)
    WALL, ECHILD = 0x40000000, 10
    RDONLY, NOSUID, NODEV, NOEXEC, REMOUNT, BIND = 1, 2, 4, 8, 32, 4096

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

    def pair():
        ours, agentds = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_SEQPACKET)
        agentds.setblocking(False)
        return ours, agentds

    def furnish():
        identify()
        mount(b"proc", b"/proc", NOSUID | NODEV | NOEXEC)
        mount(b"tmpfs", b"/tmp", NOSUID | NODEV, b"mode=755,size=%d" % tmp)
        mount(b"tmpfs", b"/workspace", NOSUID | NODEV, b"mode=755,size=1t")  # see init
        mount(b"tmpfs", b"/run", NOSUID | NODEV, b"mode=700")
        os.mkdir("/run/site")
        write("/run/site/sitecustomize.py", b"")
        os.symlink("sitecustomize.py", "/run/site/usercustomize.py")
        folders = [os.open(path, os.O_RDONLY | os.O_DIRECTORY) for path in ("/workspace", "/tmp", "/run")]
        # Through its descriptor agentd can still write to this mount of /run.
        # Scripts see another on top of it, to which nobody can.
        call(libc.mount, b"/run", b"/run", None, ctypes.c_ulong(BIND), None)
        call(libc.mount, None, b"/run", None, ctypes.c_ulong(REMOUNT | BIND | RDONLY | NOSUID | NODEV), None)
        os.chdir("/workspace")
        return folders

    def drop():  # all capabilities
        call(libc.capset, (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)())

    # settle makes a server of a fork. It returns what scripts may do: the filter of
    # system calls and the limits.
    def settle():
        libc.signal(SIGCHLD, DEFAULT)
        identify()
        network = _socket.socket(_socket.AF_INET, _socket.SOCK_DGRAM)
        up = b"lo".ljust(16, b"\0") + b"\1".ljust(24, b"\0")  # struct ifreq, IFF_UP
        call(libc.ioctl, network.fileno(), ctypes.c_ulong(0x8914), up)  # SIOCSIFFLAGS
        network.close()
        me = os.pidfd_open(os.getpid())
        send(channel, b"settled", me)
        os.close(me)
        program, _ = receive(channel)
        call(libc.unshare, NEWCGROUP)  # now that agentd has put us into one
        drop()
        request, _ = receive(channel)
        return program, map(int, request.split())

    def confine():
        # address space, processes, file size, core
        for resource, most in zip((9, 6, 1, 4), limits):
            call(libc.prlimit64, 0, resource, (ctypes.c_ulonglong * 2)(most, most), None)
        for capability in range(64):
            if libc.prctl(24, capability, 0, 0, 0) < 0:  # PR_CAPBSET_DROP
                break
        drop()
        call(libc.prctl, 22, 2, ctypes.byref(Program(len(program) // 8, program)), 0, 0)  # PR_SET_SECCOMP

    # rehearse does what scripts do. Memory that it writes to is shared with the
    # server until then; the script need not wait for its copies any more.
    def rehearse():
        code = compile(REHEARSAL, "/run/script.py", "exec")
        exec(code, {"__name__": "__rehearsal__", "__builtins__": __builtins__})

    def script(gate):
        confine()
        if not fresh:
            rehearse()
        gate.send(b"ready")
        start, streams = receive(gate)
        if not start:
            os._exit(1)
        gate.close()
        for at, stream in enumerate(streams, 1):
            os.dup2(stream, at)
            os.close(stream)
        if fresh:
            os.execv(sys.executable, sys.orig_argv)
        # What the script would find in the workspace before the library's must
        # not be hidden by what is loaded.
        if not early.isdisjoint(name.partition(".")[0] for name in os.listdir()):
            for name in early:
                sys.modules.pop(name, None)
        for path in ("/run/site", "/workspace"):
            sys.path_importer_cache.pop(path, None)
        atexit.register(leave)  # first of all, so called last of all

    # leave ends a script at once where nobody could tell that from Python's own
    # end, in which it takes itself apart: where the script came to its last line
    # and nothing that it left has anything more to do. Otherwise it returns, and
    # Python goes on to its end.
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

    def init(control, gate):
        os.close(CHANNEL)
        os.setsid()
        folders = furnish()
        me = os.pidfd_open(os.getpid())
        child = os.fork()
        if child == 0:
            for fd in (*folders, me):
                os.close(fd)
            control.close()
            return script(gate)
        gate.close()
        libc.signal(SIGINT, DEFAULT)  # of Python's handlers the only one; scripts could call it
        send(control, b"ready", *folders, me)
        for fd in (*folders, me):
            os.close(fd)
        # The files that a script works on are written meanwhile.
        room = control.recv(32)
        if not room:
            os._exit(0)
        mount(b"tmpfs", b"/workspace", NOSUID | NODEV | REMOUNT, b"size=" + room)
        control.send(b"fits")
        while True:
            pid, status = os.wait()
            if pid == child:
                break
        # No process that is left can fork on the way, and when there is no child
        # to wait for there is no other process: all are ours, or become so.
        libc.kill(-1, 9)
        while libc.waitpid(-1, None, WALL) > 0 or ctypes.get_errno() != ECHILD:
            pass
        control.send(str(os.waitstatus_to_exitcode(status)).encode())
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
    # What is here already need not be looked at again by every script's garbage
    # collector, which takes longer than the whole rest. The main module must be
    # made anew then, or it would not be collected at the end of the script.
    gc.collect()
    libc.malloc_trim(0)
    gc.freeze()
    libc.signal(SIGCHLD, IGNORE)  # nobody waits for servers
    while True:
        _, fds = receive(channel)
        if not fds:  # agentd has closed it
            os._exit(0)
        try:
            if clone(NEWUSER | NEWPID | NEWNET) == 0:
                break
        except OSError as e:
            complain(fds[0], e)
        os.close(fds[0])
    os.dup2(fds[0], CHANNEL)
    os.close(fds[0])
    try:
        program, (fresh, tmp, *limits) = settle()
    except BaseException as e:
        complain(CHANNEL, e)
        os._exit(1)
    while True:
        control, theirs = pair()
        gate, opening = pair()
        pid = clone(NEWUSER | NEWPID | NEWNS | NEWIPC)
        if pid == 0:
            theirs.close()
            opening.close()
            try:
                init(control, gate)
            except BaseException as e:
                complain(control.fileno(), e)
                os._exit(1)
            channel.detach()
            hooks[:] = [refuse] * len(hooks)  # those that Python is going through
            main = Module("__main__")
            main.__dict__.update(sys.modules["__main__"].__dict__, __annotations__={})
            sys.modules["__main__"] = main
            return
        control.close()
        gate.close()
        send(channel, b"next", theirs.fileno(), opening.fileno())
        theirs.close()
        opening.close()
        _, status = os.waitpid(pid, 0)
        if os.WIFEXITED(status) and status != 0:
            os._exit(1)


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
