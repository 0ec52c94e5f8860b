package filesystem

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

// document is the file of the documents in these tests.
const document = "tidewrack.txt"

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "filesystem1") }

// small has what the edits look for: a file of more than 40,000 bytes, a
// symlink, a submodule, an odd mode, directories that become packages.
const small = `# sluice "gate" listing
100644      498 .gitignore
040000        - base
100755      340 base/run.sh

040000        - debian
100644       12 debian/rules
# charts
040000        - docs
100644    72935 docs/gate log.csv
120000       12 docs/latest.csv
040000        - docs/old
100664     1536 docs/old/1998|99.CSV
160000        - lib
`

var forwardResults = map[string]vfs.Files{
	"top_level_files": {
		"loose.txt":       "# 2 files, 498 bytes\n100644      498 .gitignore\n160000        - lib\n",
		"tree_base.txt":   "# 1 files, 340 bytes\n040000        - base\n100755      340 base/run.sh\n",
		"tree_debian.txt": "# 1 files, 12 bytes\n040000        - debian\n100644       12 debian/rules\n",
		"tree_docs.txt": `# 3 files, 74483 bytes
040000        - docs
100644    72935 docs/gate log.csv
120000       12 docs/latest.csv
040000        - docs/old
100664     1536 docs/old/1998|99.CSV
`,
		"notes.csv": notes,
	},
	"size_manifest": {"manifest.json": `[
{"line":10,"kind":"file","mode":"100644","size":72935,"path":"docs/gate log.csv"},
{"line":13,"kind":"file","mode":"100664","size":1536,"path":"docs/old/1998|99.CSV"},
{"line":2,"kind":"file","mode":"100644","size":498,"path":".gitignore"},
{"line":4,"kind":"executable","mode":"100755","size":340,"path":"base/run.sh"},
{"line":7,"kind":"file","mode":"100644","size":12,"path":"debian/rules"},
{"line":11,"kind":"symlink","mode":"120000","size":12,"path":"docs/latest.csv"},
{"line":1,"kind":"comment","text":"# sluice \"gate\" listing"},
{"line":3,"kind":"directory","mode":"040000","size":null,"path":"base"},
{"line":5,"kind":"blank"},
{"line":6,"kind":"directory","mode":"040000","size":null,"path":"debian"},
{"line":8,"kind":"comment","text":"# charts"},
{"line":9,"kind":"directory","mode":"040000","size":null,"path":"docs"},
{"line":12,"kind":"directory","mode":"040000","size":null,"path":"docs/old"},
{"line":14,"kind":"submodule","mode":"160000","size":null,"path":"lib"}
]
`},
	"recursive_ls": {
		"ls-lR": `.:
total 498
-rw-r--r-- 498 .gitignore
drwxr-xr-x - base
drwxr-xr-x - debian
drwxr-xr-x - docs
160000 - lib

./base:
total 340
-rwxr-xr-x 340 run.sh

./debian:
total 12
-rw-r--r-- 12 rules

./docs:
total 72947
-rw-r--r-- 72935 gate log.csv
lrwxrwxrwx 12 latest.csv
drwxr-xr-x - old

./docs/old:
total 1536
100664 1536 1998|99.CSV
`,
		"notes.csv": notes,
	},
	"extension_report": {
		"by_extension.md": `## .csv (3 entries, 74483 bytes)

| line | mode | bytes | KiB | path |
| ---: | --- | ---: | ---: | --- |
| 10 | 100644 | 72935 | 71.2 | docs/gate log.csv |
| 13 | 100664 | 1536 | 1.5 | docs/old/1998\|99.CSV |
| 11 | 120000 | 12 | 0.0 | docs/latest.csv |

## no extension (3 entries, 510 bytes)

| line | mode | bytes | KiB | path |
| ---: | --- | ---: | ---: | --- |
| 2 | 100644 | 498 | 0.5 | .gitignore |
| 7 | 100644 | 12 | 0.0 | debian/rules |
| 14 | 160000 | - | - | lib |

## .sh (1 entries, 340 bytes)

| line | mode | bytes | KiB | path |
| ---: | --- | ---: | ---: | --- |
| 4 | 100755 | 340 | 0.3 | base/run.sh |

## directories (4 entries, 0 bytes)

| line | mode | bytes | KiB | path |
| ---: | --- | ---: | ---: | --- |
| 3 | 040000 | - | - | base |
| 6 | 040000 | - | - | debian |
| 9 | 040000 | - | - | docs |
| 12 | 040000 | - | - | docs/old |
`,
		"notes.csv": notes,
	},
	"large_file_store": {
		"with_store.txt": strings.Replace(small, "docs/gate log", "store/docs/gate log", 1) +
			"040000        - store\n040000        - store/docs\n",
		"large_files.csv": "path,store_path,bytes\ndocs/gate log.csv,store/docs/gate log.csv,72935\n",
	},
	"monorepo_packages": {
		"packages.txt": replaced("- base", "- packages/base", "base/run", "packages/base/run",
			"- debian", "- packages/base/debian", "debian/rules", "packages/base/debian/rules") +
			"040000        - packages\n",
		"path_map.csv": `old,new,entries
base,packages/base,2
debian,packages/base/debian,2
firmware,packages/sonde,0
hardware,packages/sonde-board,0
web,packages/tide-page,0
`,
	},
	"directory_ids": {
		"directory_ids.txt": replaced("base/run", "[D01]/run", "debian/rules", "[D02]/rules",
			"docs/gate", "[D03]/gate", "docs/latest", "[D03]/latest", "docs/old\n", "[D03]/old\n", "docs/old/", "[D04]/"),
		"directories.csv": "id,directory\nD01,base\nD02,debian\nD03,docs\nD04,docs/old\n",
	},
	"directory_totals": {
		"with_totals.txt": "# 7 files, 75333 bytes\n" + replaced("       - base", "     340 base", "       - debian", "      12 debian",
			"       - docs\n", "   74483 docs\n", "       - docs/old", "    1536 docs/old"),
	},
}

