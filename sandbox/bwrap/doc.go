//go:build linux

// Package bwrap runs scripts in bubblewrap, the sandbox tool of Flatpak. It
// needs the programs bwrap and python3 and a kernel that lets ordinary users
// create namespaces, and nothing else: no daemon, no image, no root.
//
// A script sees the host's /usr, read-only, a handful of devices, its own /proc, and
// two folders in memory: /tmp, and /work with its files in the folder workspace. It has
// an idle loopback and no other network, no process but its own, no environment but
// ours, no capability. Inside it is uid 1000; outside it is agentd's own user or, where
// that is root, nobody (65534). System calls are filtered. docs/security.md says what
// is guaranteed, and why.
//
// # One run
//
//	open     bwrap builds the sandbox; its first process is put into a cgroup
//	ready    a shell in it says that all is mounted, and waits
//	enter    agentd opens its /work, writes the files, and watches them
//	run      the shell becomes Python; its output is counted
//	end      the first process is killed, and with it all of its PID namespace
//	look     agentd reads what is in /work/workspace, and takes plain text back
//	apply    agentd makes the changes in the workspace in memory
//
// Package session does this for all back ends; package box builds the sandbox. /work is
// a file system of the sandbox's own, whose size the kernel limits. We reach it through
// /proc/PID/root and hold it open beyond the sandbox's end. From "end" on, no process of
// the script exists, so the files do not change while they are read.
//
// Most scripts are started faster: package warm keeps an interpreter waiting for each
// interaction, so that Python need not start for each script. A command has a sandbox of its
// own, as above, but a launcher in place of the shell. It makes the one socket that listens
// in the command's network, hands it out to us, waits, and becomes the command.
//
// The kernel ends a sandbox with the thread that started it. If agentd is killed in the first
// millisecond of a sandbox, a process of bwrap can remain. New ends such processes, and removes the
// cgroups of processes that have ended.
package bwrap
