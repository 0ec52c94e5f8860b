package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTheModulesOfAProgramAreItsParts(t *testing.T) {
	t.Parallel()
	l := listOf(&debug.BuildInfo{
		GoVersion: "go1.26.8", Path: "agentd/cmd/agentd",
		Deps: []*debug.Module{
			{Path: "example.org/a", Version: "v1.2.3", Sum: "h1:x="},
			{Path: "example.org/b", Version: "v1.0.0", Sum: "h1:y=", Replace: &debug.Module{Path: "example.org/ours", Version: "v2.0.0", Sum: "h1:z="}},
		},
		Settings: []debug.BuildSetting{{Key: "GOOS", Value: "linux"}, {Key: "-ldflags", Value: "-s"}},
	}, []byte("program"), "0.3.0", "2026-11-23T00:00:00Z")
	want := []part{
		{Ref: "pkg:golang/std@1.26.8", Type: "library", Name: "std", Version: "1.26.8", URL: "pkg:golang/std@1.26.8"},
		{Ref: "pkg:golang/example.org/a@v1.2.3", Type: "library", Name: "example.org/a", Version: "v1.2.3", URL: "pkg:golang/example.org/a@v1.2.3", Properties: []property{{"go:sum", "h1:x="}}},
		{Ref: "pkg:golang/example.org/ours@v2.0.0", Type: "library", Name: "example.org/ours", Version: "v2.0.0", URL: "pkg:golang/example.org/ours@v2.0.0", Properties: []property{{"go:sum", "h1:z="}}},
	}
	if diff := cmp.Diff(want, l.Components); diff != "" {
		t.Error(diff)
	}
	own := l.Metadata.Component
	if own.Name != "agentd" || own.Version != "0.3.0" || own.Type != "application" || l.Metadata.Timestamp != "2026-11-23T00:00:00Z" {
		t.Errorf("the program: %+v", l.Metadata)
	}
	if len(own.Hashes) != 1 || len(own.Hashes[0].Content) != 2*sha256.Size || own.Hashes[0].Algorithm != "SHA-256" {
		t.Errorf("its hash: %v", own.Hashes)
	}
	if diff := cmp.Diff([]property{{"go:GOOS", "linux"}}, own.Properties); diff != "" {
		t.Error(diff)
	}
}

func TestTheSameProgramHasTheSameList(t *testing.T) {
	t.Parallel()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var first, second bytes.Buffer
	for _, b := range []*bytes.Buffer{&first, &second} {
		if err := write(b, program, "1", "2026-11-23T00:00:00Z"); err != nil {
			t.Fatal(err)
		}
	}
	var l list
	if err := json.Unmarshal(first.Bytes(), &l); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Errorf("%v, or two lists", err)
	}
	if !slices.ContainsFunc(l.Components, func(p part) bool { return p.URL == "pkg:golang/std@"+strings.TrimPrefix(runtime.Version(), "go") }) {
		t.Errorf("the standard library is no part: %v", l.Components)
	}
	if err := write(&first, "main.go", "1", ""); err == nil {
		t.Error("a file that is no program has parts")
	}
}
