package docker

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

// document is the file of the documents in these tests.
const document = "Dockerfile"

const board = `# syntax=docker/dockerfile:1
# tide board, Vágur
ARG GO=1.22

# no cgo, so
# no libc
FROM debian:12.5-slim AS build
ENV PORT=8080 CGO=0
RUN apt-get update && \
    apt-get install -y --no-install-recommends \
        git ca-certificates && \
    # one binary
    make board

FROM --platform=linux/arm64 reg.savn.fo:5000/grunn@sha256:0f1e
RUN adduser --uid 12 board
COPY --from=build --chown=12:0 /out/board /bin/
COPY <<CONF /etc/board.conf
# port
port 8080
CONF
USER 12
EXPOSE 8080 8081/udp
HEALTHCHECK CMD wget -q http://localhost:8080/ok?n=3
`

// boardWith is the board with some texts replaced, given in pairs.
func boardWith(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(board) }

var forwardResults = map[string]vfs.Files{
	"stage_files": {
		"Dockerfile.top": `# syntax=docker/dockerfile:1
# tide board, Vágur
ARG GO=1.22
`,
		"Dockerfile.build": `# no cgo, so
# no libc
FROM debian:12.5-slim AS build
ENV PORT=8080 CGO=0
RUN apt-get update && \
    apt-get install -y --no-install-recommends \
        git ca-certificates && \
    # one binary
    make board
`,
		"Dockerfile.stage2": `FROM --platform=linux/arm64 reg.savn.fo:5000/grunn@sha256:0f1e
RUN adduser --uid 12 board
COPY --from=build --chown=12:0 /out/board /bin/
COPY <<CONF /etc/board.conf
# port
port 8080
CONF
USER 12
EXPOSE 8080 8081/udp
HEALTHCHECK CMD wget -q http://localhost:8080/ok?n=3
`,
		"stages.txt": "Dockerfile.top\nDockerfile.build\nDockerfile.stage2\n",
	},
	"build_json": {
		"build.json": `[
  {
    "comments": [
      "syntax=docker/dockerfile:1",
      "tide board, Vágur"
    ],
    "instruction": "ARG",
    "lines": [
      "GO=1.22"
    ]
  },
  {
    "comments": [
      "no cgo, so",
      "no libc"
    ],
    "instruction": "FROM",
    "lines": [
      "debian:12.5-slim AS build"
    ]
  },
  {
    "instruction": "ENV",
    "lines": [
      "PORT=8080 CGO=0"
    ]
  },
  {
    "instruction": "RUN",
    "lines": [
      "apt-get update && \\",
      "    apt-get install -y --no-install-recommends \\",
      "        git ca-certificates && \\",
      "    # one binary",
      "    make board"
    ]
  },
  {
    "instruction": "FROM",
    "lines": [
      "--platform=linux/arm64 reg.savn.fo:5000/grunn@sha256:0f1e"
    ]
  },
  {
    "instruction": "RUN",
    "lines": [
      "adduser --uid 12 board"
    ]
  },
  {
    "instruction": "COPY",
    "lines": [
      "--from=build --chown=12:0 /out/board /bin/"
    ]
  },
  {
    "instruction": "COPY",
    "lines": [
      "<<CONF /etc/board.conf",
      "# port",
      "port 8080",
      "CONF"
    ]
  },
  {
    "instruction": "USER",
    "lines": [
      "12"
    ]
  },
  {
    "instruction": "EXPOSE",
    "lines": [
      "8080 8081/udp"
    ]
  },
  {
    "instruction": "HEALTHCHECK",
    "lines": [
      "CMD wget -q http://localhost:8080/ok?n=3"
    ]
  }
]
`,
	},
	"comment_notes": {
		"Dockerfile.noted": boardWith("# tide board, Vágur", "# [C1]", "# no cgo, so\n# no libc", "# [C2]"),
		"COMMENTS.md":      "## C1\n\ntide board, Vágur\n\n## C2\n\nno cgo, so\nno libc\n",
	},
	"single_pairs": {
		"Dockerfile.single": boardWith("ENV PORT=8080 CGO=0", "ENV CGO=0\nENV PORT=8080"),
		"pairs.csv":         "group,stage,instruction,key\n1,build,ENV,PORT\n1,build,ENV,CGO\n",
	},
	"package_lists": {
		"Dockerfile.packages": boardWith("git ca-certificates", "[P1]"),
		"packages.csv":        "package,stage,list,position\nca-certificates,build,P1,2\ngit,build,P1,1\n",
	},
	"image_arguments": {
		"Dockerfile.images": boardWith(
			"ARG GO", "ARG IMAGE_1=debian:12.5-slim\nARG IMAGE_2=reg.savn.fo:5000/grunn@sha256:0f1e\nARG GO",
			"debian:12.5-slim", "${IMAGE_1}", "reg.savn.fo:5000/grunn@sha256:0f1e", "${IMAGE_2}"),
		"images.csv": `arg,repository,tag,digest,stages
IMAGE_1,debian,12.5-slim,,build
IMAGE_2,reg.savn.fo:5000/grunn,,sha256:0f1e,stage2
`,
	},
	"numbered_stages": {
		"Dockerfile.numbered": boardWith("AS build", "AS s1", "0f1e", "0f1e AS s2", "--from=build", "--from=s1"),
		"names.csv":           "stage,name\ns1,build\ns2,\n",
	},
	"port_and_id_shift": {
		"Dockerfile.shifted": boardWith("--uid 12", "--uid 1012", "12:0", "1012:0", "USER 12", "USER 1012",
			"EXPOSE 8080 8081/udp", "EXPOSE 18080 18081/udp", "localhost:8080", "localhost:18080"),
		"shifts.csv": `stage,instruction,was,is
stage2,RUN,12,1012
stage2,COPY,12,1012
stage2,USER,12,1012
stage2,EXPOSE,8080,18080
stage2,EXPOSE,8081,18081
stage2,HEALTHCHECK,8080,18080
`,
	},
	"layer_review": {
		"Dockerfile.layers": boardWith(
			"RUN apt-get update && \\\n    apt-get install -y --no-install-recommends \\\n        git ca-certificates && \\\n    # one binary\n    make board", "RUN [L1]",
			"adduser --uid 12 board", "[L2]"),
		"layers.csv": `layer,stage,kind,command
L1,build,install,"apt-get update && \
    apt-get install -y --no-install-recommends \
        git ca-certificates && \
    # one binary
    make board"
L2,stage2,user,adduser --uid 12 board
`,
	},
}

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "docker1") }

