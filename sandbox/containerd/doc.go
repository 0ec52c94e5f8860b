// Package containerd runs scripts in containers of a containerd daemon. Beside
// package bwrap it offers images, so that scripts can have libraries which the
// host does not, other runtimes such as gVisor's, and limits by cgroups that need
// no delegation. It needs a daemon, and the right to use it, which is that of root.
//
// # What a script sees
//
// A read-only file system that consists of the host's /usr, or of an image; a
// /tmp and a /work of limited size, which are empty but for the workspace's files in
// /work/workspace; a handful of devices, its own /proc. No network but its own idle
// loopback, no process but its own and the keeper, no environment but ours, no
// capability. Inside it is uid 1000, in a user namespace wherever runtime and
// kernel can; outside it is nobody (65534), or agentd's own user where that is
// not root.
//
// # One container, many scripts
//
// A container lives as long as a runner, a script is an exec in it. Its first
// process, the keeper (keeper.py), is ours: another user than the scripts, out
// of their reach. It hands file descriptors of /work and /tmp to agentd, by
// which files are brought in and back; they lie on file systems in memory that
// are mounted nowhere on the host.
//
//	prepare  there is a container with room enough; the keeper takes the script
//	enter    the workspace's files are written, and watched for being read
//	start    the runtime starts Python in the container
//	await    the script ends, or its time does
//	kill     the keeper ends all that still runs, with a single system call
//	look     what lies in the workspace now is looked at, and plain text taken back
//	clear    the keeper empties both folders
//
// If any of it fails, or the keeper is lost, the container is removed and the
// next script gets another.
//
// A command (sandbox.Commander) goes the same way, in a container of its own. Its
// keeper also makes the one socket that answers there, and hands it over with the
// folders.
//
// # Nothing is left behind
//
// The keeper reads from a pipe that agentd alone holds open. When agentd dies, the
// keeper ends, and with it the kernel ends all of the container's processes. What
// the daemon still knows of it (container, snapshot, cgroup) is named after the
// process it belonged to, and removed by the next New.
package containerd
