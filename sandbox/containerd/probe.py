# What a container is like from inside, one "fact value" a line.
import os, platform

def status(key):
    for line in open("/proc/self/status"):
        name, value = line.split(":", 1)
        if name == key:
            return value.strip()

def interfaces():
    lines = open("/proc/net/dev").readlines()[2:]
    return ",".join(line.split(":")[0].strip() for line in lines)

def descriptors():
    folder = "/proc/self/fd/"  # listing it takes a descriptor too, gone by now
    return ",".join(fd for fd in sorted(os.listdir(folder)) if os.path.exists(folder + fd))

def writable():
    """Folders below which files can be made."""
    made = []
    for folder in ["/", "/usr", "/run", "/dev", "/proc", "/etc", "/tmp", "/work", "/work/workspace"]:
        try:
            os.rmdir(os.mkdir(folder + "/probe") or folder + "/probe")
            made.append(folder)
        except OSError:
            pass
    return ",".join(made)

print("python", platform.python_version())
print("uid", os.getuid())
print("capabilities", int(status("CapPrm"), 16) | int(status("CapBnd"), 16))
print("privileges", status("NoNewPrivs"))
print("filter", status("Seccomp"))
print("interfaces", interfaces())
print("descriptors", descriptors())
print("writable", writable())
print("processes", len([name for name in os.listdir("/proc") if name.isdigit()]))
print("root", ",".join(sorted(os.listdir("/"))))
