package environments_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"agentd/domains"
	"agentd/domains/catalog"
	"agentd/domains/edit"
	"agentd/environments"
	"agentd/vfs"
)

// members is a table of so many rows, of about 90 bytes each.
func members(rows int) string {
	random := rand.New(rand.NewPCG(1, 0))
	var b strings.Builder
	b.WriteString("congress,start,chamber,state,party,name,id,birth,cum,days,age,gen\n")
	for i := range rows {
		fmt.Fprintf(&b, "%d,19%02d-01-03,%s,%s,%d,\"%s, %d\",K%06d,18%02d-0%d-1%d,%d,%d,%.9f,Gen X\n",
			80+i/300, i%80, []string{"House", "Senate"}[random.IntN(2)], []string{"AA", "BB"}[random.IntN(2)], 100*(1+random.IntN(2)),
			[]string{"Lind", "Holt", "Berg", "Kern"}[random.IntN(4)], i, i, i%99, i%9+1, i%9, i%30, 10000+random.IntN(20000), 25+65*random.Float64())
	}
	return b.String()
}

// counting counts how often the elements of a file are read.
type counting struct {
	domains.Domain
	read map[string]int // by its name and text
}

func (c *counting) Elements(files vfs.Files) []domains.Element {
	for name, content := range files {
		c.read[name+"\x00"+content]++
	}
	return c.Domain.Elements(files)
}

// What every proposal is compared with is read once, however many there are.
func TestDeriveReadsTheDocumentOnce(t *testing.T) {
	t.Parallel()
	d, _ := catalog.Lookup("spreadsheet")
	table := members(40)
	c := &counting{Domain: d, read: make(map[string]int)}
	edits, err := environments.Derive(c, vfs.Files{"t.csv": table}, 8, 1)
	if err != nil || len(edits) != 8 {
		t.Fatalf("%d edits, %v", len(edits), err)
	}
	if n := c.read["t.csv\x00"+table]; n != 1 {
		t.Errorf("for %d edits the table was read %d times", len(edits), n)
	}
	// What stands in other files is lost where it was, whatever it is.
	for key := range c.read {
		if name, _, _ := strings.Cut(key, "\x00"); name == "100.csv" || name == "200.csv" {
			t.Errorf("%s was read", name)
		}
	}
	if !slices.ContainsFunc(edits, func(e environments.Edit) bool { return e.Name == "split_by_party" }) {
		t.Error("the table was not split")
	}
}

// An edit whose files are longer than any answer is none to derive, and a document that is has none.
func TestDerivedEditsFitIntoAnAnswer(t *testing.T) {
	t.Parallel()
	d, _ := catalog.Lookup("spreadsheet")
	name := strings.Repeat("a_long_name_of_a_column_", 60)
	table := name + "1," + name + "2," + name + "3\n"
	for i := range 2500 { // 40 kB, of which JSON with the names in each row makes 10 MB
		table += fmt.Sprintf("%d,%d,%d\n", i, i*7%10, i*3%11)
	}
	edits, err := environments.Derive(d, vfs.Files{"t.csv": table}, 100, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range edits {
		if v := e.Oracle.Verb; v.Convert == edit.AsJSON && v.Parts == "" {
			t.Errorf("derived %s", e.Name)
		}
	}
	long := "a,b\n" + strings.Repeat("1,2\n3,4\n", 1_000_000)
	if _, err := environments.Derive(d, vfs.Files{"t.csv": long}, 8, 1); !errors.Is(err, environments.ErrNoEdits) || !strings.Contains(err.Error(), "too long for a model's answer") {
		t.Errorf("of 8 MB: %v", err)
	}
}
