package makefile

import (
	"strings"
	"testing"

	"agentd/domains"
	"agentd/vfs"
)

const sample = `# tide gauges
-include local.mk

OUT    := out
GAUGES = rovinj bakar   # north first
GAUGES += \
	split
RATE   ?= 10
export TZ = UTC
DATA   := $(OUT)/data
NOTE   = "two  blanks"

define usage
first line
second line
endef

ifeq ($(OS),Windows_NT)
RM := del
else
RM := rm -f
endif

.PHONY: all clean
all: $(DATA) report.pdf | $(OUT) ## everything

report.pdf: report.tex levels.csv
	@latexmk -pdf $<
	-cp report.pdf $(OUT) && \
		touch $@
ifdef V
	@echo ${OUT}
endif

levels.csv: RATE = 5
levels.csv: fetch.py
	python3 fetch.py --rate $(RATE) > $@

%.svg: %.gp
	gnuplot $<

clean:
	$(RM) *.aux
	rmdir $(OUT)
`

// changed is the sample with some texts replaced, given in pairs.
func changed(t *testing.T, pairs ...string) vfs.Files {
	t.Helper()
	text := sample
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			t.Fatalf("the sample has no %q", pairs[i])
		}
		text = strings.Replace(text, pairs[i], pairs[i+1], 1)
	}
	return vfs.Files{"Makefile": text}
}

func TestWhatStrictForgives(t *testing.T) {
	t.Parallel()
	for name, candidate := range map[string]vfs.Files{
		"another name":                    {"build.txt": sample},
		"a code fence":                    {"Makefile": "```makefile\n" + sample + "```\n"},
		"line ends":                       {"Makefile": strings.ReplaceAll(sample, "\n", "\r\n")},
		"comments":                        changed(t, "# tide gauges\n", "", " ## everything", " # all", "   # north first", ""),
		"blanks around an operator":       changed(t, "OUT    := out", "OUT:=out"),
		"another operator that means it":  changed(t, "OUT    :=", "OUT ::="),
		"order of variables":              changed(t, "RATE   ?= 10\n", "", "-include local.mk\n", "-include local.mk\nRATE ?= 10\n"),
		"a value on one line":             changed(t, "+= \\\n\tsplit", "+= split"),
		"order of rules":                  changed(t, "%.svg: %.gp\n\tgnuplot $<\n\n", "", "report.pdf: report.tex", "%.svg: %.gp\n\tgnuplot $<\n\nreport.pdf: report.tex"),
		"braces":                          changed(t, "echo ${OUT}", "echo $(OUT)", "cp report.pdf $(OUT)", "cp report.pdf ${OUT}"),
		"a name of one character":         changed(t, "touch $@", "touch $(@)"),
		"several rules for one target":    changed(t, "report.pdf: report.tex levels.csv\n", "report.pdf: report.tex\nreport.pdf: levels.csv\n"),
		"several .PHONY lines":            changed(t, ".PHONY: all clean", ".PHONY: clean\n.PHONY: all"),
		"a rule said twice":               {"Makefile": sample + "\nclean:\n\t$(RM) *.aux\n\trmdir $(OUT)\n"},
		"a recipe after a semicolon":      changed(t, "gnuplot $<", "gnuplot $<", "%.svg: %.gp\n\t", "%.svg: %.gp ; "),
		"quotes around a condition":       changed(t, "ifeq ($(OS),Windows_NT)", "ifeq '${OS}' \"Windows_NT\""),
		"export on a line of its own":     changed(t, "export TZ = UTC", "TZ = UTC\nexport TZ"),
		"indentation of a continued line": changed(t, "\n\t\ttouch", "\n\t    touch"),
		"an included part": {
			"Makefile": strings.Replace(sample, "%.svg: %.gp\n\tgnuplot $<\n", "include plots.mk\n", 1),
			"plots.mk": "%.svg: %.gp\n\tgnuplot $<\n",
		},
	} {
		if score := New().Compare(vfs.Files{"Makefile": sample}, candidate); score.Strict != 1 {
			t.Errorf("%s: Strict %.4f: %v", name, score.Strict, New().Differences(vfs.Files{"Makefile": sample}, candidate))
		}
	}
}

