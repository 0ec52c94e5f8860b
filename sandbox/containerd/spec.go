package containerd

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/containerd/cgroups/v3"
	"github.com/containerd/containerd/v2/pkg/oci"
	"github.com/opencontainers/runtime-spec/specs-go"

	"agentd/sandbox"
)

// keeperPrivileges let the keeper kill scripts and remove their files.
var keeperPrivileges = []string{"CAP_KILL", "CAP_DAC_OVERRIDE", "CAP_FOWNER"}

const (
	// Microseconds in which a quota of CPU time is given out. A container that has
	// used it up waits for the rest of them, so they are few.
	cpuPeriod = 20_000
	// Room in a container beside the script's own processes: the keeper, and
	// at least so much that the runtime can start an exec, with its threads.
	keptProcesses    = 1
	runtimeProcesses = 64
	// Files and folders at a time in the workspace, and in /tmp: more than any
	// script has use for. Each takes memory of the kernel's, which the size of
	// a file system leaves out.
	mostEntries = 200_000
)

// specification describes a container to the runtime.
func (b *Backend) specification(id, hello string, stay stay) *oci.Spec {
	s := &oci.Spec{
		Version:  "1.0.2", // what the runtime of Debian 12 knows
		Root:     &specs.Root{Path: "rootfs", Readonly: true},
		Hostname: "sandbox",
		Process:  b.keeperProcess(stay.port),
		Mounts:   b.mounts(hello, stay),
		Linux: &specs.Linux{
			CgroupsPath: "/" + id, // one level: the runtime would leave a parent behind
			Resources:   resources(stay.limits),
			Namespaces: []specs.LinuxNamespace{
				{Type: specs.PIDNamespace}, {Type: specs.IPCNamespace}, {Type: specs.UTSNamespace},
				{Type: specs.MountNamespace}, {Type: specs.NetworkNamespace}, {Type: specs.CgroupNamespace},
			},
			MaskedPaths: []string{
				"/proc/acpi", "/proc/asound", "/proc/interrupts", "/proc/keys", "/proc/latency_stats",
				"/proc/timer_list", "/proc/timer_stats", "/proc/sched_debug", "/proc/scsi", "/proc/kallsyms",
				"/proc/kpagecount", "/proc/kpageflags", "/proc/kpagecgroup", "/proc/swaps",
				"/proc/partitions", "/proc/diskstats", "/proc/cmdline", "/proc/config.gz", "/proc/key-users",
			},
			ReadonlyPaths: []string{"/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger"},
		},
	}
	if b.system.root != "" {
		s.Root.Path = b.system.root
	}
	if b.identity.mapped {
		s.Linux.Namespaces = append(s.Linux.Namespaces, specs.LinuxNamespace{Type: specs.UserNamespace})
		s.Linux.UIDMappings, s.Linux.GIDMappings = mappings(b.identity.uid), mappings(b.identity.gid)
	}
	s.Linux.Seccomp = profile(s)
	return s
}

// keeperProcess is the container's first. It listens at the port, if there is one.
func (b *Backend) keeperProcess(port string) *specs.Process {
	args := []string{b.system.python, "-I", "-S", "-c", keeperLoader}
	if port != "" {
		args = append(args, port)
	}
	return &specs.Process{
		User: specs.User{UID: keeperUID, GID: keeperUID},
		Cwd:  "/",
		// Isolated from the environment and from packages that are installed.
		Args: args,
		Env:  []string{"PATH=" + b.system.path, "LANG=C.UTF-8"},
		Capabilities: &specs.LinuxCapabilities{
			Bounding: keeperPrivileges, Effective: keeperPrivileges, Permitted: keeperPrivileges,
			Inheritable: keeperPrivileges, Ambient: keeperPrivileges,
		},
		NoNewPrivileges: true,
	}
}

// scriptProcess is that of a script.
func (b *Backend) scriptProcess(limits sandbox.Limits, cwd sandbox.Cwd) *specs.Process {
	return b.process(limits, "v", cwd, []string{b.system.python, scriptAt}, nil)
}

// commandProcess is that of a command. Its memory is limited by what it can write to:
// runtimes such as Node's reserve address space far beyond what they use.
func (b *Backend) commandProcess(c sandbox.Command) *specs.Process {
	return b.process(c.Limits, "d", sandbox.InWorkspace, c.Args, c.Env)
}

