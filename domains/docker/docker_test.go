package docker

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

// document is the file of the Dockerfiles in these tests.
const document = "Dockerfile"

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:   New(),
		Seed:     domaintest.Seed(t, "docker1"),
		Generate: rapid.Custom(drawBuild),
		// A USER, LABEL or the like is only a keyword to the published score, and
		// what one stage loses is a mean over all stages.
		RSForgives: 0.06,
	}.Run(t)
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, New(), domaintest.Seed(f, "docker1"))
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, "docker1"))
}

func TestPrintingLosesNothing(t *testing.T) {
	t.Parallel()
	for name, text := range domaintest.Seed(t, "docker1") {
		if diff := cmp.Diff(text, read(text).print()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := drawBuild(t)[document]
		if diff := cmp.Diff(text, read(text).print()); diff != "" {
			t.Fatal(diff)
		}
	})
}

const sample = `# syntax=docker/dockerfile:1
# tide board, Vágur
ARG GO=1.22

FROM golang:1.22-alpine AS build
ENV CGO_ENABLED=0 GOFLAGS="-mod=vendor -trimpath"
WORKDIR /src
# vendored, so no network
COPY go.mod vendor/ ./
RUN go vet ./... && \
    # one binary
    go build -o /out/board  ./cmd/board
ARG SHA=dev

FROM build AS check
RUN --mount=type=cache,target=/c go test ./...
CMD ["go", "version"]

FROM --platform=linux/arm64 alpine:3.20
COPY --from=build --chown=12:12 /out/board /bin/board
COPY <<CONF /etc/board.conf
port 8080
CONF
LABEL role=board owner="harbour office"
USER 12
EXPOSE 8080 8081/udp
HEALTHCHECK --interval=60s CMD wget -q http://localhost:8080/ok
ENTRYPOINT ["/bin/board"]
CMD ["--serve"]
# last word
`

// change is the sample with one text replaced by another.
func change(t *testing.T, was, is string) vfs.Files {
	t.Helper()
	if !strings.Contains(sample, was) {
		t.Fatalf("the sample has no %q", was)
	}
	return vfs.Files{"Dockerfile": strings.ReplaceAll(sample, was, is)}
}

func TestStrictSees(t *testing.T) {
	t.Parallel()
	for rule, edit := range map[string][2]string{
		"another user":                               {"USER 12", "USER root"},
		"another working directory":                  {"/src", "/srv"},
		"a label's value":                            {"role=board", "role=Board"},
		"a label that was added":                     {"role=board", "role=board tier=1"},
		"a health check's interval":                  {"interval=60s", "interval=6s"},
		"another entry point beside a CMD":           {`["/bin/board"]`, `["/bin/sh"]`},
		"an exec form made a shell form":             {`["/bin/board"]`, "/bin/board"},
		"the platform of a stage":                    {"linux/arm64", "linux/amd64"},
		"a base image's tag":                         {"golang:1.22-alpine", "golang:1.23-alpine"},
		"another stage as base":                      {"FROM build AS check", "FROM alpine AS check"},
		"letter case in a command":                   {"go vet", "GO vet"},
		"letter case in a variable":                  {"CGO_ENABLED", "cgo_enabled"},
		"a value's case":                             {"SHA=dev", "SHA=Dev"},
		"blanks inside quotes":                       {"-mod=vendor -trimpath", "-mod=vendor  -trimpath"},
		"the second pair of an ENV":                  {"-trimpath", ""},
		"a quoted dollar":                            {"SHA=dev", `SHA='$dev'`},
		"an argument without its default":            {"SHA=dev", "SHA"},
		"COPY from another stage":                    {"--from=build", "--from=check"},
		"a user id":                                  {"--chown=12:12", "--chown=12:13"},
		"COPY made ADD":                              {"COPY go.mod", "ADD go.mod"},
		"two commands that changed places":           {"go vet ./... && \\\n    # one binary\n    go build -o /out/board  ./cmd/board", "go build -o /out/board  ./cmd/board && \\\n    # one binary\n    go vet ./..."},
		"another operator between commands":          {"./... &&", "./... ||"},
		"a lost continuation backslash":              {"&& \\", "&&"},
		"a lost continuation between pairs":          {"COPY go.mod vendor/ ./", "COPY go.mod\n  vendor/ ./"},
		"a heredoc's line":                           {"port 8080", "port 8088"},
		"a heredoc that expands nothing":             {"<<CONF", "<<'CONF'"},
		"a repeated port":                            {"EXPOSE 8080", "EXPOSE 8080 8080"},
		"a port's protocol":                          {"8081/udp", "8081"},
		"a repeated instruction":                     {"USER 12", "USER 12\nUSER 12"},
		"an instruction that was added":              {"USER 12", "USER 12\nENV DEBUG=1"},
		"an instruction that was lost":               {"USER 12\n", ""},
		"two instructions that changed places":       {"WORKDIR /src\n# vendored, so no network\nCOPY go.mod vendor/ ./\n", "# vendored, so no network\nCOPY go.mod vendor/ ./\nWORKDIR /src\n"},
		"an instruction that moved to another stage": {"ARG SHA=dev\n\nFROM build AS check\n", "\nFROM build AS check\nARG SHA=dev\n"},
		"a stage's name":                             {"AS check", "AS test"},
		"a stage that was added":                     {"FROM build AS check", "FROM build AS debug\nFROM build AS check"},
		"a comment that was lost":                    {"# vendored, so no network\n", ""},
		"a comment that was changed":                 {"so no network", "so network"},
		"a comment inside an instruction":            {"    # one binary\n", ""},
		"a comment at another instruction":           {"# vendored, so no network\nCOPY go.mod vendor/ ./\n", "COPY go.mod vendor/ ./\n# vendored, so no network\n"},
		"a comment after the last instruction":       {"# last word\n", ""},
		"a directive that is no longer at the top":   {"# syntax=docker/dockerfile:1\n# tide board, Vágur\n", "# tide board, Vágur\n# syntax=docker/dockerfile:1\n"},
		"typographic quotes":                         {`"harbour office"`, `“harbour office”`},
		"prose around the file":                      {"# tide board", "Here is your Dockerfile:\n# tide board"},
		"an added type of mount":                     {"type=cache,target=/c", "type=cache,target=/c,sharing=locked"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			score := New().Compare(vfs.Files{"Dockerfile": sample}, change(t, edit[0], edit[1]))
			if score.Strict >= 1 || score.Strict < 0.6 {
				t.Errorf("Strict is %v", score.Strict)
			}
		})
	}
}

