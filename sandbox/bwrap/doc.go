// Package bwrap runs scripts in bubblewrap, the sandbox tool of Flatpak. It
// needs the programs bwrap and python3 and a kernel that lets ordinary users
// create namespaces, and nothing else: no daemon, no image, no root.
//
// # What a script sees
//
// A file system that consists of the host's /usr, read-only, an empty /tmp, a
// handful of devices, its own /proc and /workspace, the one folder that is
// shared with the host. No network but its own idle loopback, no process but
// its own, no environment but ours, no capability, and not the user that
// agentd runs as: inside it is uid 1000, outside it is agentd's own ordinary
// user or, when that is root, nobody (65534).
//
// # One run
//
//	sync     the folder is made equal to the workspace, only differences written
//	watch    an inotify watch on each file tells later which were read
//	start    bwrap builds the sandbox, then blocks on a pipe
//	release  the script runs in its limits, its output is counted while it comes
//	end      the first process is killed, and with it all of its PID namespace
//	collect  what lies in the folder now is looked at, and plain text taken back
//	apply    the differences go to the workspace, the rest of the folder is wiped
//
// The limits are set inside of the sandbox, by prlimit, before Python starts.
// There the limit on processes counts per user namespace (Linux 5.14), so
// runners do not get in each other's way; it never binds the real root, which
// is why root does not run scripts as itself.
//
// From "end" on, no process of the script exists, so what is found in the
// folder does not change while it is looked at. It is still the work of an
// enemy: it is reached through os.Root alone, nothing is followed, and the size
// of everything read into memory is bounded.
//
// # What is weaker than it could be
//
// Memory is limited for each process and not in sum, since that takes a cgroup,
// and a script can fill the disk that holds the temporary folder with many
// files, each below the limit. System calls are not filtered.
package bwrap
