package python

import (
	"strings"
	"testing"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

const mainFile = "main.py"

func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "python1") }

const bilge = `"""Bilge alarms."""
import sys
from os import path, sep

# cm; above it rings
LIMIT = 12.5

class Alarm(Exception):
    level = 2

# from the log
def read_log(name, by=2):
    if not name or name == sep:
        raise Alarm(f"{by}{name}")  # 2 of them
    return [float(line) / by for line in open(name)]

def mean_level(rows): return sum(rows) / 2.0 + LIMIT

def main(name=sys.argv[1]):
    rows = read_log(name)
    print("mean", '%d' % mean_level(rows), sep="\t")
    print("mean", rows["n"])

main()
# end
`

func bilgeWith(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(bilge) }

const (
	readLog   = "# from the log\ndef read_log(name, by=2):\n    if not name or name == sep:\n        raise Alarm(f\"{by}{name}\")  # 2 of them\n    return [float(line) / by for line in open(name)]\n"
	meanLevel = "\ndef mean_level(rows): return sum(rows) / 2.0 + LIMIT\n"
	mainRuns  = "\ndef main(name=sys.argv[1]):\n    rows = read_log(name)\n    print(\"mean\", '%d' % mean_level(rows), sep=\"\\t\")\n    print(\"mean\", rows[\"n\"])\n"
)

var forwardResults = map[string]vfs.Files{
	"module_split": {
		"app.py": `"""Bilge alarms."""
import sys
from os import path, sep
from functions import main

main()
# end
`,
		"constants.py": "\n# cm; above it rings\nLIMIT = 12.5\n",
		"records.py":   "\nclass Alarm(Exception):\n    level = 2\n",
		"functions.py": "import sys\nfrom os import path, sep\nfrom constants import LIMIT\nfrom records import Alarm\n\n" +
			readLog + meanLevel + mainRuns,
		"layout.csv": "position,file\n1,app.py\n2,app.py\n3,app.py\n4,constants.py\n5,records.py\n6,functions.py\n7,functions.py\n8,functions.py\n9,app.py\n",
	},
	"message_module": {
		"with_messages.py": bilgeWith("from os import path, sep\n", "from os import path, sep\nfrom messages import MSG\n",
			`"mean"`, `MSG["m1"]`, `'%d'`, `MSG["m2"]`, `"\t"`, `MSG["m3"]`),
		"messages.py": "MSG = {\n    \"m1\": \"mean\",\n    \"m2\": '%d',\n    \"m3\": \"\\t\",\n}\n",
	},
	"number_table": {
		"with_names.py": bilgeWith("from os import path, sep\n", "from os import path, sep\nNUMBER_1 = 2\nNUMBER_2 = 2.0\n",
			"by=2", "by=NUMBER_1", "2.0", "NUMBER_2"),
		"numbers.csv": "name,value,uses,functions\nNUMBER_1,2,1,read_log\nNUMBER_2,2.0,1,mean_level\n",
	},
	"complexity_order": {
		"by_complexity.py": bilgeWith("def read_log", "# complexity: 4\ndef read_log", meanLevel, strings.Replace(mainRuns, "def", "# complexity: 1\ndef", 1),
			mainRuns, strings.Replace(meanLevel, "def", "# complexity: 1\ndef", 1)),
		"complexity.csv": "function,complexity,lines,per_100_lines,place\nread_log,4,4,100.0,1\nmain,1,4,25.0,3\nmean_level,1,1,100.0,2\n",
	},
	"callers_first": {
		"callers_first.py": bilgeWith("\n"+readLog, mainRuns, meanLevel, "\n"+readLog, mainRuns, meanLevel),
		"calls.dot":        "digraph calls {\n    main;\n    read_log;\n    mean_level;\n    main -> mean_level;\n    main -> read_log;\n}\n",
		"order.txt":        "read_log\nmean_level\nmain\n",
	},
	"camel_case": {
		"camel.py":  bilgeWith("read_log", "readLog", "mean_level", "meanLevel"),
		"names.csv": "name,snake_case\nreadLog,read_log\nmeanLevel,mean_level\n",
	},
	"notebook": nil, // see TestNotebookHasACellForEachBlock
	"stubs": {
		"stubs.py":   bilgeWith(strings.SplitAfterN(readLog, "\n", 3)[2], "    ...\n", strings.SplitAfterN(mainRuns, "\n", 3)[2], "    ...\n"),
		"bodies.txt": "=== read_log\n" + strings.SplitAfterN(readLog, "\n", 3)[2] + "=== main\n" + strings.SplitAfterN(mainRuns, "\n", 3)[2],
		"signatures.md": "| function | parameters | lines | raises |\n| --- | --- | --- | --- |\n" +
			"| read_log | name, by=2 | 3 | Alarm |\n| main | name=sys.argv[1] | 3 |  |\n",
	},
}