const notes = `line,text
1,"# sluice ""gate"" listing"
5,
8,# charts
`

// replaced is the small listing with texts replaced, each pair once.
func replaced(pairs ...string) string {
	text := small
	for n := 0; n < len(pairs); n += 2 {
		text = strings.Replace(text, pairs[n], pairs[n+1], 1)
	}
	return text
}

func TestForwardResults(t *testing.T) {
	t.Parallel()
	domaintest.Results(t, demonstration(t), vfs.Files{document: small}, forwardResults, domaintest.ToTheLetter)
}

func TestOraclesLeadTheSeedBackToTheLetter(t *testing.T) {
	t.Parallel()
	seed := domaintest.Seed(t, "filesystem1")
	for _, edit := range demonstration(t).Edits() {
		there, err := edit.Forward(seed)
		if err != nil {
			t.Fatalf("%s: %v", edit.Name, err)
		}
		again, err := edit.Backward(there)
		if err != nil {
			t.Fatalf("%s: %v", edit.Name, err)
		}
		if diff := cmp.Diff(seed, again); diff != "" {
			t.Errorf("%s: %s", edit.Name, diff)
		}
	}
}

func TestBackwardStepsWorkOnWhatIsLeft(t *testing.T) {
	t.Parallel()
	d := demonstration(t)
	for rule, c := range map[string]struct {
		edit  string
		files vfs.Files
		want  string
	}{
		"a part is gone": {
			"top_level_files",
			vfs.Files{"tree_docs.txt": "# 1 files, 7 bytes\n040000 - docs\n100644 7 docs/a\n", "notes.csv": "line,text\n1,# head\n40,# foot\n"},
			"# head\n040000        - docs\n100644        7 docs/a\n# foot\n",
		},
		"a table with padded cells and an aligned ls": {
			"extension_report",
			vfs.Files{"by_extension.md": "## .c (1 entries, 7 bytes)\n|  line | mode   | bytes |  KiB | path  |\n|---|---|---|---|---|\n|  3 | 100644 |  7 |  0.0 | src/a  b.c  |\n", "notes.csv": "line,text\n"},
			"100644        7 src/a  b.c\n",
		},
		"an ls in columns, with totals that are wrong": {
			"recursive_ls",
			vfs.Files{"ls-lR": ".:\ntotal 4\ndrwxr-xr-x     - src\n\n./src:\n-rw-r--r--     7 a.c\n", "notes.csv": "line,text\n"},
			"040000        - src\n100644        7 src/a.c\n",
		},
		"a stored file that the table lacks": {
			"large_file_store",
			vfs.Files{"with_store.txt": "040000 - store\n100644 50000 store/a.bin\n", "large_files.csv": "path,store_path,bytes\n"},
			"100644    50000 a.bin\n",
		},
		"a directory that the table lacks": {
			"directory_ids",
			vfs.Files{"directory_ids.txt": "100644 5 [D07]/a\n", "directories.csv": "id,directory\nD01,src\n"},
			"100644        5 [D07]/a\n",
		},
		"a manifest with a size in quotes and no kind": {
			"size_manifest",
			vfs.Files{"manifest.json": `[{"line":2,"mode":"100644","size":"1,024","path":"a"},{"line":1,"text":"# head"}]`},
			"# head\n100644    1,024 a\n",
		},
		"totals without their first line": {
			"directory_totals",
			vfs.Files{"with_totals.txt": "# sluice\n040000 7 src\n100644 7 src/a\n"},
			"# sluice\n040000        - src\n100644        7 src/a\n",
		},
	} {
		got, err := domaintest.Edit(t, d, c.edit).Backward(c.files)
		if err != nil {
			t.Errorf("%s: %v", rule, err)
		}
		if diff := cmp.Diff(vfs.Files{document: c.want}, got); diff != "" {
			t.Errorf("%s: %s", rule, diff)
		}
	}
}

