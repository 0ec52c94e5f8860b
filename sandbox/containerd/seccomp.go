//go:build linux

package containerd

import (
	"math"
	"runtime"
	"slices"

	defaults "github.com/containerd/containerd/v2/contrib/seccomp"
	"github.com/opencontainers/runtime-spec/specs-go"
	"golang.org/x/sys/unix"

	"agentd/sandbox/internal/seccomp"
)

// refusedHere are system calls that containerd's default profile allows and that the filter for a
// sandbox of one script need not refuse.
var refusedHere = []string{
	// What would outlive a script in the container's IPC namespace.
	"shmget", "shmat", "shmctl", "shmdt", "semget", "semop", "semctl", "semtimedop", "semtimedop_time64", "ipc",
	"msgget", "msgsnd", "msgrcv", "msgctl", "mq_open", "mq_unlink", "mq_timedsend", "mq_timedsend_time64",
	"mq_timedreceive", "mq_timedreceive_time64", "mq_notify", "mq_getsetattr",
	// Other names of what is refused, and what hides its arguments in memory.
	"umount", "clock_settime64", "clock_adjtime64", "stime", "socketcall", "vmsplice",
}

// profile returns containerd's default seccomp profile, a list of allowed calls, without the calls
// that all sandboxes refuse.
func profile(spec *specs.Spec) *specs.LinuxSeccomp {
	p := defaults.DefaultProfile(spec)
	// A call of another architecture, x32 included, ends the process.
	p.Architectures = native()
	refused := slices.Clone(refusedHere)
	var narrowed []specs.LinuxSyscall
	for _, rule := range seccomp.Rules() {
		if rule.When != nil && rule.When.Bits != 0 {
			continue // clone, of which the default profile allows the same
		}
		refused = append(refused, rule.Name)
		switch {
		case rule.When != nil:
			narrowed = append(narrowed, narrow(rule)...)
		case rule.Errno != unix.EPERM: // which is what all others get
			narrowed = append(narrowed, specs.LinuxSyscall{
				Names: []string{rule.Name}, Action: specs.ActErrno, ErrnoRet: new(uint(rule.Errno)),
			})
		}
	}
	for i := range p.Syscalls {
		p.Syscalls[i].Names = slices.DeleteFunc(slices.Clone(p.Syscalls[i].Names),
			func(name string) bool { return slices.Contains(refused, name) })
	}
	p.Syscalls = slices.DeleteFunc(p.Syscalls, func(s specs.LinuxSyscall) bool { return len(s.Names) == 0 })
	p.Syscalls = append(p.Syscalls, narrowed...)
	return p
}

// narrow replaces a rule that refuses some values of an argument by rules that allow all other
// values.
func narrow(rule seccomp.Rule) (allowed []specs.LinuxSyscall) {
	allow := func(value, mask uint32) {
		allowed = append(allowed, specs.LinuxSyscall{
			Names: []string{rule.Name}, Action: specs.ActAllow,
			// The kernel reads the lower 32 bits of such an argument, so must the filter.
			Args: []specs.LinuxSeccompArg{{
				Index: uint(rule.When.Argument), Value: uint64(mask), ValueTwo: uint64(value), Op: specs.OpMaskedEqual,
			}},
		})
	}
	for _, value := range rule.When.NotEqual {
		allow(value, math.MaxUint32)
	}
	if rule.When.Equal != nil {
		others(31, 0, rule.When.Equal, allow)
	}
	return allowed
}

// others covers all 32-bit values except the given ones by masks and values, because an allow
// filter cannot exclude values. All values share the prefix above this bit.
func others(bit int, prefix uint32, values []uint32, cover func(value, mask uint32)) {
	if len(values) == 0 {
		cover(prefix, uint32(math.MaxUint32)<<(bit+1))
		return
	}
	if bit < 0 {
		return
	}
	var sides [2][]uint32
	for _, value := range values {
		side := value >> bit & 1
		sides[side] = append(sides[side], value)
	}
	others(bit-1, prefix, sides[0], cover)
	others(bit-1, prefix|1<<bit, sides[1], cover)
}

func native() []specs.Arch {
	switch runtime.GOARCH {
	case "amd64":
		return []specs.Arch{specs.ArchX86_64}
	case "arm64":
		return []specs.Arch{specs.ArchAARCH64}
	default:
		return nil // the architecture that the runtime was built for
	}
}
