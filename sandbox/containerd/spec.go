//go:build linux

package containerd

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/containerd/cgroups/v3"
	"github.com/containerd/containerd/v2/pkg/oci"
	"github.com/opencontainers/runtime-spec/specs-go"

	"agentd/sandbox"
	"agentd/sandbox/internal/session"
	"agentd/sandbox/internal/system"
)

// supervisorPrivileges let the supervisor kill scripts and remove their files.
var supervisorPrivileges = []string{"CAP_KILL", "CAP_DAC_OVERRIDE", "CAP_FOWNER"}

const (
	// Length in microseconds of the period of a CPU quota. A container that has used up its quota
	// waits for the next period, so the period is short.
	cpuPeriod = 20_000
	// Processes in a container in addition to the script's: the supervisor, and at
	// least as many as the runtime needs to start an exec, with its threads.
	supervisorProcesses = 1
	runtimeProcesses    = 64
	// Files and folders in /work, and in /tmp: more than any script needs. Each takes memory
	// of the kernel, which the size of a file system does not include.
	mostEntries = 200_000
)

// specification describes a container to the runtime.
func (b *Backend) specification(id, greeting string, job session.Job) *oci.Spec {
	s := &oci.Spec{
		Version:  "1.0.2", // what the runtime of Debian 12 knows
		Root:     &specs.Root{Path: "rootfs", Readonly: true},
		Hostname: "sandbox",
		Process:  b.supervisorProcess(job.Port()),
		Mounts:   b.mounts(greeting, job),
		Linux: &specs.Linux{
			CgroupsPath: "/" + id, // one level: the runtime would not remove a parent
			Resources:   resources(job.Limits),
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
	if b.files.root != "" {
		s.Root.Path = b.files.root
	}
	if b.identity.mapped {
		s.Linux.Namespaces = append(s.Linux.Namespaces, specs.LinuxNamespace{Type: specs.UserNamespace})
		s.Linux.UIDMappings, s.Linux.GIDMappings = mappings(b.identity.UID), mappings(b.identity.GID)
	}
	s.Linux.Seccomp = profile(s)
	return s
}

// supervisorProcess describes the container's first process. It listens at the port, if there is
// one.
func (b *Backend) supervisorProcess(port string) *specs.Process {
	args := []string{b.files.python, "-I", "-S", "-c", supervisorLoader}
	if port != "" {
		args = append(args, port)
	}
	return &specs.Process{
		User: specs.User{UID: supervisorUID, GID: supervisorUID},
		Cwd:  "/",
		// Isolated from the environment and from packages that are installed.
		Args: args,
		Env:  []string{"PATH=" + b.files.path, "LANG=C.UTF-8"},
		Capabilities: &specs.LinuxCapabilities{
			Bounding: supervisorPrivileges, Effective: supervisorPrivileges, Permitted: supervisorPrivileges,
			Inheritable: supervisorPrivileges, Ambient: supervisorPrivileges,
		},
		NoNewPrivileges: true,
	}
}

// process describes the process of a script or a command. A command's memory is limited by its
// data segment, because runtimes such as Node's reserve far more address space than they use.
func (b *Backend) process(job session.Job) *specs.Process {
	memory, args := "v", []string{b.files.python, system.ScriptAt}
	env := []string{"PWD=" + job.Cwd().Path()}
	for _, variable := range system.Environment(b.files.path) {
		env = append(env, variable[0]+"="+variable[1])
	}
	if job.Command != nil {
		memory, args, env = "d", job.Command.Args, append(env, job.Command.Env...)
	}
	return &specs.Process{
		User:            b.identity.inside(),
		Cwd:             job.Cwd().Path(),
		Args:            append(b.limited(job.Limits, memory), args...),
		Env:             env,
		Capabilities:    &specs.LinuxCapabilities{},
		NoNewPrivileges: true,
		Rlimits: []specs.POSIXRlimit{
			rlimit("RLIMIT_FSIZE", job.Limits.FileBytes),
			rlimit("RLIMIT_CORE", 0),
			rlimit("RLIMIT_NOFILE", 1024),
		},
	}
}

// limited returns the start of a command line. It sets limits under which the runtime itself could
// not start a process. memory is ulimit's option for the resource that limits memory: address
// space (v) or data (d).
func (b *Backend) limited(limits sandbox.Limits, memory string) []string {
	set := fmt.Sprintf(`ulimit -%s "$0"`, memory)
	// In a user namespace, processes are counted for the container alone. Otherwise one count
	// would cover all containers, so only the cgroup limits them. The option is -u for bash and -p
	// for dash and busybox.
	if b.identity.mapped {
		set += fmt.Sprintf(` && { ulimit -u %d 2>/dev/null || ulimit -p %[1]d; }`, limits.Processes)
	}
	return []string{"/bin/sh", "-c", set + ` && exec "$@"`, fmt.Sprint(limits.MemoryBytes >> 10)}
}

// rlimit sets the soft and hard limit, so that a script cannot raise it again.
func rlimit(kind string, most int64) specs.POSIXRlimit {
	value := uint64(max(0, most))
	return specs.POSIXRlimit{Type: kind, Soft: value, Hard: value}
}

// resources returns the limits of a container's cgroup.
func resources(limits sandbox.Limits) *specs.LinuxResources {
	return &specs.LinuxResources{
		Memory:  memory(limits),
		Pids:    &specs.LinuxPids{Limit: new(int64(max(limits.Processes, runtimeProcesses) + supervisorProcesses))},
		CPU:     &specs.LinuxCPU{Quota: new(int64(max(limits.CPUs*cpuPeriod, 1000))), Period: new(uint64(cpuPeriod))},
		Devices: []specs.LinuxDeviceCgroup{{Allow: false, Access: "rwm"}},
	}
}

// memory limits memory and, if the kernel counts swap, memory and swap together.
func memory(limits sandbox.Limits) *specs.LinuxMemory {
	m := &specs.LinuxMemory{Limit: &limits.MemoryBytes}
	if countsSwap() {
		m.Swap = &limits.MemoryBytes
	}
	return m
}

// countsSwap is false for kernels with cgroup v1 started without swapaccount=1. There runc refuses
// a limit on swap.
func countsSwap() bool {
	if cgroups.Mode() == cgroups.Unified {
		return true
	}
	_, err := os.Stat("/sys/fs/cgroup/memory/memory.memsw.limit_in_bytes")
	return err == nil
}

// mounts returns all mounts of a container.
func (b *Backend) mounts(greeting string, job session.Job) []specs.Mount {
	mounts := append([]specs.Mount{}, b.files.mounts...)
	mounts = append(mounts, specs.Mount{Type: "proc", Source: "proc", Destination: "/proc", Options: []string{"nosuid", "noexec", "nodev"}})
	if job.Command == nil {
		mounts = append(mounts, bind(filepath.Join(b.folder, devicesName), "/dev", "ro"))
	} else { // with terminals of its own
		mounts = append(mounts, bind(filepath.Join(b.folder, terminalsName), "/dev", "ro"), bind("/dev/tty", "/dev/tty", "rw"), specs.Mount{
			Type: "devpts", Source: "devpts", Destination: "/dev/pts", Options: []string{"nosuid", "noexec", "newinstance", "ptmxmode=0666", "mode=0620", "max=64"},
		})
	}
	for _, name := range system.Devices {
		mounts = append(mounts, bind("/dev/"+name, "/dev/"+name, "rw"))
	}
	if job.Command != nil && job.Command.Folder != "" {
		mounts = append(mounts, bind(job.Command.Folder, sandbox.CommandFiles, "ro"))
	}
	user := b.identity.inside()
	return append(mounts,
		tmpfs("/tmp", job.Limits.DiskBytes, mostEntries, "mode=1777"),
		tmpfs(sandbox.Above, job.Room, mostEntries, "mode=755", fmt.Sprintf("uid=%d", user.UID), fmt.Sprintf("gid=%d", user.GID)),
		tmpfs("/run", runBytes, 16, "mode=755"), // for what the supervisor writes
		bind(greeting, greetingAt, "rw"),
	)
}

// runBytes is the size of /run, and so the maximum size of a script.
const runBytes = 32 << 20

func tmpfs(at string, size int64, entries int, more ...string) specs.Mount {
	options := []string{"nosuid", "nodev", fmt.Sprintf("size=%d", max(size, 1)), fmt.Sprintf("nr_inodes=%d", entries)}
	return specs.Mount{Type: "tmpfs", Source: "tmpfs", Destination: at, Options: append(options, more...)}
}

const (
	scriptUID     = 1000 // inside; never 0, also where agentd runs as root
	supervisorUID = 1001 // inside
)

// identity is the user that scripts run as.
type identity struct {
	system.User // seen from the host
	// mapped is whether the container has a user namespace, in which the user is scriptUID.
	mapped bool
}

// identities lists the users that scripts may run as, best first: nobody, or agentd's own
// user if that is not root; in a user namespace if possible.
func identities() []identity {
	if os.Geteuid() == 0 {
		return []identity{{system.User{UID: system.Nobody, GID: system.Nobody}, true}, {system.User{UID: scriptUID, GID: scriptUID}, false}}
	}
	return []identity{{system.Self(), true}, {system.Self(), false}}
}

func (i identity) String() string {
	if i.mapped {
		return fmt.Sprintf("uid %d, in a user namespace", i.UID)
	}
	return fmt.Sprintf("uid %d, without a user namespace", i.UID)
}

// inside returns the user as scripts see it.
func (i identity) inside() specs.User {
	if i.mapped {
		return specs.User{UID: scriptUID, GID: scriptUID}
	}
	return specs.User{UID: uint32(i.UID), GID: uint32(i.GID)}
}

// unusedIDs are host IDs that no user has. The container's other users are mapped to them.
const unusedIDs = 0x70000000

// mappings returns the ID mappings of a container's user namespace, for users or groups.
func mappings(script int) []specs.LinuxIDMapping {
	return []specs.LinuxIDMapping{
		{ContainerID: 0, HostID: unusedIDs, Size: 1}, // the runtime, setting up
		{ContainerID: scriptUID, HostID: uint32(script), Size: 1},
		{ContainerID: supervisorUID, HostID: unusedIDs + supervisorUID, Size: 1},
	}
}
