package makefile

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentd/domains/domaintest"
	published "agentd/domains/published/makefile"
	"agentd/vfs"
)

// mainFile is the file of the makefiles in these tests.
const mainFile = "Makefile"

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:   New(),
		Seed:     domaintest.Seed(t, "makefile1"),
		Generate: rapid.Custom(drawMakefile),
		// Targets with a slash in their names are not read by the published program.
		RSForgives: 0.1,
	}.Run(t)
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, New(), domaintest.Seed(f, "makefile1"))
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, "makefile1"))
}

// drawMakefile draws a makefile as people write them: sections, several rules
// for a target, conditionals everywhere, continued lines, odd blanks. Its first
// rule has a recipe, so that Make would not ask for files.
func drawMakefile(t *rapid.T) vfs.Files {
	d := drawer{T: t}
	if d.sometimes("opening") {
		d.write("# Lošinj tide gauges", "")
	}
	for range d.upTo(4, "variables") {
		d.variable()
	}
	d.write("", "##@ "+d.one("title", "General", "2. šetnja", "Build & run"), "", ".PHONY: help", "help: ## what there is")
	d.write(d.one("first", "\t@echo help", "\t@awk '/^##@/' \\\n\t\tMakefile", "\t@true\n\t-@sleep 2s"))
	for range d.upTo(7, "statements") {
		d.statement()
	}
	if d.sometimes("end") {
		d.write("# vim: noexpandtab")
	}
	return vfs.Files{mainFile: strings.Join(d.lines, "\n") + "\n"}
}

type drawer struct {
	*rapid.T
	lines []string
}

func (d *drawer) upTo(most int, label string) int { return rapid.IntRange(0, most).Draw(d.T, label) }
func (d *drawer) sometimes(label string) bool     { return d.upTo(3, label) == 0 }
func (d *drawer) write(lines ...string) {
	for _, line := range lines {
		d.lines = append(d.lines, strings.Split(line, "\n")...)
	}
}

func (d *drawer) one(label string, among ...string) string {
	return rapid.SampledFrom(among).Draw(d.T, label)
}

func (d *drawer) name() string {
	return d.one("name", "gauge", "levels.csv", "out/map.pdf", "tide-table", "all", "install", ".venv/ok", "$(OUT)/plot.svg")
}

func (d *drawer) variable() {
	d.write(d.one("assignment",
		"OUT = out", "OUT  :=  build # was out", "SRCS = a.c b.c \\\n  c.c", "SRCS += d.c", "export TZ = Europe/Zagreb", "EMPTY =",
		"override MODE := 755", "WAIT ?= 5m", "NAME = \"two  words\"", "${OUT}_X := $(SRCS:.c=.o)", "REV != git rev-parse HEAD",
		"HASH := \\#1", "define BODY\n\techo 30s\nline $(OUT)\nendef", "define ONE =\nx\nendef", "LONG = 1h30m", "P := $$HOME",
	))
}

func (d *drawer) statement() {
	if d.upTo(1, "blank") == 0 {
		d.write("")
	}
	if d.sometimes("comment") {
		d.write(d.one("remark", "# why: see the log \\", "##@ Data", "##@ Data", "## two hashes", "   # indented 5m"))
		if strings.HasSuffix(d.lines[len(d.lines)-1], "\\") {
			d.write("  and this too")
		}
	}
	switch d.upTo(9, "kind") {
	case 0:
		d.variable()
	case 1:
		d.write(d.one("condition", "ifdef V", "ifeq ($(OUT),out)", "ifneq \"$(V)\" ''"))
		d.variable()
		d.write(d.one("else", "else", "else ifeq (a,b)", "# none"))
		d.rule()
		d.write("endif")
	case 2:
		d.write(d.one("directive", "-include local.mk", "export TZ OUT", "vpath %.c src", "$(info hello)", ".SUFFIXES:", "unexport TZ"))
	case 3:
		d.write(d.one("specific", "all: MODE := 644", "install all: export WAIT += 3s", "%.o: CFLAGS = -g"))
	case 4:
		d.write(".PHONY: " + d.name() + "  all")
		d.rule()
	default:
		d.rule()
	}
}

func (d *drawer) rule() {
	switch d.upTo(5, "rule") {
	case 0:
		d.write(d.one("pattern", "%.o: %.c", "%.html %.pdf: %.md tpl", "a.o b.o: %.o: %.c | out", "%: %.sh"))
	case 1:
		d.write(d.name() + ": " + d.name() + " ; @echo $@ # no comment")
	case 2:
		d.write(d.name() + " " + d.name() + ": \\\n  " + d.name() + "   " + d.name())
	case 3:
		d.write("install&: x")
	default:
		d.write(d.name() + ": " + d.name() + d.one("more", "", " | out", " ## help text", " # 10s later"))
	}
	for range d.upTo(5, "lines") {
		d.write(d.one("line",
			"\t@echo $@ ${OUT} $(words $(SRCS))", "\tcp $< \\\n\t  $@", "\t# a comment of the shell", "\ttimeout 90s ./run --wait=1m",
			"\t$(MAKE) all gauge", "\t-@rm -f $$x  # clean", "# between", "\tcd x && \\\n   ls", "ifdef V\n\techo v\nelse\n\techo w\nendif", "\t+@$(BODY)",
			"", "\t", "\tA=1 B='c  d'"))
	}
}

func TestPrintingLosesNothing(t *testing.T) {
	t.Parallel()
	for _, text := range []string{sample, "a:\n\tx \\\n y\n\n\n# end\n", "define A\nb:\n", "  \n\t\nfoo\n"} {
		if diff := cmp.Diff(text, printed(published.Read(text))); diff != "" {
			t.Error(diff)
		}
	}
}

// Pattern rules of one target are chosen among by what they need; only one that is there twice overrides itself.
func TestASecondRecipeOfATarget(t *testing.T) {
	t.Parallel()
	const patterns = "%.o: %.c\n\tcc -c $<\n%.o: %.f\n\tf77 -c $<\n"
	for text, slips := range map[string]int{
		patterns:                             0,
		patterns + "%.o: %.c\n\tgcc $<\n":    1,
		"lock: a\n\tcc a\nlock: b\n\tcc b\n": 1,
	} {
		if got := New().Slips(vfs.Files{"Makefile": text}); len(got) != slips {
			t.Errorf("%q: %v, want %d", text, got, slips)
		}
	}
}
