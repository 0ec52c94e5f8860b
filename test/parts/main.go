// Command parts prints what a Go program is built from, as a list of parts in CycloneDX's JSON
// (https://cyclonedx.org/specification/overview): parts PROGRAM VERSION TIME.
//
// All of it but the version and the time comes from the program itself, where the Go linker has
// written its modules. The same program has the same list.
package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path"
	"runtime/debug"
	"strings"
)

func main() {
	const arguments = 4
	if len(os.Args) != arguments {
		fmt.Fprintln(os.Stderr, "usage: parts PROGRAM VERSION TIME")
		os.Exit(2)
	}
	if err := write(os.Stdout, os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, "parts:", err)
		os.Exit(1)
	}
}

// list is a bill of materials.
type list struct {
	Format   string `json:"bomFormat"`
	Spec     string `json:"specVersion"`
	Version  int    `json:"version"`
	Metadata struct {
		Timestamp string `json:"timestamp"`
		Component part   `json:"component"`
	} `json:"metadata"`
	Components []part `json:"components"`
}

// part is the program, or a module that is in it.
type part struct {
	Ref        string     `json:"bom-ref"`
	Type       string     `json:"type"`
	Name       string     `json:"name"`
	Version    string     `json:"version"`
	URL        string     `json:"purl"`
	Hashes     []hash     `json:"hashes,omitempty"`
	Properties []property `json:"properties,omitempty"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// write writes the list of a program. time is in RFC 3339.
func write(w io.Writer, program, version, time string) error {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return err
	}
	content, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(listOf(info, content, version, time))
}

// listOf is the list of a program by what its linker wrote into it.
func listOf(info *debug.BuildInfo, content []byte, version, time string) list {
	l := list{Format: "CycloneDX", Spec: "1.6", Version: 1}
	l.Metadata.Timestamp = time
	own := module(path.Base(info.Path), version, "")
	own.Type, own.Hashes = "application", []hash{{"SHA-256", fmt.Sprintf("%x", sha256.Sum256(content))}}
	for _, s := range info.Settings {
		switch s.Key {
		case "GOOS", "GOARCH", "CGO_ENABLED", "vcs.revision", "vcs.modified":
			own.Properties = append(own.Properties, property{"go:" + s.Key, s.Value})
		}
	}
	l.Metadata.Component = own
	l.Components = append(l.Components, module("std", strings.TrimPrefix(info.GoVersion, "go"), ""))
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		l.Components = append(l.Components, module(m.Path, m.Version, m.Sum))
	}
	return l
}

// module is a Go module. sum is what go.sum has of it, empty for none.
func module(name, version, sum string) part {
	url := "pkg:golang/" + name + "@" + version
	p := part{Ref: url, Type: "library", Name: name, Version: version, URL: url}
	if sum != "" {
		p.Properties = []property{{"go:sum", sum}}
	}
	return p
}
