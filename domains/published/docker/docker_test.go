package docker

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/vfs"
)

// published writes what parse makes of a text, one line a stage or instruction.
func published(text string) []string {
	stages, _ := Parse(vfs.Files{"Dockerfile": text})
	var lines []string
	note := func(line, comment string) {
		if comment != "" {
			line += fmt.Sprintf(" #%q", comment)
		}
		lines = append(lines, line)
	}
	for _, s := range stages {
		note(fmt.Sprintf("%q as %q", s.base, s.name), s.comment)
		for _, in := range s.instructions {
			note(fmt.Sprintf("%s %q", in.keyword, in.value), in.comment)
		}
	}
	return lines
}

func TestPublishedReading(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		text string
		want []string
	}{
		"a keyword in any case":                      {"from a\nRun b", []string{`"a" as ""`, `RUN "b"`}},
		"instructions before FROM make a stage":      {"ARG A\nFROM b", []string{`"" as ""`, `ARG "A"`, `"b" as ""`}},
		"continuation lines keep their indentation":  {"FROM a\nRUN b \\  \n\t c", []string{`"a" as ""`, "RUN \"b  \\t c\""}},
		"an unfinished last line counts":             {"FROM a\nRUN b \\", []string{`"a" as ""`, `RUN "b"`}},
		"a comment inside an instruction is text":    {"FROM a\nRUN b \\\n# c \\\n d", []string{`"a" as ""`, `RUN "b  # c   d"`}},
		"a blank line ends an instruction":           {"FROM a\nRUN b \\\n\nc", []string{`"a" as ""`, `RUN "b c"`}},
		"a comment that continues swallows a line":   {"# x \\\nFROM a\nFROM b", []string{`"b" as "" #"x  FROM a"`}},
		"the escape directive is a comment":          {"# escape=`\nFROM a\nRUN b `\n c", []string{"\"a\" as \"\" #\"escape=`\"", "RUN \"b ` c\""}},
		"comments wait for an instruction":           {"# a\n\n\n#b\nFROM c\n#\nx\n# d\nRUN e\n# f", []string{`"c" as "" #"a\n\nb"`, `RUN "e" #"d"`}},
		"unknown words go to the instruction before": {"FROM a\nx\nRUN b\n  y  \nz", []string{`"a" as ""`, `RUN "b y z"`}},
		"a heredoc line can be an instruction":       {"FROM a\nRUN <<E\nuser x\nE", []string{`"a" as ""`, `RUN "<<E"`, `USER "x E"`}},
		"FROM with platform, name and more":          {"FROM --platform=x a b aS n m", []string{`"a b" as "n"`}},
		"FROM with only a platform":                  {"FROM --platform=x", []string{`"--platform=x" as ""`}},
		"FROM without a name after AS":               {"FROM a AS", []string{`"a AS" as ""`}},
		"a base called AS":                           {"FROM as as as", []string{`"as" as "as"`}},
	} {
		if diff := cmp.Diff(c.want, published(c.text)); diff != "" {
			t.Errorf("%s: %s", rule, diff)
		}
	}
}

func TestPublishedFiles(t *testing.T) {
	t.Parallel()
	stages, _ := Parse(vfs.Files{
		"b.DOCKERFILE": "FROM b", "Dockerfile_a": "FROM a", "Containerfile": "FROM c", "compose.yaml": "FROM d",
	})
	if len(stages) != 2 || stages[0].base != "a" || stages[1].base != "b" {
		t.Errorf("read %+v", stages)
	}
}

func TestAssignments(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]string{
		"A=1 B=2": {"A", "1 B=2"}, "A==1": {"A", "=1"}, "==1": {"=", "1"}, "A= b": {"A", " b"},
		"A=": {}, "=b": {}, "A b=c": {}, " A=1": {}, "": {}, "A": {},
	} {
		name, value, _ := cutAssignment(text)
		if got := [2]string{name, value}; got != want {
			t.Errorf("%q is read as %q, want %q", text, got, want)
		}
	}
}
