package compare_test

import (
	"slices"
	"strings"
	"testing"

	"agentd/documents/compare"
	"agentd/vfs"
)

func TestRenamesInFolders(t *testing.T) {
	t.Parallel()
	const rows = "id,name\n1,Rope\n2,Buoy\n3,Lamp\n4,Anchor\n5,Chart\n"
	few := strings.Replace(rows, "5,Chart\n", "", 1)
	other := "x,y\n7,8\n9,10\n"
	for name, c := range map[string]struct {
		before, after vfs.Files
		want          string // status and name of each document, kinds of its changes
	}{
		"the same":                  {vfs.Files{"a.csv": rows}, vfs.Files{"b.csv": rows}, "renamed b.csv: renamed"},
		"the same elsewhere":        {vfs.Files{"a.csv": rows}, vfs.Files{"sub/a.csv": rows}, "renamed sub/a.csv: renamed"},
		"written otherwise":         {vfs.Files{"a.csv": rows}, vfs.Files{"b.csv": strings.ReplaceAll(rows, "\n", "\r\n")}, "renamed b.csv: renamed"},
		"with a loss":               {vfs.Files{"a.csv": rows}, vfs.Files{"b.csv": few}, "changed b.csv: renamed lost"},
		"another extension":         {vfs.Files{"a.ledger": ledger}, vfs.Files{"a.txt": ledger}, "renamed a.txt: renamed"},
		"exact ones first":          {vfs.Files{"a.csv": rows}, vfs.Files{"b.csv": few, "c.csv": rows}, "added b.csv: added added added added added; renamed c.csv: renamed"},
		"the same name first":       {vfs.Files{"a.csv": rows}, vfs.Files{"b.csv": rows, "sub/a.csv": rows}, "added b.csv: added added added added added added; renamed sub/a.csv: renamed"},
		"too little is the same":    {vfs.Files{"a.csv": rows}, vfs.Files{"b.csv": other}, "removed a.csv: lost lost lost lost lost lost; added b.csv: added added added"},
		"a copy":                    {vfs.Files{"a.csv": rows}, vfs.Files{"a.csv": rows, "b.csv": rows}, "same a.csv: ; added b.csv: added added added added added added"},
		"empty files":               {vfs.Files{"a": ""}, vfs.Files{"b": ""}, "removed a: ; added b: "},
		"bytes":                     {vfs.Files{"a.bin": "\x00\x01\x02"}, vfs.Files{"b.bin": "\x00\x01\x02"}, "renamed b.bin: renamed"},
		"a picture":                 {vfs.Files{"a.png": grey(t, 9, 8)}, vfs.Files{"b.png": grey(t, 9, 8)}, "renamed b.png: renamed"},
		"a folder that is one":      {vfs.Files{"net/a.tf": bucket("logs"), "net/b.tf": bucket("maps")}, vfs.Files{"web/a.tf": bucket("logs"), "web/b.tf": bucket("maps")}, "renamed web: renamed"},
		"a folder that lost a part": {vfs.Files{"net/a.tf": bucket("logs") + bucket("tides"), "net/b.tf": bucket("maps")}, vfs.Files{"web/a.tf": bucket("logs"), "web/b.tf": bucket("maps")}, "changed web: renamed lost"},
	} {
		r := compare.Compare(c.before, c.after, nil)
		var all []string
		for _, d := range r.Documents {
			var kinds []string
			for _, change := range d.Differences {
				kinds = append(kinds, change.Kind)
			}
			all = append(all, string(d.Status)+" "+d.Name+": "+strings.Join(kinds, " "))
		}
		slices.SortFunc(all, func(a, b string) int {
			return strings.Compare(strings.SplitN(a, " ", 2)[1], strings.SplitN(b, " ", 2)[1])
		})
		if got := strings.Join(all, "; "); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
