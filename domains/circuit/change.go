package circuit

import "slices"

// without leaves out element lines, with what continues them.
func without(name, text string, leave func() bool) string {
	f := readFile(name, text)
	f.statements = slices.DeleteFunc(f.statements, func(s statement) bool { return s.kind == elementLine && leave() })
	return f.print()
}
