package tools

// Exec is the name under which the reads of a command are logged. The reads of a script
// are logged under RunPython.
const Exec = "exec"

// ReadsInside reports whether reads logged under this name were made by a script or a command.
func ReadsInside(name string) bool { return name == RunPython || name == Exec }
