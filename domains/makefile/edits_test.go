package makefile

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

const gauges = `# tide gauges of Rovinj

WAIT = 5m # two at least
RAW := raw
RAW += \
	old

##@ General

.PHONY: all
all: report.pdf clean ## the lot
	@echo $(WAIT)

##@ Data

ifdef V
export Q =
endif
# once an hour
levels.csv: fetch.py | $(RAW)
	timeout 1h30m python3 $< \
		> $@
	sleep 20s

report.pdf: levels.csv
	latexmk report

.PHONY: clean
clean: WAIT := 1m
clean:
	$(MAKE) -s all clean

%.svg: %.gp
	gnuplot $<
# the end
`

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "makefile1") }

const mainFile = "Makefile"

func TestEdits(t *testing.T) {
	t.Parallel()
	domaintest.Results(t, demonstration(t), vfs.Files{mainFile: gauges}, map[string]vfs.Files{
		"section_files": {
			"root.mk": `# tide gauges of Rovinj

WAIT = 5m # two at least
RAW := raw
RAW += \
	old

include 01_general.mk
include 02_data.mk
`,
			"01_general.mk": `##@ General

.PHONY: all
all: report.pdf clean ## the lot
	@echo $(WAIT)

`,
			"02_data.mk": `##@ Data

ifdef V
export Q =
endif
# once an hour
levels.csv: fetch.py | $(RAW)
	timeout 1h30m python3 $< \
		> $@
	sleep 20s

report.pdf: levels.csv
	latexmk report

.PHONY: clean
clean: WAIT := 1m
clean:
	$(MAKE) -s all clean

%.svg: %.gp
	gnuplot $<
# the end
`,
			"sections.csv": "file,title\n01_general.mk,General\n02_data.mk,Data\n",
		},
		"kind_files": {
			"base.mk": `# tide gauges of Rovinj

WAIT = 5m # two at least
RAW := raw
RAW += \
	old

##@ General

##@ Data

ifdef V
export Q =
endif
# the end
`,
			"phony.mk": `.PHONY: all
all: report.pdf clean ## the lot
	@echo $(WAIT)

.PHONY: clean
clean: WAIT := 1m
clean:
	$(MAKE) -s all clean

`,
			"files.mk": `# once an hour
levels.csv: fetch.py | $(RAW)
	timeout 1h30m python3 $< \
		> $@
	sleep 20s

report.pdf: levels.csv
	latexmk report

`,
			"patterns.mk": "%.svg: %.gp\n\tgnuplot $<\n",
			"places.csv":  "line,target,file\n10,all,phony.mk\n19,levels.csv,files.mk\n25,report.pdf,files.mk\n28,clean,phony.mk\n33,%.svg,patterns.mk\n",
		},
		"variable_table": {
			"rules.mk": `# tide gauges of Rovinj


##@ General

.PHONY: all
all: report.pdf clean ## the lot
	@echo $(WAIT)

##@ Data

ifdef V
endif
# once an hour
levels.csv: fetch.py | $(RAW)
	timeout 1h30m python3 $< \
		> $@
	sleep 20s

report.pdf: levels.csv
	latexmk report

.PHONY: clean
clean: WAIT := 1m
clean:
	$(MAKE) -s all clean

%.svg: %.gp
	gnuplot $<
# the end
`,
			"variables.csv": `line,name,operator,value
4,RAW,:=,raw
5,RAW,+=,"\
	old"
3,WAIT,=,5m # two at least
17,export Q,=,
`,
		},
		"build_json": nil, // see TestBuildJSON
		"recipe_files": {
			"without_recipes.mk": gaugesWithoutRecipes,
			"recipe_1.txt":       "\ttimeout 1h30m python3 $< \\\n\t\t> $@\n\tsleep 20s\n",
			"recipes.csv":        "file,target,lines\nrecipe_1.txt,levels.csv,3\n",
		},
		"duration_seconds": {
			"seconds.mk": gaugesWith("5m #", "300s #", "1h30m", "5400s", ":= 1m", ":= 60s"),
			"durations.csv": `number,line,duration,seconds
1,3,5m,300
2,21,1h30m,5400
3,23,20s,20
4,29,1m,60
`,
		},
		"target_numbers": {
			"numbered.mk": gaugesWith(".PHONY: all\nall: report.pdf clean", ".PHONY: task_1\ntask_1: report.pdf task_2",
				".PHONY: clean\nclean: WAIT", ".PHONY: task_2\ntask_2: WAIT", "\nclean:\n", "\ntask_2:\n", "-s all clean", "-s task_1 task_2"),
			"names.csv": "name,target\ntask_1,all\ntask_2,clean\n",
		},
		"need_order": {
			"by_need.mk": `# tide gauges of Rovinj

WAIT = 5m # two at least
RAW := raw
RAW += \
	old

##@ General

##@ Data

ifdef V
export Q =
endif
# the end

# once an hour
levels.csv: fetch.py | $(RAW)
	timeout 1h30m python3 $< \
		> $@
	sleep 20s

report.pdf: levels.csv
	latexmk report

.PHONY: clean
clean: WAIT := 1m
clean:
	$(MAKE) -s all clean

.PHONY: all
all: report.pdf clean ## the lot
	@echo $(WAIT)

%.svg: %.gp
	gnuplot $<
`,
			"order.csv": "line,target,level\n19,levels.csv,1\n25,report.pdf,2\n28,clean,1\n10,all,3\n33,%.svg,1\n",
		},
	}, domaintest.InMeaning)
}

