//go:build linux

// Package seccomp builds the filter of system calls that scripts run under.
//
// The filter refuses calls that attacks on the kernel need and that scripts that work on documents
// do not: namespaces and mounts, other processes' memory, programs in the kernel, keys, modules,
// clocks, files opened by handle, and sockets of rare families. It allows everything else; the
// rest of the sandbox limits its effect. docs/security.md has the list.
package seccomp

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// Rule refuses one system call, always or depending on one argument.
type Rule struct {
	Name   string
	Number uint32
	Errno  unix.Errno // error that the caller gets
	When   *Condition // nil for always
}

// Condition tests the low 32 bits of an argument. The kernel reads no more of the arguments that
// the rules test.
type Condition struct {
	Argument uint32   // 0 is the first
	Bits     uint32   // refuse if any of these is set
	Equal    []uint32 // refuse these values
	NotEqual []uint32 // refuse all values but these
}

// Offsets in the kernel's struct seccomp_data, and in an argument of it: both
// architectures have the low half first.
const (
	offsetNumber       = 0
	offsetArchitecture = 4
	offsetArguments    = 16
	sizeArgument       = 8
)

const (
	actionAllow = unix.SECCOMP_RET_ALLOW
	actionKill  = unix.SECCOMP_RET_KILL_PROCESS
	actionErrno = unix.SECCOMP_RET_ERRNO
)

// Program returns the filter, as the kernel and bwrap --seccomp read it.
func Program() ([]byte, error) {
	raw, err := bpf.Assemble(instructions(architecture, Rules()))
	if err != nil {
		return nil, fmt.Errorf("building the filter of system calls: %w", err)
	}
	var program bytes.Buffer
	err = binary.Write(&program, binary.NativeEndian, raw) // each is a struct sock_filter
	return program.Bytes(), err
}

// instructions kills callers of another architecture, whose numbers mean other calls,
// refuses the numbers of x32, then applies the rules.
func instructions(architecture uint32, rules []Rule) []bpf.Instruction {
	program := []bpf.Instruction{
		bpf.LoadAbsolute{Off: offsetArchitecture, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: architecture, SkipTrue: 1},
		bpf.RetConstant{Val: actionKill},
		bpf.LoadAbsolute{Off: offsetNumber, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpLessThan, Val: mostNumber, SkipTrue: 1},
		refuse(unix.ENOSYS),
	}
	for _, rule := range rules {
		block := rule.block()
		program = append(program, bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: rule.Number, SkipTrue: uint8(len(block))})
		program = append(program, block...)
	}
	return append(program, bpf.RetConstant{Val: actionAllow})
}

// block returns the instructions for a call with the rule's number. They always return, so each
// number has only one rule.
func (r Rule) block() []bpf.Instruction {
	if r.When == nil {
		return []bpf.Instruction{refuse(r.Errno)}
	}
	block := []bpf.Instruction{bpf.LoadAbsolute{Off: offsetArguments + sizeArgument*r.When.Argument, Size: 4}}
	test := func(cond bpf.JumpTest, value uint32, action bpf.Instruction) {
		block = append(block, bpf.JumpIf{Cond: cond, Val: value, SkipFalse: 1}, action)
	}
	if r.When.Bits != 0 {
		test(bpf.JumpBitsSet, r.When.Bits, refuse(r.Errno))
	}
	for _, value := range r.When.Equal {
		test(bpf.JumpEqual, value, refuse(r.Errno))
	}
	for _, value := range r.When.NotEqual {
		test(bpf.JumpEqual, value, bpf.RetConstant{Val: actionAllow})
	}
	if r.When.NotEqual != nil {
		return append(block, refuse(r.Errno))
	}
	return append(block, bpf.RetConstant{Val: actionAllow})
}

func refuse(errno unix.Errno) bpf.Instruction {
	return bpf.RetConstant{Val: actionErrno | uint32(errno)}
}
