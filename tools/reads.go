package tools

// Exec is the name under which the reads of a command are logged. The reads of a script
// are logged under RunPython.
const Exec = "exec"

// ReadsInside reports whether a name in the read log stands for a script or a command.
func ReadsInside(name string) bool { return name == RunPython || name == Exec }