func TestStrictForgives(t *testing.T) {
	t.Parallel()
	for rule, edit := range map[string][2]string{
		"keywords in lower case":                {"COPY", "copy"},
		"AS in lower case":                      {" AS ", " as "},
		"an instruction joined to one line":     {"COPY go.mod vendor/ ./", "COPY go.mod \\\n    vendor/ ./"},
		"tabs before continuation lines":        {"    go build", "\t\tgo build"},
		"blanks between words of a command":     {"-o /out/board  ./cmd", "-o /out/board ./cmd"},
		"blanks after a backslash":              {"&& \\", "&& \\  "},
		"blank lines inside an instruction":     {"&& \\\n", "&& \\\n\n"},
		"blank lines between instructions":      {"\n\nFROM", "\n\n\n\nFROM"},
		"no blank lines":                        {"\n\nFROM", "\nFROM"},
		"a blank line below a comment":          {"network\n", "network\n\n"},
		"a quoted argument":                     {"SHA=dev", `SHA="dev"`},
		"an escaped blank for quotes":           {`"harbour office"`, `harbour\ office`},
		"pairs as instructions of their own":    {`ENV CGO_ENABLED=0 GOFLAGS`, "ENV CGO_ENABLED=0\nENV GOFLAGS"},
		"labels as instructions of their own":   {`role=board owner`, "role=board\nLABEL owner"},
		"pairs of one instruction in any order": {`role=board owner="harbour office"`, `owner="harbour office" role=board`},
		"ports as instructions of their own":    {"EXPOSE 8080 8081/udp", "EXPOSE 8080\nEXPOSE 8081/udp"},
		"the protocol that is meant anyway":     {"EXPOSE 8080", "EXPOSE 8080/tcp"},
		"blanks in an exec form":                {`["go", "version"]`, `[ "go","version" ]`},
		"flags in another order":                {"--from=build --chown=12:12", "--chown=12:12 --from=build"},
		"options of a mount in another order":   {"type=cache,target=/c", "target=/c,type=cache"},
		"a stage by its number":                 {"--from=build", "--from=0"},
		"a duration in other units":             {"interval=60s", "interval=1m"},
		"a comment's indentation":               {"# vendored", "#    vendored"},
		"empty comment lines":                   {"# vendored", "#\n# vendored"},
		"a code fence":                          {"# syntax", "```dockerfile\n# syntax"},
		"a byte order mark":                     {"# syntax", "\ufeff# syntax"},
		"CRLF":                                  {"\n", "\r\n"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			reference := vfs.Files{"Dockerfile": sample}
			candidate := change(t, edit[0], edit[1])
			if score := New().Compare(reference, candidate); score.Strict != 1 {
				t.Errorf("Strict is %v: %v", score.Strict, New().Differences(reference, candidate))
			}
		})
	}
}