func TestWhatStrictSees(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		candidate vfs.Files
		says      string // a difference
		least     float64
	}{
		"a number":                 {changed(t, "?= 10", "?= 100"), "variable RATE, value: 10 -> 100", 0.95},
		"an operator":              {changed(t, "?= 10", "= 10"), "variable RATE, operator: ?= -> =", 0.95},
		"an appended part":         {changed(t, "split", "zadar"), "variable GAUGES, assignment 2, value: split -> zadar", 0.95},
		"order in a value":         {changed(t, "rovinj bakar", "bakar rovinj"), "variable GAUGES, order of value: 2 1 -> 1 2", 0.95},
		"blanks in quotes":         {changed(t, "two  blanks", "two blanks"), `variable NOTE, value: "two  blanks" -> "two blanks"`, 0.95},
		"a line of a definition":   {changed(t, "second line", "second"), "variable usage, value: second line -> second", 0.95},
		"a variable moved below":   {changed(t, "OUT    := out\n", "", "NOTE   =", "OUT := out\nNOTE ="), "assignments before to OUT: 1 -> 0", 0.9},
		"an export":                {changed(t, "export TZ", "TZ"), "directive export TZ: lost (export TZ)", 0.9},
		"the other branch":         {changed(t, "RM := del", "RM := erase"), "variable RM, value: del -> erase", 0.95},
		"a condition":              {changed(t, "Windows_NT", "Linux"), "variable RM, when: $(OS) = Windows_NT -> $(OS) = Linux", 0.95},
		"a prerequisite":           {changed(t, "report.tex levels.csv", "report.tex"), "target report.pdf, prerequisite: levels.csv -> (nothing)", 0.9},
		"order of prerequisites":   {changed(t, "report.tex levels.csv", "levels.csv report.tex"), "target report.pdf, order of prerequisite: 2 1 -> 1 2", 0.95},
		"an order-only mark":       {changed(t, "report.pdf | $(OUT)", "report.pdf $(OUT)"), "target all, order-only prerequisite: $(OUT) -> (nothing)", 0.9},
		"a command":                {changed(t, "rmdir $(OUT)", "rm -rf /"), "target clean, recipe: rmdir $(OUT) -> rm -rf /", 0.9},
		"letter case in a command": {changed(t, "-pdf $<", "-PDF $<"), "target report.pdf, recipe: @latexmk -pdf $< -> @latexmk -PDF $<", 0.9},
		"an ignored error":         {changed(t, "\trmdir", "\t-rmdir"), "target clean, recipe: rmdir $(OUT) -> -rmdir $(OUT)", 0.9},
		"order of commands":        {changed(t, "\t$(RM) *.aux\n", "", "\trmdir $(OUT)\n", "\trmdir $(OUT)\n\t$(RM) *.aux\n"), "target clean, order of recipe: 1 2 -> 2 1", 0.9},
		"a command's condition":    {changed(t, "ifdef V", "ifndef V"), "target report.pdf, recipe when V is defined: @echo $(OUT) -> (nothing)", 0.9},
		"a target's variable":      {changed(t, "csv: RATE = 5", "csv: RATE = 6"), "variable RATE of levels.csv, value: 5 -> 6", 0.95},
		"a pattern rule":           {changed(t, "gnuplot $<", "gnuplot -p $<"), "pattern rule %.svg: %.gp, recipe: gnuplot $< -> gnuplot -p $<", 0.9},
		"a phony target":           {changed(t, ".PHONY: all clean", ".PHONY: all"), "target clean, phony: yes -> (nothing)", 0.9},
		"the default goal":         {changed(t, ".PHONY", "clean:\n.PHONY"), "target all: moved from place 1 to 2", 0.8},
		"an include":               {changed(t, "-include", "include"), "include local.mk, needed: false -> true", 0.9},
		"blanks for a tab":         {changed(t, "\trmdir", "    rmdir"), "target clean, recipe: rmdir $(OUT) -> (indented by blanks) rmdir $(OUT)", 0.9},
		"a conflicting rule":       {vfs.Files{"Makefile": strings.Replace(sample, "clean:\n", "clean:\n\trm -rf ~\n\nclean:\n", 1)}, "target clean, overridden recipe: (nothing) -> rm -rf ~", 0.8},
		"an added target":          {vfs.Files{"Makefile": sample + "\ndeploy: all\n\trsync\n"}, "target deploy: added (deploy | all | rsync)", 0.8},
		"a repeated assignment":    {vfs.Files{"Makefile": sample + "\nRATE ?= 10\n"}, "variable RATE, assignment 2: added", 0.9},
		"foreign text":             {vfs.Files{"Makefile": sample + "\nThe rest stays as it was\n"}, "line: added (The rest stays as it was)", 0.9},
		"a lost endif":             {changed(t, "RM := rm -f\nendif\n", "RM := rm -f\n"), "target clean, when: (nothing) -> $(OS) ≠ Windows_NT", 0.5},
		"a part that is not included": {vfs.Files{
			"Makefile": strings.Replace(sample, "%.svg: %.gp\n\tgnuplot $<\n", "", 1),
			"plots.mk": "%.svg: %.gp\n\tgnuplot $<\n",
		}, "makefile 2: added (2)", 0.9},
	} {
		reference := vfs.Files{"Makefile": sample}
		score := New().Compare(reference, c.candidate)
		if score.Strict == 1 || score.Strict < c.least {
			t.Errorf("%s: Strict %.4f, want at least %v and below 1", name, score.Strict, c.least)
		}
		if differences := New().Differences(reference, c.candidate); !says(differences, c.says) {
			t.Errorf("%s: want %q among %v", name, c.says, differences)
		}
	}
}

func says(differences []domains.Difference, text string) bool {
	for _, d := range differences {
		if strings.Contains(d.String(), text) {
			return true
		}
	}
	return false
}
