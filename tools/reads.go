package tools

// Exec is the name under which reads from inside of a command are recorded; those from
// inside of a script have RunPython's.
const Exec = "exec"

// ReadsInside reports whether reads that are recorded under a name are from inside of a
// script or a command.
func ReadsInside(name string) bool { return name == RunPython || name == Exec }