func TestEdits(t *testing.T) {
	t.Parallel()
	domaintest.Results(t, demonstration(t), vfs.Files{mainFile: bilge}, forwardResults, domaintest.InMeaning)
}

func TestNotebookHasACellForEachBlock(t *testing.T) {
	t.Parallel()
	edit := domaintest.Edit(t, demonstration(t), "notebook")
	got, err := edit.Forward(vfs.Files{mainFile: "#!/bin/py\nx = 1\n\n# one\n#\n# # two\n\n\n#three\ny = '<'\n# end\n"})
	if err != nil {
		t.Fatal(err)
	}
	want := `{
 "cells": [
  {
   "cell_type": "markdown",
   "metadata": {},
   "source": [
    "#!/bin/py"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": null,
   "metadata": {},
   "outputs": [],
   "source": [
    "x = 1"
   ]
  },
  {
   "cell_type": "markdown",
   "metadata": {},
   "source": [
    "one\n",
    "\n",
    "# # two"
   ]
  },
`
	if !strings.HasPrefix(got["notebook.ipynb"], want) {
		t.Errorf("got %s", got["notebook.ipynb"])
	}
	back, err := edit.Backward(got)
	if want := "#!/bin/py\nx = 1\n\n\n# one\n#\n# # two\n\n#three\ny = '<'\n\n\n# end\n"; err != nil || back[mainFile] != want {
		t.Errorf("%v, got %q, want %q", err, back[mainFile], want)
	}
}

func TestOraclesRefuse(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ edit, text string }{
		"prose":                     {"camel_case", "Here is the file.\n"},
		"a fence":                   {"notebook", "```\nx = 1\n```\n"},
		"no function":               {"complexity_order", "x = 1\n"},
		"indented below nothing":    {"stubs", "  x = 1\n"},
		"a module that is there":    {"module_split", "from records import Alarm\n"},
		"a name that is there":      {"message_module", "MSG = 1\n"},
		"names of numbers":          {"number_table", "NUMBER_1 = 1\n"},
		"two functions of one name": {"camel_case", "def a_b(): pass\ndef aB(): pass\n"},
		"only bodies beside":        {"stubs", "def f(): pass\n"},
	} {
		if got, err := domaintest.Edit(t, demonstration(t), c.edit).Forward(vfs.Files{mainFile: c.text}); err == nil {
			t.Errorf("%s: %s made %v", name, c.edit, got)
		}
	}
}

func TestOtherParameters(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ edit, parameters, file, want string }{
		{"split_by_kind", `{"document": "bilge.py", "modules": [{"kind": "class", "file": "kinds.py"}], "others": "rest.py", "table": "t.csv"}`,
			"rest.py", "from os import path, sep\nfrom kinds import Alarm\n\n# cm;"},
		{"texts_apart", `{"document": "bilge.py", "to": "t.py", "module": "texts.py", "name": "T", "key": "text_"}`,
			"texts.py", "T = {\n    \"text_1\": \"mean\",\n"},
		{"name_numbers", `{"document": "bilge.py", "to": "n.py", "begins": "N", "keep": ["1", "2"], "table": "n.csv"}`,
			"n.csv", "uses,functions\nN1,2.0,1,mean_level\n"},
		{"stubs", `{"document": "bilge.py", "to": "s.py", "bodies": "b.txt", "mark": "@@ ", "table": "s.md"}`,
			"b.txt", "@@ main\n    rows = read_log(name)\n"},
	} {
		edit, err := domaintest.Edit(t, New(), c.edit).With(c.parameters)
		if err != nil {
			t.Fatal(err)
		}
		made, err := edit.Forward(vfs.Files{"bilge.py": bilge})
		if err != nil || !strings.Contains(made[c.file], c.want) {
			t.Errorf("%s: %v %v", c.edit, err, made)
		}
		if back, err := edit.Backward(made); err != nil || len(New().Differences(vfs.Files{"bilge.py": bilge}, back)) > 0 {
			t.Errorf("%s: %v %v", c.edit, err, back)
		}
	}
	edit, err := domaintest.Edit(t, New(), "split_by_kind").With(`{"document": "", "modules": [{"kind": "loop", "file": ""}], "others": "", "table": ""}`)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := edit.Forward(vfs.Files{"bilge.py": bilge}); err == nil || !strings.Contains(err.Error(), "kind must be") {
		t.Errorf("%v %v", got, err)
	}
}
