//go:build linux

// Package containerd runs scripts in containers of a containerd daemon. Unlike package
// bwrap, it supports images, so scripts are not restricted to the host's libraries. It
// supports other runtimes, such as gVisor, and needs no delegated cgroups. It needs a
// daemon and the right to use it, which is equal to root's.
//
// Scripts see what they see under bwrap, or the file system of an image in place of the
// host's /usr. docs/containerd.md describes the use, docs/security.md the guarantees.
//
// A container lives as long as a runner, and a script is an exec in it. Its first
// process, the supervisor (supervisor.py), is ours: another user than the scripts, out
// of their reach. It hands file descriptors of /work and /tmp to agentd, which writes
// and reads the files through them.
//
//	prepare  there is a container with room enough; the supervisor takes the script
//	enter    the workspace's files are written, and their reads watched
//	start    the runtime starts Python in the container
//	await    the script ends, or its wall time is over
//	kill     the supervisor ends all that still runs, with a single system call
//	look     agentd reads what is in the workspace, and takes plain text back
//	clear    the supervisor empties both folders
//
// If any of it fails, or the supervisor is lost, the container is removed and the next
// script gets another. A command goes the same way, in a container of its own, whose
// supervisor also makes the one socket that answers there.
//
// The supervisor reads from a pipe that agentd alone holds open. When agentd dies, the
// supervisor ends, and with it the kernel ends all of the container's processes. What
// the daemon still knows of it (container, snapshot, cgroup) is named after the process
// it belonged to, and removed by the next New.
package containerd
