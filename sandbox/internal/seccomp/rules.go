//go:build linux

package seccomp

import (
	"slices"

	"golang.org/x/sys/unix"
)

// Rules returns the rules for this architecture.
func Rules() []Rule {
	rules := []Rule{
		// Namespaces, in which root's part of the kernel is within reach. The
		// flags of clone3 lie in memory, where no filter can see them; told that
		// there is no such call, libraries fall back on clone.
		{"unshare", unix.SYS_UNSHARE, unix.EPERM, nil},
		{"setns", unix.SYS_SETNS, unix.EPERM, nil},
		{"clone", unix.SYS_CLONE, unix.EPERM, &Condition{Argument: 0, Bits: namespaces}},
		{"clone3", unix.SYS_CLONE3, unix.ENOSYS, nil},
		// Terminals: putting characters into their input, and the console.
		{"ioctl", unix.SYS_IOCTL, unix.EPERM, &Condition{Argument: 1, Equal: []uint32{unix.TIOCSTI, tiocLinux, unix.TIOCSETD}}},
		// Leases and delegations, for whose end others must wait to open or change a
		// file.
		{"fcntl", unix.SYS_FCNTL, unix.EPERM, &Condition{Argument: 1, Equal: []uint32{unix.F_SETLEASE, setDelegation}}},
		// Sockets that reach past the network namespace (vsock) or into rarely
		// used parts of the kernel (alg, packet, netlink, …).
		{"socket", unix.SYS_SOCKET, unix.EPERM, families},
		{"socketpair", unix.SYS_SOCKETPAIR, unix.EPERM, families},
		// Old execution domains change how addresses are laid out.
		{"personality", unix.SYS_PERSONALITY, unix.EPERM, &Condition{Argument: 0, NotEqual: []uint32{0, 0xffffffff}}},
		// Limits of other processes: the interpreter's would be the next script's.
		{"prlimit64", unix.SYS_PRLIMIT64, unix.EPERM, &Condition{Argument: 0, NotEqual: []uint32{0}}},
	}
	return slices.Concat(rules, always(unix.EPERM, forbidden), always(unix.EPERM, forbiddenHere), always(unix.ENOSYS, absent))
}

type call struct {
	name   string
	number uint32
}

func always(errno unix.Errno, calls []call) []Rule {
	var rules []Rule
	for _, c := range calls {
		rules = append(rules, Rule{c.name, c.number, errno, nil})
	}
	return rules
}

const (
	namespaces = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC |
		unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET
	// Not in package unix.
	tiocLinux     = 0x541c
	setDelegation = unix.F_SETLEASE + 16 // F_SETDELEG
)

var families = &Condition{Argument: 0, NotEqual: []uint32{unix.AF_UNIX, unix.AF_INET, unix.AF_INET6}}

// forbidden are calls that need a privilege that scripts do not have, or should need one.
var forbidden = []call{
	// mounts
	{"mount", unix.SYS_MOUNT}, {"umount2", unix.SYS_UMOUNT2}, {"pivot_root", unix.SYS_PIVOT_ROOT}, {"chroot", unix.SYS_CHROOT},
	{"open_tree", unix.SYS_OPEN_TREE}, {"move_mount", unix.SYS_MOVE_MOUNT}, {"fsopen", unix.SYS_FSOPEN},
	{"fsconfig", unix.SYS_FSCONFIG}, {"fsmount", unix.SYS_FSMOUNT}, {"fspick", unix.SYS_FSPICK},
	{"mount_setattr", unix.SYS_MOUNT_SETATTR}, {"open_tree_attr", openTreeAttr},
	{"quotactl", unix.SYS_QUOTACTL}, {"quotactl_fd", unix.SYS_QUOTACTL_FD},
	{"swapon", unix.SYS_SWAPON}, {"swapoff", unix.SYS_SWAPOFF},
	// files without a path, and what others do with files
	{"open_by_handle_at", unix.SYS_OPEN_BY_HANDLE_AT}, {"name_to_handle_at", unix.SYS_NAME_TO_HANDLE_AT},
	{"lookup_dcookie", unix.SYS_LOOKUP_DCOOKIE}, {"fanotify_init", unix.SYS_FANOTIFY_INIT},
	{"fanotify_mark", unix.SYS_FANOTIFY_MARK}, {"acct", unix.SYS_ACCT},
	// other processes
	{"ptrace", unix.SYS_PTRACE}, {"process_vm_readv", unix.SYS_PROCESS_VM_READV}, {"process_vm_writev", unix.SYS_PROCESS_VM_WRITEV},
	{"process_madvise", unix.SYS_PROCESS_MADVISE}, {"pidfd_getfd", unix.SYS_PIDFD_GETFD}, {"kcmp", unix.SYS_KCMP},
	{"move_pages", unix.SYS_MOVE_PAGES}, {"migrate_pages", unix.SYS_MIGRATE_PAGES},
	// programs and watchers in the kernel
	{"bpf", unix.SYS_BPF}, {"perf_event_open", unix.SYS_PERF_EVENT_OPEN}, {"userfaultfd", unix.SYS_USERFAULTFD},
	{"init_module", unix.SYS_INIT_MODULE}, {"finit_module", unix.SYS_FINIT_MODULE}, {"delete_module", unix.SYS_DELETE_MODULE},
	{"kexec_load", unix.SYS_KEXEC_LOAD}, {"kexec_file_load", unix.SYS_KEXEC_FILE_LOAD},
	// keys, which no namespace holds apart
	{"keyctl", unix.SYS_KEYCTL}, {"add_key", unix.SYS_ADD_KEY}, {"request_key", unix.SYS_REQUEST_KEY},
	// the machine
	{"reboot", unix.SYS_REBOOT}, {"syslog", unix.SYS_SYSLOG}, {"vhangup", unix.SYS_VHANGUP}, {"nfsservctl", unix.SYS_NFSSERVCTL},
	{"settimeofday", unix.SYS_SETTIMEOFDAY}, {"clock_settime", unix.SYS_CLOCK_SETTIME},
	{"adjtimex", unix.SYS_ADJTIMEX}, {"clock_adjtime", unix.SYS_CLOCK_ADJTIME},
	{"sethostname", unix.SYS_SETHOSTNAME}, {"setdomainname", unix.SYS_SETDOMAINNAME},
}

// absent are calls that libraries try, and can do without if the kernel lacks them. statmount and
// listmount would show the host's mounts.
var absent = []call{
	{"io_uring_setup", unix.SYS_IO_URING_SETUP}, {"io_uring_enter", unix.SYS_IO_URING_ENTER}, {"io_uring_register", unix.SYS_IO_URING_REGISTER},
	{"memfd_secret", unix.SYS_MEMFD_SECRET}, {"statmount", statMount}, {"listmount", listMount},
}

// Numbers of calls that are newer than package unix. They are the same on all architectures.
const (
	statMount    = 457
	listMount    = 458
	openTreeAttr = 467
)