func TestForwardResults(t *testing.T) {
	t.Parallel()
	for _, edit := range demonstration(t).Edits() {
		t.Run(edit.Name, func(t *testing.T) {
			t.Parallel()
			got, err := edit.Forward(vfs.Files{"Dockerfile": board})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(forwardResults[edit.Name], got); diff != "" {
				t.Error(diff)
			}
			back, err := edit.Backward(got)
			if err != nil {
				t.Fatal(err)
			}
			want := board
			if edit.Name == "single_pairs" { // pairs are laid out one below the other
				want = boardWith("PORT=8080 CGO", "PORT=8080 \\\n    CGO")
			}
			if diff := cmp.Diff(vfs.Files{"Dockerfile": want}, back); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestOraclesNameWhatIsWrong(t *testing.T) {
	t.Parallel()
	backward := map[string]func(vfs.Files) (vfs.Files, error){}
	for _, edit := range demonstration(t).Edits() {
		backward[edit.Name] = edit.Backward
	}
	for _, c := range []struct {
		edit  string
		files vfs.Files
		want  string
	}{
		{"stage_files", vfs.Files{"Dockerfile.top": board}, "stages.txt is missing"},
		{"stage_files", vfs.Files{"stages.txt": "Dockerfile.top\n"}, "no Dockerfile with an instruction"},
		{"build_json", vfs.Files{"build.json": "FROM"}, "reading build.json"},
		{"comment_notes", vfs.Files{"Dockerfile.noted": board}, "COMMENTS.md is missing"},
		{"single_pairs", vfs.Files{"Dockerfile.single": board, "pairs.csv": "group,key\n"}, `reading pairs.csv: no column "stage"`},
		{"package_lists", vfs.Files{"packages.csv": ""}, "Dockerfile.packages is missing"},
		{"image_arguments", vfs.Files{"Dockerfile.images": board, "images.csv": ""}, "reading images.csv: no header"},
		{"numbered_stages", vfs.Files{"Dockerfile.numbered": board}, "names.csv is missing"},
		{"port_and_id_shift", vfs.Files{"shifts.csv": "stage\n"}, "Dockerfile.shifted is missing"},
		{"layer_review", vfs.Files{"Dockerfile.layers": board}, "layers.csv is missing"},
	} {
		if _, err := backward[c.edit](c.files); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.edit, err, c.want)
		}
	}
}

// Damage between the steps is carried over, not multiplied: what the damaged
// files still say is in the Dockerfile.
func TestBackwardStepsTakeDamagedFiles(t *testing.T) {
	t.Parallel()
	d := demonstration(t)
	reference := vfs.Files{"Dockerfile": board}
	for _, edit := range d.Edits() {
		t.Run(edit.Name, func(t *testing.T) {
			t.Parallel()
			files, err := edit.Forward(reference)
			if err != nil {
				t.Fatal(err)
			}
			damaged := vfs.Files{}
			for name, text := range files {
				if lines := strings.SplitAfter(text, "\n"); strings.HasSuffix(name, ".csv") || name == "stages.txt" {
					text = strings.Join(lines[:len(lines)-2], "")
				}
				damaged[name] = strings.ReplaceAll(text, "GO=1.22", "GO=1.23")
			}
			back, err := edit.Backward(damaged)
			if err != nil {
				t.Fatal(err)
			}
			score := d.Compare(reference, back)
			if score.Strict >= 1 || score.Strict < 0.7 || score.Elements.Candidate < score.Elements.Reference {
				t.Errorf("Strict %v, %+v: %v", score.Strict, score.Elements, d.Differences(reference, back))
			}
		})
	}
}

// A model that drops the arguments of an instruction may leave the list without lines, or no list.
func TestInstructionsWithoutLines(t *testing.T) {
	t.Parallel()
	edit := domaintest.Edit(t, demonstration(t), "build_json")
	for _, lines := range []string{"", `, "lines": null`, `, "lines": []`, `, "lines": [""]`} {
		text := `[{"instruction": "FROM", "lines": ["a"]}, {"instruction": "CMD"` + lines + `}]`
		back, err := edit.Backward(vfs.Files{"build.json": text})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff("FROM a\nCMD\n", back["Dockerfile"]); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

func TestPairsThatOnlyLookLikeAGroup(t *testing.T) {
	t.Parallel()
	edit := domaintest.Edit(t, demonstration(t), "single_pairs")
	for rule, text := range map[string]string{
		"a pair of one key before its group": "FROM a\nENV B=0\nENV B=2 \\\n    A=1\n",
		"a single pair before":               "FROM a\nENV A=0\nENV C=3 \\\n    A=1 \\\n    B=2\n",
		"a single pair after":                "FROM a\nENV A=1 \\\n    B=2\nENV A=3\n",
		"the same keys in two stages":        "FROM a\nENV A=1\nFROM b\nENV B=2 \\\n    A=1\n",
		"the same keys twice":                "FROM a\nENV B=2 \\\n    A=1\nENV A=1 \\\n    B=2\n",
	} {
		files, err := edit.Forward(vfs.Files{"Dockerfile": text})
		if err != nil {
			t.Fatal(err)
		}
		back, err := edit.Backward(files)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(text, back["Dockerfile"]); diff != "" {
			t.Errorf("%s: %s", rule, diff)
		}
	}
}

func TestPackagesOf(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"apt-get update && apt-get install -y a b && c": "a b",
		"apt-get -qq install -y \\\n  a \\\n  b; x":     "a b",
		"apt-get install a b --no-upgrade c":            "a b",
		"apt-get install -y a \\\n  # why\n  b":         "a",
		"apt-get update; install -d /x":                 "",
		"apt install a":                                 "",
		"apt-get install":                               "",
	} {
		got := ""
		for _, list := range installed(text) {
			got += strings.Join(list.packages, " ")
			if stands := strings.Fields(strings.ReplaceAll(text[list.start:list.end], "\\\n", " ")); !slices.Equal(stands, list.packages) {
				t.Errorf("%q: the list stands at %q", text, stands)
			}
		}
		if got != want {
			t.Errorf("%q installs %q, want %q", text, got, want)
		}
	}
}

// The parameters say what is edited, and into what.
func TestOtherParameters(t *testing.T) {
	t.Parallel()
	d, document := New(), vfs.Files{"board.dockerfile": board}
	const made = `"document": "board.dockerfile", "to": "made.dockerfile"`
	split := forwardResults["stage_files"]
	domaintest.Takes(t, d, document,
		"split_by_stage", `{"document": "board.dockerfile", "begins": "part-", "top": "0.dockerfile", "list": "parts.txt"}`,
		vfs.Files{
			"part-0.dockerfile": split["Dockerfile.top"], "part-build": split["Dockerfile.build"], "part-stage2": split["Dockerfile.stage2"],
			"parts.txt": "part-0.dockerfile\npart-build\npart-stage2\n",
		})
	domaintest.Takes(t, d, document,
		"number_comments", `{`+made+`, "first": "N08", "notes": "notes.md"}`,
		vfs.Files{
			"made.dockerfile": boardWith("# tide board, Vágur", "# [N08]", "# no cgo, so\n# no libc", "# [N09]"),
			"notes.md":        "## N08\n\ntide board, Vágur\n\n## N09\n\nno cgo, so\nno libc\n",
		})
	domaintest.Takes(t, d, document,
		"list_packages", `{`+made+`, "first": "10", "table": "t.csv"}`,
		vfs.Files{
			"made.dockerfile": boardWith("git ca-certificates", "[10]"),
			"t.csv":           "package,stage,list,position\nca-certificates,build,10,2\ngit,build,10,1\n",
		})
	domaintest.Takes(t, d, document,
		"image_arguments", `{`+made+`, "first": "BASE0", "table": "t.csv"}`,
		vfs.Files{
			"made.dockerfile": boardWith(
				"ARG GO", "ARG BASE0=debian:12.5-slim\nARG BASE1=reg.savn.fo:5000/grunn@sha256:0f1e\nARG GO",
				"debian:12.5-slim", "${BASE0}", "reg.savn.fo:5000/grunn@sha256:0f1e", "${BASE1}"),
			"t.csv": "arg,repository,tag,digest,stages\nBASE0,debian,12.5-slim,,build\nBASE1,reg.savn.fo:5000/grunn,,sha256:0f1e,stage2\n",
		})
	domaintest.Takes(t, d, document,
		"number_stages", `{`+made+`, "first": "stage-01", "table": "t.csv"}`,
		vfs.Files{
			"made.dockerfile": boardWith("AS build", "AS stage-01", "0f1e", "0f1e AS stage-02", "--from=build", "--from=stage-01"),
			"t.csv":           "stage,name\nstage-01,build\nstage-02,\n",
		})
	domaintest.Takes(t, d, document,
		"shift_numbers", `{`+made+`, "by": {"ports": -80, "ids": 3}, "table": "t.csv"}`,
		vfs.Files{
			"made.dockerfile": boardWith("--uid 12", "--uid 15", "12:0", "15:0", "USER 12", "USER 15",
				"EXPOSE 8080 8081/udp", "EXPOSE 8000 8001/udp", "localhost:8080", "localhost:8000"),
			"t.csv": `stage,instruction,was,is
stage2,RUN,12,15
stage2,COPY,12,15
stage2,USER,12,15
stage2,EXPOSE,8080,8000
stage2,EXPOSE,8081,8001
stage2,HEALTHCHECK,8080,8000
`,
		})
	domaintest.Takes(t, d, document,
		"commands_apart", `{`+made+`, "kinds": [{"name": "account", "phrases": ["adduser"]}], "others": "?", "first": "RUN_1", "table": "t.csv"}`,
		vfs.Files{
			"made.dockerfile": strings.ReplaceAll(forwardResults["layer_review"]["Dockerfile.layers"], "[L", "[RUN_"),
			"t.csv": strings.NewReplacer("\nL", "\nRUN_", "install,\"", "?,\"", "user,add", "account,add").
				Replace(forwardResults["layer_review"]["layers.csv"]),
		})
}
