package sim

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// echo is the job of a model that changes nothing. Each document keeps its content and gets a
// requested name. Documents without a requested name keep their own, except second copies.
func echo(job Job, files []string) Job {
	names, left := job.Renamed(files)
	program := job.Program
	job.Do = func(contents map[string]string, _ Damage) map[string]string {
		same := map[string]string{}
		for name, source := range names {
			if content, known := contents[source]; known {
				same[name] = content
			}
		}
		given := slices.Collect(maps.Values(same))
		for _, name := range left {
			if content, known := contents[name]; known && !slices.Contains(given, content) {
				same[name] = content
			}
		}
		return same
	}
	if program != nil {
		job.Program = func(files []string, above string, damage Damage) string {
			if program(files, above, damage) == "" {
				return ""
			}
			return renaming(names, above)
		}
	}
	return job
}

// renaming returns a Python program that renames files. The keys of the map are the new names.
func renaming(names map[string]string, above string) string {
	var b strings.Builder
	b.WriteString("import os, shutil\n\n")
	for _, name := range sortedNames(names) {
		if source := names[name]; source != name {
			fmt.Fprintf(&b, "os.makedirs(os.path.dirname(%[1]s) or '.', exist_ok=True)\nshutil.copyfile(%[2]s, %[1]s)\n", literal(above+name), literal(above+source))
		}
	}
	for _, source := range slices.Compact(slices.Sorted(maps.Values(names))) {
		if _, kept := names[source]; !kept {
			fmt.Fprintf(&b, "os.remove(%s)\n", literal(above+source))
		}
	}
	return b.String()
}

// cutAfter is the number of characters that the profile cut writes in an answer, including the
// arguments of calls.
const cutAfter = 10

// endAfter truncates a message after some characters, as a server does at the output limit. It
// drops calls that have not begun and incomplete pictures.
func endAfter(m *message, most int) {
	text := m.Text(between)
	if text != "" {
		m.Content, most = beginning(text, most)
	}
	for i := range m.ToolCalls {
		if most == 0 {
			m.ToolCalls = m.ToolCalls[:i]
			break
		}
		arguments := &m.ToolCalls[i].Arguments
		*arguments, most = beginning(*arguments, most)
	}
	m.Pictures = nil
}

// beginning returns the first characters of a text, at most most of them, and how many more may
// follow.
func beginning(text string, most int) (start string, left int) {
	all := []rune(text)
	n := min(len(all), most)
	return string(all[:n]), most - n
}