var gaugesWithoutRecipes = gaugesWith("\ttimeout 1h30m python3 $< \\\n\t\t> $@\n\tsleep 20s\n", "\t[recipe_1.txt]\n")

// gaugesWith is the document with some texts replaced, given in pairs.
func gaugesWith(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(gauges) }

func TestBuildJSON(t *testing.T) {
	t.Parallel()
	got, err := domaintest.Edit(t, demonstration(t), "build_json").Forward(vfs.Files{mainFile: `# opening

export A ?= 1 # one
all:: b  c \
  | d # note
	x
ifdef V

	y
endif

a.o: %.o: %.c ; cc
define B
b
endef
# closing
`})
	if err != nil {
		t.Fatal(err)
	}
	want := `[
  {
    "above": [
      "# opening",
      ""
    ],
    "name": "export A",
    "operator": "?=",
    "value": "1 # one"
  },
  {
    "targets": [
      "all"
    ],
    "separator": "::",
    "prerequisites": [
      "b",
      "c"
    ],
    "order_only": [
      "d"
    ],
    "recipe": [
      "\tx",
      "ifdef V",
      "",
      "\ty",
      "endif"
    ],
    "comment": "# note"
  },
  {
    "above": [
      ""
    ],
    "lines": [
      "a.o: %.o: %.c ; cc"
    ]
  },
  {
    "lines": [
      "define B",
      "b",
      "endef"
    ]
  },
  {
    "above": [
      "# closing"
    ]
  }
]
`
	if diff := cmp.Diff(want, got["build.json"]); diff != "" {
		t.Error(diff)
	}
}

func TestEditsRefuse(t *testing.T) {
	t.Parallel()
	d := demonstration(t)
	for name, c := range map[string]struct {
		edit     string
		backward bool
		files    vfs.Files
	}{
		"no section":               {"section_files", false, vfs.Files{"Makefile": "a:\n"}},
		"a section's file missing": {"section_files", true, vfs.Files{"root.mk": "", "sections.csv": "file\n01_x.mk\n"}},
		"a name that is taken":     {"target_numbers", false, vfs.Files{"Makefile": ".PHONY: a\na:\ntask_1:\n"}},
		"nothing phony":            {"target_numbers", false, vfs.Files{"Makefile": "a:\n"}},
		"a recipe missing":         {"recipe_files", true, vfs.Files{"without_recipes.mk": "a:\n\t[recipe_1.txt]\n", "recipes.csv": "file\nrecipe_1.txt\n"}},
		"a duration missing":       {"duration_seconds", true, vfs.Files{"seconds.mk": "a:\n", "durations.csv": "number,duration,seconds\n1,5m,300\n"}},
		"no rule":                  {"build_json", false, vfs.Files{"Makefile": "A = 1\n"}},
	} {
		edit := domaintest.Edit(t, d, c.edit)
		step := edit.Forward
		if c.backward {
			step = edit.Backward
		}
		if got, err := step(c.files); err == nil {
			t.Errorf("%s: %v, want an error", name, got)
		}
	}
}

// Other parameters make other files of the same document.
func TestEditsWithOtherParameters(t *testing.T) {
	t.Parallel()
	domaintest.Parameters(t, New(), vfs.Files{"gauges.mk": gauges}, domaintest.InMeaning, []domaintest.Made{
		{
			Edit: "split_at_comments", Parameters: `{"document": "gauges.mk", "mark": "# once", "root": "top.mk", "table": "t.csv"}`,
			Want: vfs.Files{
				"top.mk":   gauges[:strings.Index(gauges, "# once")] + "include 01_an.mk\n",
				"01_an.mk": gauges[strings.Index(gauges, "# once"):],
				"t.csv":    "file,title\n01_an.mk,an hour\n",
			},
		},
		{
			Edit: "take_recipes", Parameters: `{"document": "gauges.mk", "to": "less.mk", "lines": 3, "begins": "long", "table": "t.csv"}`,
			Want: vfs.Files{
				"less.mk":   strings.Replace(gaugesWithoutRecipes, "recipe_1", "long1", 1),
				"long1.txt": "\ttimeout 1h30m python3 $< \\\n\t\t> $@\n\tsleep 20s\n",
				"t.csv":     "file,target,lines\nlong1.txt,levels.csv,3\n",
			},
		},
		{
			Edit: "number_targets", Parameters: `{"document": "gauges.mk", "to": "n.mk", "first": "j08", "table": "t.csv"}`,
			Want: vfs.Files{
				"n.mk": gaugesWith(".PHONY: all\nall: report.pdf clean", ".PHONY: j08\nj08: report.pdf j09",
					".PHONY: clean\nclean: WAIT", ".PHONY: j09\nj09: WAIT", "\nclean:\n", "\nj09:\n", "-s all clean", "-s j08 j09"),
				"t.csv": "name,target\nj08,all\nj09,clean\n",
			},
		},
	}...)
}
