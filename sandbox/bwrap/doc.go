// Package bwrap runs scripts in bubblewrap, the sandbox tool of Flatpak. It
// needs the programs bwrap and python3 and a kernel that lets ordinary users
// create namespaces, and nothing else: no daemon, no image, no root.
//
// # What a script sees
//
// A file system that consists of the host's /usr, read-only, a handful of
// devices, its own /proc, and two folders in memory: /tmp, which is empty when it
// starts, and /work, which holds its files in the folder workspace. No network but its own idle
// loopback, no process but its own, no environment but ours, no capability, and
// not the user that agentd runs as: inside it is uid 1000, outside it is
// agentd's own ordinary user or, when that is root, nobody (65534). Nothing of
// the host can be written to, and nothing lies on the host that would have to
// be removed.
//
// # One run
//
//	open     bwrap builds the sandbox; its first process is put into a cgroup
//	ready    a shell in it says that all is mounted, and waits
//	enter    we reach into its /work, write the files, and watch them
//	run      the shell becomes Python; output is counted while it comes
//	end      the first process is killed, and with it all of its PID namespace
//	look     what lies in /work/workspace now is looked at, and plain text taken back
//	apply    the differences go to the workspace in memory
//
// /work is a file system in memory, of limited size, inside of the sandbox. We reach it through /proc/PID/root and hold it open beyond the
// sandbox's end. So its limit is the kernel's, exact, and costs nothing; a
// watcher would be late, and a limit on the size of single files says nothing
// about their number.
//
// From "end" on, no process of the script exists, so what is found does not
// change while it is looked at. It still counts as hostile: it is reached from one
// open folder to the next, nothing is followed or waited for, and the size of
// everything read into memory is bounded.
//
// # Warm starts
//
// One interpreter, the zygote, starts in a sandbox of its own. From it a runner has
// one forked into the namespaces of its interaction, or takes one from a pool
// (WithPool). As the first process of these namespaces, which nothing in them can
// reach, it makes folders for one script after the other, forks for it, and ends
// what it leaves; see zygote.py. The script's process goes on as the script, or, in a
// cold start, becomes a new interpreter (Cold). As long as interpreters are few, the
// next script is prepared for before it comes; of many, most would never have one.
// Where the waiting one is unwell, the script is run alone, as above.
//
// # Commands
//
// A command (sandbox.Commander) goes the same way, with a launcher in Python's
// place. In the command's network it makes the one socket that answers, hands it
// out to us, and becomes the command. While that runs, files are looked at and
// written when it calls a tool, by the same means.
//
// # Limits
//
// Memory, processes and CPU time are limited in sum by a cgroup, where one can
// be made. Where not, memory is limited for each process, and in sum by a look
// 20 times a second; CPU time is not. Describe says which it is. System calls
// are filtered (package seccomp).
//
// # The end of agentd
//
// A sandbox dies with the thread that started it, the kernel sees to that. A
// kill in the first millisecond can leave a process of bwrap's that waits for
// its dead parent; New looks for those, and for cgroups of dead processes, and
// removes them.
package bwrap
