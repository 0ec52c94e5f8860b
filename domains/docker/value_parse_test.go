package docker

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains"
	"agentd/vfs"
)

// published writes what parse makes of a text, one line a stage or instruction.
func published(text string) []string {
	stages, _ := parse(vfs.Files{"Dockerfile": text})
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
	stages, _ := parse(vfs.Files{
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

// Components follow from the formulas by hand.
func TestComponents(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rule, reference, candidate, component string
		want                                  float64
	}{
		{"stages: count, names, bases, completeness", "FROM a AS x\nRUN b\nRUN c\nFROM d AS y", "FROM a AS x\nRUN b", "stages",
			0.20*0.5 + 0.25*0.5 + 0.25*1 + 0.30*0.25},
		{"without common names bases go by place", "FROM abcd AS x", "FROM abxy", "stages", 0.20 + 0 + 0.25*0.5 + 0},
		{"sequence", "FROM a\nRUN b\nCMD c", "FROM a\nRUN b\nCMD c\nUSER d", "sequence", 2.0 / 3 * 0.8},
		{"an unpaired stage has no sequence", "FROM a AS x\nFROM b AS y", "FROM a AS x\nFROM b AS z", "sequence", 0.5},
		{"runs by stage", "FROM a AS x\nRUN abcd\nFROM b AS y\nRUN e", "FROM a AS x\nRUN abxy\nFROM b AS z\nRUN e", "run", 0.25},
		{"runs only in the candidate", "FROM a", "FROM a\nRUN b", "run", 0},
		{"of equal keys only the last list counts", "FROM a AS x\nRUN b\nFROM a AS x\nRUN c", "FROM a AS x\nRUN z\nFROM a AS x\nRUN c", "run", 1},
		{"ENV keys and values", "FROM a\nENV A=abcd\nENV B=1", "FROM a\nENV A=abxy", "configuration", (0.4*0.5 + 0.6*0.5 + 4) / 5},
		{"ports as written", "FROM a\nEXPOSE 80 81", "FROM a\nEXPOSE 80/tcp 81", "configuration", (4 + 1.0/3) / 5},
		{"the last of ENTRYPOINT and CMD", "FROM a\nENTRYPOINT x\nCMD ab", "FROM a\nCMD y\nENTRYPOINT ab", "configuration", (4 + 0.3*0.5 + 0.7) / 5},
		{"health checks without common stage", "FROM a AS x\nHEALTHCHECK NONE", "FROM a AS y\nHEALTHCHECK NONE", "configuration", 4.0 / 5},
		{"copies with ADD", "FROM a\nCOPY b c", "FROM a\nADD b c", "copy", 1},
		{"comments", "# abcd\nFROM a", "# abxy\nFROM a", "comments", 0.5},
		{"comments on one side", "FROM a", "# b\nFROM a", "comments", 0},
	} {
		score := New().Compare(vfs.Files{"Dockerfile": c.reference}, vfs.Files{"Dockerfile": c.candidate})
		if got := score.Components[c.component]; math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %s is %v, want %v", c.rule, c.component, got, c.want)
		}
	}
}

func TestStatistics(t *testing.T) {
	t.Parallel()
	stats, err := New().Statistics(vfs.Files{"Dockerfile": "ARG A=1\nARG A=2\nFROM a\nARG A\nENV B=1 C=2\nENV D 3\nRUN x\nADD y z\n"})
	if err != nil {
		t.Fatal(err)
	}
	want := domains.Stats{Elements: 7, Counts: []domains.Count{
		{Name: "Stages", Value: "2"}, {Name: "Instructions", Value: "7"}, {Name: "RUN commands", Value: "1"},
		{Name: "COPY/ADD", Value: "1"}, {Name: "ENV vars", Value: "2"}, {Name: "ARG vars", Value: "1"},
	}}
	if diff := cmp.Diff(want, stats); diff != "" {
		t.Error(diff)
	}
}

func TestFloorOfTheScore(t *testing.T) {
	t.Parallel()
	score := New().Compare(vfs.Files{"Dockerfile": "# c\nFROM a\nRUN b\nCOPY c d\nENV A=1\nEXPOSE 80\nARG B\nCMD x\nHEALTHCHECK NONE"}, vfs.Files{})
	if math.Abs(score.RS-9e-10) > 1e-12 || score.Problem == "" {
		t.Errorf("Value %v, problem %q", score.RS, score.Problem)
	}
}