// process is that of one exec.
func (b *Backend) process(limits sandbox.Limits, memory string, cwd sandbox.Cwd, args, env []string) *specs.Process {
	return &specs.Process{
		User: b.identity.inside(),
		Cwd:  cwd.Path(),
		Args: append(b.limited(limits, memory), args...),
		Env: append([]string{
			"PATH=" + b.system.path,
			"HOME=/tmp",
			"LANG=C.UTF-8",
			"PWD=" + cwd.Path(),
			// The script does not lie in a folder that it can write to, so this is
			// how it imports modules that do. What Python imports unasked, it finds
			// first.
			"PYTHONPATH=" + siteAt + ":" + sandbox.Workspace + ":" + sandbox.Above,
			"PYTHONDONTWRITEBYTECODE=1", // or they would leave a __pycache__
			"PYTHONHASHSEED=0",          // the same script does the same again
			// Of address space, glibc and BLAS otherwise reserve large pieces for
			// each thread or core.
			"MALLOC_ARENA_MAX=2",
			"OPENBLAS_NUM_THREADS=1",
			"OMP_NUM_THREADS=1",
		}, env...),
		Capabilities:    &specs.LinuxCapabilities{},
		NoNewPrivileges: true,
		Rlimits: []specs.POSIXRlimit{
			rlimit("RLIMIT_FSIZE", limits.FileBytes),
			rlimit("RLIMIT_CORE", 0),
			rlimit("RLIMIT_NOFILE", 1024),
		},
	}
}

// limited is the beginning of a command line that sets the limits which the
// runtime, setting all others before it turns into the script, would itself
// need more than. memory is the option for what memory is limited by: address space
// (v) or data (d).
func (b *Backend) limited(limits sandbox.Limits, memory string) []string {
	set := fmt.Sprintf(`ulimit -%s "$0"`, memory)
	// Where the users of the container are its own, so is the count of their
	// processes. Elsewhere it would be one for all containers, and the cgroup
	// alone has to do. The option is -u for bash and -p for dash and busybox.
	if b.identity.mapped {
		set += fmt.Sprintf(` && { ulimit -u %d 2>/dev/null || ulimit -p %[1]d; }`, limits.Processes)
	}
	return []string{"/bin/sh", "-c", set + ` && exec "$@"`, fmt.Sprint(limits.MemoryBytes >> 10)}
}

// rlimit sets a limit for good: a script cannot raise it again.
func rlimit(kind string, most int64) specs.POSIXRlimit {
	value := uint64(max(0, most))
	return specs.POSIXRlimit{Type: kind, Soft: value, Hard: value}
}

// resources are the limits of a container's cgroup.
func resources(limits sandbox.Limits) *specs.LinuxResources {
	return &specs.LinuxResources{
		Memory:  memory(limits),
		Pids:    &specs.LinuxPids{Limit: new(int64(max(limits.Processes, runtimeProcesses) + keptProcesses))},
		CPU:     &specs.LinuxCPU{Quota: new(int64(max(limits.CPUs*cpuPeriod, 1000))), Period: new(uint64(cpuPeriod))},
		Devices: []specs.LinuxDeviceCgroup{{Allow: false, Access: "rwm"}},
	}
}

// memory limits memory, and swap where the kernel counts it: then with memory,
// so that there is none beyond the limit.
func memory(limits sandbox.Limits) *specs.LinuxMemory {
	m := &specs.LinuxMemory{Limit: &limits.MemoryBytes}
	if countsSwap() {
		m.Swap = &limits.MemoryBytes
	}
	return m
}

// countsSwap is false for kernels that can but do not, for which runc refuses a
// limit: those with cgroup v1 that were started without swapaccount=1.
func countsSwap() bool {
	if cgroups.Mode() == cgroups.Unified {
		return true
	}
	_, err := os.Stat("/sys/fs/cgroup/memory/memory.memsw.limit_in_bytes")
	return err == nil
}

// mounts are all of a container's file system.
func (b *Backend) mounts(hello string, stay stay) []specs.Mount {
	mounts := append([]specs.Mount{}, b.system.mounts...)
	mounts = append(mounts,
		specs.Mount{Type: "proc", Source: "proc", Destination: "/proc", Options: []string{"nosuid", "noexec", "nodev"}},
		bind(filepath.Join(b.folder, devicesName), "/dev", "ro"),
	)
	for _, name := range devices {
		mounts = append(mounts, bind("/dev/"+name, "/dev/"+name, "rw"))
	}
	if stay.folder != "" {
		mounts = append(mounts, bind(stay.folder, sandbox.CommandFiles, "ro"))
	}
	user := b.identity.inside()
	return append(mounts,
		tmpfs("/tmp", stay.limits.DiskBytes, mostEntries, "mode=1777"),
		tmpfs(sandbox.Above, stay.room, mostEntries, "mode=755", fmt.Sprintf("uid=%d", user.UID), fmt.Sprintf("gid=%d", user.GID)),
		tmpfs("/run", runBytes, 16, "mode=755"), // for what the keeper writes
		bind(hello, helloAt, "rw"),
	)
}

// runBytes is the size of /run, and so of the longest script.
const runBytes = 32 << 20

func tmpfs(at string, size int64, entries int, more ...string) specs.Mount {
	options := []string{"nosuid", "nodev", fmt.Sprintf("size=%d", max(size, 1)), fmt.Sprintf("nr_inodes=%d", entries)}
	return specs.Mount{Type: "tmpfs", Source: "tmpfs", Destination: at, Options: append(options, more...)}
}
