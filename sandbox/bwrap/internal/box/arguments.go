//go:build linux

package box

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"agentd/sandbox"
	"agentd/sandbox/internal/session"
	"agentd/sandbox/internal/system"
)

// InsideUID is the user ID of scripts inside the sandbox. It is never 0, even if agentd runs as
// root.
const InsideUID = 1000

// Numbers of the file descriptors that bwrap inherits, in the order of
// exec.Cmd.ExtraFiles. Those that a shell uses have one digit.
const (
	statusFD  = 3 + iota // bwrap reports here
	blockFD              // bwrap waits here before it starts the shell
	goFD                 // the shell waits here before it starts the program
	readyFD              // the shell says here that all is mounted
	argsFD               // the rest of bwrap's command line
	seccompFD            // the filter of system calls
	inputFD              // the text of the script, or a command's task
	siteFD               // what Python imports first: nothing, or a zygote
	channelFD            // connection of a zygote, or of a command's launcher
)

// gate is the shell command inside the sandbox that starts the program once its files are there.
// If agentd dies first, the read fails and the shell exits.
var gate = fmt.Sprintf(`echo >&%d; read -r go <&%d || exit; exec %[1]d>&- %[2]d<&-; exec "$@"`, readyFD, goFD)

// launcher is the gate of commands, in Python.
//
//go:embed launcher.py
var launcher string

// program returns the command line that bwrap starts for a job. A command's memory is limited by
// its data segment, not its address space, because runtimes such as Node's reserve far more
// address space than they use.
func (h *Host) program(job session.Job) []string {
	if job.Command == nil {
		return slices.Concat([]string{"/bin/sh", "-c", gate, "sh"}, h.limited(job.Limits, "as"), h.interpreter())
	}
	launch := []string{h.Python, "-I", "-S", "-c", launcher, fmt.Sprint(readyFD), fmt.Sprint(goFD), fmt.Sprint(channelFD), job.Port()}
	return slices.Concat(launch, h.limited(job.Limits, "data"), job.Command.Args)
}

// interpreter is the command line of scripts and of zygotes.
func (h *Host) interpreter() []string { return []string{h.Python, system.ScriptAt} }

// options returns bwrap's options for a job, as --args reads them.
func (h *Host) options(job session.Job) string {
	own := []string{
		"--seccomp", fmt.Sprint(seccompFD),
		"--size", fmt.Sprint(max(job.Limits.DiskBytes, 1)), "--tmpfs", "/tmp", // 0 would be no limit
		"--size", fmt.Sprint(max(job.Room, 1)), "--tmpfs", sandbox.Above, "--dir", sandbox.Workspace,
	}
	c := job.Command
	if c == nil {
		return h.joined(job.Cwd(), append(own, "--ro-bind-data", fmt.Sprint(inputFD), system.ScriptAt))
	}
	own = append(own, "--ro-bind-data", fmt.Sprint(inputFD), sandbox.CommandTask)
	own = append(own, terminals...)
	if c.Folder != "" {
		own = append(own, "--ro-bind", c.Folder, sandbox.CommandFiles)
	}
	for _, variable := range c.Env {
		name, value, _ := strings.Cut(variable, "=")
		own = append(own, "--setenv", name, value)
	}
	return h.joined(job.Cwd(), own)
}

// terminals give a command pseudo-terminals of its own. bwrap mounts those only together
// with a whole /dev, which lies elsewhere and is read-only.
var terminals = []string{
	"--dev", "/run/dev", "--remount-ro", "/run/dev",
	"--symlink", "/run/dev/pts", "/dev/pts", "--symlink", "/run/dev/ptmx", "/dev/ptmx", "--symlink", "/run/dev/tty", "/dev/tty",
}

// zygoteOptions returns the options for a zygote. A zygote has no filter of system calls and no
// folders: each script gets its own.
func (h *Host) zygoteOptions() string {
	return h.joined(sandbox.AboveWorkspace, []string{"--dir", "/tmp", "--dir", sandbox.Above})
}

// joined puts options between those that all sandboxes have, as --args reads them.
func (h *Host) joined(cwd sandbox.Cwd, own []string) string {
	end := []string{
		"--chdir", cwd.Path(),
		"--remount-ro", "/", // a tmpfs too, on which the mounts lie
	}
	return strings.Join(slices.Concat(h.shared(), own, end), "\x00") + "\x00"
}

// shared are the options that all sandboxes begin with.
func (h *Host) shared() []string {
	args := []string{
		"--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup",
		"--uid", fmt.Sprint(InsideUID), "--gid", fmt.Sprint(InsideUID), "--cap-drop", "ALL",
		"--hostname", "sandbox", "--new-session", "--die-with-parent",
		"--json-status-fd", fmt.Sprint(statusFD), "--block-fd", fmt.Sprint(blockFD),
		"--clearenv",
	}
	for _, variable := range system.Environment(system.Path) {
		args = append(args, "--setenv", variable[0], variable[1])
	}
	args = append(args, h.mounts...)
	args = append(args, "--proc", "/proc")
	// Not --dev: it takes a millisecond for terminals that no script needs, and mounts a
	// writable tmpfs without a limit.
	for _, device := range system.Devices {
		args = append(args, "--dev-bind", "/dev/"+device, "/dev/"+device)
	}
	for _, link := range system.DeviceLinks {
		args = append(args, "--symlink", link[1], "/dev/"+link[0])
	}
	return append(args,
		"--ro-bind-data", fmt.Sprint(siteFD), system.SiteAt+"/sitecustomize.py",
		"--symlink", "sitecustomize.py", system.SiteAt+"/usercustomize.py",
	)
}

// addressSpace is how many times more address space than memory a process may have if a cgroup
// limits memory: some programs reserve far more than they use.
const addressSpace = 4

// ProcessLimits returns the limits set for each process: bytes of address space, and
// processes and threads, which the kernel counts for each user namespace.
func (h *Host) ProcessLimits(limits sandbox.Limits) (memory int64, processes int) {
	memory, processes = limits.MemoryBytes, limits.Processes+Own
	if h.Cgroups != nil { // the cgroup counts, and its limit should be met first
		memory, processes = addressSpace*memory, processes+1
	}
	return memory, processes
}

// limited returns the start of a command line that sets limits for the program that follows.
// memory is the resource that limits its memory.
func (h *Host) limited(limits sandbox.Limits, memory string) []string {
	limit := func(resource string, most int64) string { return fmt.Sprintf("--%s=%d", resource, max(0, most)) }
	most, processes := h.ProcessLimits(limits)
	return []string{h.prlimit, limit(memory, most), limit("nproc", int64(processes)),
		limit("fsize", limits.FileBytes), limit("core", 0), "--"}
}

// Own is the number of processes in a sandbox that belong to bwrap or the warm interpreter, not to
// the script.
const Own = 1
