//go:build linux

package seccomp

import (
	"encoding/binary"
	"testing"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// verdict runs the filter as the kernel would, on a machine in Go.
func verdict(t *testing.T, arch, number uint32, arguments ...uint32) uint32 {
	t.Helper()
	machine, err := bpf.NewVM(instructions(architecture, Rules()))
	if err != nil {
		t.Fatal(err)
	}
	data := make([]byte, 64) // the machine in Go reads big-endian words
	binary.BigEndian.PutUint32(data[offsetNumber:], number)
	binary.BigEndian.PutUint32(data[offsetArchitecture:], arch)
	for i, argument := range arguments {
		binary.BigEndian.PutUint32(data[offsetArguments+sizeArgument*i:], argument)
	}
	got, err := machine.Run(data)
	if err != nil {
		t.Fatal(err)
	}
	return uint32(got)
}

func errno(e unix.Errno) uint32 { return actionErrno | uint32(e) }

func TestFilter(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		number    uint32
		arguments []uint32
		want      uint32
	}{
		"read":                 {unix.SYS_READ, nil, actionAllow},
		"execve":               {unix.SYS_EXECVE, nil, actionAllow},
		"fork":                 {unix.SYS_CLONE, []uint32{uint32(unix.SIGCHLD)}, actionAllow},
		"thread":               {unix.SYS_CLONE, []uint32{unix.CLONE_VM | unix.CLONE_THREAD | unix.CLONE_SETTLS}, actionAllow},
		"clone, new user":      {unix.SYS_CLONE, []uint32{unix.CLONE_NEWUSER | uint32(unix.SIGCHLD)}, errno(unix.EPERM)},
		"clone, new network":   {unix.SYS_CLONE, []uint32{unix.CLONE_NEWNET}, errno(unix.EPERM)},
		"clone3":               {unix.SYS_CLONE3, nil, errno(unix.ENOSYS)},
		"mount":                {unix.SYS_MOUNT, nil, errno(unix.EPERM)},
		"TIOCGWINSZ":           {unix.SYS_IOCTL, []uint32{0, unix.TIOCGWINSZ}, actionAllow},
		"TIOCSTI":              {unix.SYS_IOCTL, []uint32{0, unix.TIOCSTI}, errno(unix.EPERM)},
		"TIOCLINUX":            {unix.SYS_IOCTL, []uint32{7, tiocLinux}, errno(unix.EPERM)},
		"inet socket":          {unix.SYS_SOCKET, []uint32{unix.AF_INET}, actionAllow},
		"vsock":                {unix.SYS_SOCKET, []uint32{unix.AF_VSOCK}, errno(unix.EPERM)},
		"unix pair":            {unix.SYS_SOCKETPAIR, []uint32{unix.AF_UNIX}, actionAllow},
		"personality, asked":   {unix.SYS_PERSONALITY, []uint32{0xffffffff}, actionAllow},
		"personality, set":     {unix.SYS_PERSONALITY, []uint32{0x0040000}, errno(unix.EPERM)},
		"own limit":            {unix.SYS_PRLIMIT64, []uint32{0, unix.RLIMIT_CPU}, actionAllow},
		"another's limit":      {unix.SYS_PRLIMIT64, []uint32{1, unix.RLIMIT_CPU}, errno(unix.EPERM)},
		"io_uring":             {unix.SYS_IO_URING_SETUP, nil, errno(unix.ENOSYS)},
		"a call from x32":      {0x40000000 + unix.SYS_READ, nil, errno(unix.ENOSYS)},
		"number -1":            {0xffffffff, nil, errno(unix.ENOSYS)},
		"the last of the list": {listMount, nil, errno(unix.ENOSYS)},
	} {
		if got := verdict(t, architecture, c.number, c.arguments...); got != c.want {
			t.Errorf("%s: %#x, want %#x", name, got, c.want)
		}
	}
	if got := verdict(t, unix.AUDIT_ARCH_I386, unix.SYS_READ); got != actionKill {
		t.Errorf("a foreign architecture: %#x", got)
	}
}

func TestEveryRuleRefuses(t *testing.T) {
	t.Parallel()
	numbers := make(map[uint32]string)
	for _, rule := range Rules() {
		if twice, ok := numbers[rule.Number]; ok {
			t.Errorf("%s and %s have one number; only the first would count", twice, rule.Name)
		}
		numbers[rule.Number] = rule.Name
		if rule.When == nil && verdict(t, architecture, rule.Number) != errno(rule.Errno) {
			t.Errorf("%s is not refused", rule.Name)
		}
	}
	program, err := Program()
	if err != nil || len(program)%8 != 0 || len(program) == 0 {
		t.Errorf("a program of %d bytes: %v", len(program), err)
	}
}
