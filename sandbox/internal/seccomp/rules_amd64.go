//go:build linux

package seccomp

import "golang.org/x/sys/unix"

const (
	architecture = unix.AUDIT_ARCH_X86_64
	// mostNumber is the first number of an x32 call. x32 calls reach the same kernel through
	// another table.
	mostNumber = 0x40000000
)

// forbiddenHere are the calls that only this architecture has.
var forbiddenHere = []call{
	{"modify_ldt", unix.SYS_MODIFY_LDT}, {"iopl", unix.SYS_IOPL}, {"ioperm", unix.SYS_IOPERM},
	{"uselib", unix.SYS_USELIB}, {"ustat", unix.SYS_USTAT}, {"sysfs", unix.SYS_SYSFS}, {"_sysctl", unix.SYS__SYSCTL},
	{"create_module", unix.SYS_CREATE_MODULE}, {"query_module", unix.SYS_QUERY_MODULE}, {"get_kernel_syms", unix.SYS_GET_KERNEL_SYMS},
}