func TestInstructionsThatMeanTheSame(t *testing.T) {
	t.Parallel()
	for written, same := range map[string]string{
		"ENV TZ Atlantic/Faroe":    "ENV TZ=Atlantic/Faroe",
		"ENV A two  words":         `ENV A="two  words"`,
		`LABEL by "Rúni W."`:       `LABEL by=Rúni\ W.`,
		"ENV A \\\n  b":            "ENV A=b",
		`ENV A='$x' B="\$x" C=\$x`: `ENV A=\$x B='$x' C="\$x"`,
		`ENV P="C:\dir" Q='it"s'`:  `ENV P='C:\dir' Q=it\"s`,
		"# escape=`\nENV A `\n  b": "# escape=`\nENV A=b",
		"VOLUME /a /b":             `VOLUME ["/a", "/b"]`,
		"COPY a b /c/":             `COPY ["a", "b", "/c/"]`,
		"WORKDIR \"/a b\"":         `WORKDIR /a\ b`,
		"RUN a;b&&c|d":             "RUN a ; b && c | d",
		"RUN <<-E\n\tx\n\tE":       "RUN <<-E\nx\nE",
		"ONBUILD RUN a \\\n  b":    "onbuild run a b",
		"HEALTHCHECK none":         "HEALTHCHECK NONE",
	} {
		reference, candidate := vfs.Files{"Dockerfile": written}, vfs.Files{"Dockerfile": same}
		if score := New().Compare(reference, candidate); score.Strict != 1 {
			t.Errorf("%q and %q: Strict is %v: %v", written, same, score.Strict, New().Differences(reference, candidate))
		}
	}
}

func TestStrictReadsFilesOfAnyNameAndNumber(t *testing.T) {
	t.Parallel()
	const first, second = "# one\nFROM alpine AS a\nUSER 1\n", "# two\nFROM debian AS b\nCMD x\n"
	reference := vfs.Files{"Dockerfile": first + second}
	for rule, candidate := range map[string]vfs.Files{
		"another name":           {"deploy/app.Dockerfile": first + second},
		"a file of each stage":   {"1.Dockerfile": first, "2.Dockerfile": second},
		"files in another order": {"z.Dockerfile": first, "a.Dockerfile": second},
	} {
		if score := New().Compare(reference, candidate); score.Strict != 1 {
			t.Errorf("%s: Strict is %v: %v", rule, score.Strict, New().Differences(reference, candidate))
		}
	}
	if score := New().Compare(reference, vfs.Files{"Dockerfile": second + first}); score.Strict >= 1 {
		t.Error("stages that changed places within a file are not seen")
	}
	want := []domains.Difference{{Kind: domains.Added, Where: "Containerfile", Is: "Containerfile"}}
	got := New().Differences(reference, vfs.Files{"Containerfile": first + second})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error("a name that Docker does not know:", diff)
	}
}

func TestReferencesEndWithTheFile(t *testing.T) {
	t.Parallel()
	const first, second = "FROM alpine AS a\nRUN make\n", "FROM debian AS b\nCOPY --from=a /x /x\n"
	want := []domains.Difference{{
		Kind: domains.Changed, Where: "b COPY /x, --from", Was: "stage a", Is: "image a",
	}}
	got := New().Differences(vfs.Files{"Dockerfile": first + second}, vfs.Files{"1.Dockerfile": first, "2.Dockerfile": second})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestStrictFallsInProportion(t *testing.T) {
	t.Parallel()
	seed := domaintest.Seed(t, "docker1")
	one := vfs.Files{document: strings.Replace(seed[document], "rm -rf /var/lib/apt/lists/*", "rm -rf /var/lib/*", 1)}
	score := New().Compare(seed, one)
	if score.Strict < 0.99 || score.Strict >= 1 {
		t.Errorf("one wrong command of 134 instructions leaves Strict at %v", score.Strict)
	}
	want := []domains.Difference{{
		Kind: domains.Changed, Where: "wheels RUN apt-get update &&, command 3",
		Was: "rm -rf /var/lib/apt/lists/*", Is: "rm -rf /var/lib/*",
	}}
	if diff := cmp.Diff(want, New().Differences(seed, one)); diff != "" {
		t.Error(diff)
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
