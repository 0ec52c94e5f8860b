package docs

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	domaincatalog "agentd/domains/catalog"
)

const (
	domainsPage  = "docs/domains.md"
	sizesHeading = "## How large each domain is\n"
)

// The table says how much there is to read of each domain. A number may differ from the code by a tenth and one, so that
// not every change has to update it; -update writes it.
func TestTheTableOfSizesIsTrue(t *testing.T) {
	t.Parallel()
	file := filepath.Join(root, domainsPage)
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, after, found := strings.Cut(string(page), sizesHeading)
	text, rest, more := strings.Cut(after, "\n## ")
	if !found || !more {
		t.Fatalf("%s has no section %q with another after it", domainsPage, sizesHeading)
	}
	prose, table, _ := strings.Cut(text, "\n| ")
	want := sizes(t)
	if *update {
		written := before + sizesHeading + prose + "\n" + want + "\n## " + rest
		if err := os.WriteFile(file, []byte(written), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	is, should := cells("| "+table), cells(want)
	if len(is) != len(should) {
		t.Fatalf("the table of %s has %d cells, want %d; go test ./test/docs -run Sizes -update writes it", domainsPage, len(is), len(should))
	}
	for i := range is {
		got, err := strconv.ParseFloat(is[i], 64)
		wanted, _ := strconv.ParseFloat(should[i], 64)
		if err == nil && math.Abs(got-wanted) > 1+wanted/10 || err != nil && is[i] != should[i] {
			t.Errorf("the table of %s says %s, want %s, below %s; go test ./test/docs -run Sizes -update writes it",
				domainsPage, is[i], should[i], should[max(i-i%5, 0)])
		}
	}
}

// sizes is the table: of each domain the files and lines without tests of its own folder and of the published program's.
func sizes(t *testing.T) string {
	t.Helper()
	var out strings.Builder
	out.WriteString("| domain | files | lines | files of `published` | lines |\n| --- | --- | --- | --- | --- |\n")
	for _, d := range domaincatalog.All() {
		name := d.Info().Name
		files, lines := code(t, filepath.Join(root, "domains", name))
		portFiles, portLines := code(t, filepath.Join(root, "domains/published", name))
		fmt.Fprintf(&out, "| %s | %d | %d | %d | %d |\n", name, files, lines, portFiles, portLines)
	}
	return out.String()
}

// code counts the files of a package, and their lines, without tests.
func code(t *testing.T, folder string) (files, lines int) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files++
		lines += strings.Count(string(text), "\n")
	}
	return files, lines
}

// cells are those of a table, row by row.
func cells(table string) (all []string) {
	for row := range strings.Lines(table) {
		if row = strings.TrimSpace(row); row != "" {
			for cell := range strings.SplitSeq(strings.Trim(row, "|"), "|") {
				all = append(all, strings.TrimSpace(cell))
			}
		}
	}
	return all
}
