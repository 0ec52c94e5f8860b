package agents

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"agentd/internal/datafile"
)

// Names, in the folder of fetched packages, of the reports of npm and pip.
const (
	npmLock   = "package-lock.json"
	pipReport = "pip-report.json"
)

// maxReport is the largest size of a report of npm or pip, in bytes.
const maxReport = 64 << 20

// packages lists all packages that npm and pip installed, dependencies included, one line each:
// the installer, the name and version, and the hash in the registry.
func packages(fetched string) ([]string, error) {
	var all []string
	var lock struct {
		Packages map[string]struct{ Version, Integrity string }
	}
	if err := readReport(filepath.Join(fetched, npmLock), &lock); err != nil {
		return nil, err
	}
	for path, p := range lock.Packages {
		const folder = "node_modules/" // a package may lie in the folder of one that uses it
		if at := strings.LastIndex(path, folder); at >= 0 {
			all = append(all, line("npm", path[at+len(folder):]+"@"+p.Version, p.Integrity))
		}
	}
	var report struct {
		Install []struct {
			Metadata struct{ Name, Version string }
			Download struct {
				Archive struct{ Hashes map[string]string } `json:"archive_info"`
			} `json:"download_info"`
		}
	}
	if err := readReport(filepath.Join(fetched, pipReport), &report); err != nil {
		return nil, err
	}
	for _, p := range report.Install {
		hash := p.Download.Archive.Hashes["sha256"]
		if hash != "" {
			hash = "sha256-" + hash
		}
		all = append(all, line("pip", p.Metadata.Name+"=="+p.Metadata.Version, hash))
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

func line(words ...string) string { return strings.TrimSpace(strings.Join(words, " ")) }

// readReport reads JSON, if the file is there.
func readReport(path string, into any) error {
	text, err := datafile.Read(path, maxReport)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		return fmt.Errorf("reading which packages were installed: %w", err)
	}
	return nil
}

// list writes the list of packages into the bundle, so that it is part of the bundle's hash.
func (in *installation) list() (err error) {
	if in.made.Packages, err = packages(in.fetched); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(in.bundle(), "packages"), []byte(strings.Join(in.made.Packages, "\n")+"\n"), 0o644)
}

// PackagesHash returns the SHA-256 of the list of packages; "" if it is unknown.
func (i Installed) PackagesHash() string {
	if len(i.Packages) == 0 {
		return ""
	}
	sum := sha256.Sum256([]byte(strings.Join(i.Packages, "\n")))
	return hex.EncodeToString(sum[:])
}