func TestOraclesRefuseWhatIsBeyondThem(t *testing.T) {
	t.Parallel()
	d := demonstration(t)
	for want, c := range map[string]struct {
		edit  string
		files vfs.Files
	}{
		"notes.csv is missing":                                {"recursive_ls", vfs.Files{"ls-lR": ".:\n"}},
		"no .txt file with an entry":                          {"top_level_files", vfs.Files{"tree_docs.txt": "# 0 files, 0 bytes\n", "notes.csv": "line,text\n"}},
		`no column "directory" among id, name`:                {"directory_ids", vfs.Files{"directory_ids.txt": small, "directories.csv": "id,name\n"}},
		"reading manifest.json: unexpected end of JSON input": {"size_manifest", vfs.Files{"manifest.json": "["}},
	} {
		if _, err := domaintest.Edit(t, d, c.edit).Backward(c.files); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", c.edit, err, want)
		}
	}
}

func TestEditsWithOtherParameters(t *testing.T) {
	t.Parallel()
	d := domaintest.Making(t, New(), map[string]string{
		"code_directories": `{"document": "disk.txt", "to": "short.txt", "first": "dir7", "table": "key.csv"}`,
		"move_directories": `{"document": "disk.txt", "to": "m.txt", "into": "attic", "moves": [{"old": "docs/old", "new": "attic/98"}], "table": "m.csv"}`,
		"store_large":      `{"document": "disk.txt", "to": "s.txt", "from": 80000, "store": "big", "table": "big.csv"}`,
	})
	domaintest.Results(t, d, vfs.Files{"disk.txt": small}, map[string]vfs.Files{
		"code_directories": {
			"short.txt": replaced("base/run", "[dir7]/run", "debian/rules", "[dir8]/rules",
				"docs/gate", "[dir9]/gate", "docs/latest", "[dir9]/latest", "docs/old\n", "[dir9]/old\n", "docs/old/", "[dir10]/"),
			"key.csv": "id,directory\ndir7,base\ndir8,debian\ndir9,docs\ndir10,docs/old\n",
		},
		"move_directories": {
			"m.txt": replaced("docs/old", "attic/98", "docs/old", "attic/98") + "040000        - attic\n",
			"m.csv": "old,new,entries\ndocs/old,attic/98,2\n",
		},
		"store_large": {"s.txt": small, "big.csv": "path,store_path,bytes\n"},
	}, domaintest.ToTheLetter)
}
