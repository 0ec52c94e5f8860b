package guard

import (
	"strings"
	"testing"

	"agentd/documents/compare"
	"agentd/sandbox"
	"agentd/vfs"
)

const stock = "id,name,note,price,kind,stock\n1,Rope,long,4.50,deck,7\n2,Buoy,red,12.00,deck,3\n3,Lamp,white,9.90,light,1\n"

// columns are those of a table that are kept.
func columns(keep ...int) string {
	var b strings.Builder
	for line := range strings.Lines(stock) {
		cells := strings.Split(strings.TrimSpace(line), ",")
		kept := make([]string, len(keep))
		for i, k := range keep {
			kept[i] = cells[k]
		}
		b.WriteString(strings.Join(kept, ",") + "\n")
	}
	return b.String()
}

func TestRulesOnFieldsThatAreLost(t *testing.T) {
	t.Parallel()
	emptied := strings.Replace(stock, "12.00", "", 1)
	for name, c := range map[string]struct {
		after       string
		allow, deny string
		want        Verdict
	}{
		"a column":                           {columns(0, 1, 2, 3, 5), "", "lost", Denied},
		"three of six columns":               {columns(0, 1, 5), "", "lost", Denied},
		"a cell":                             {emptied, "", "lost", Denied},
		"a cell of the column that is named": {emptied, "", "lost:price", Denied},
		"a cell of another column":           {emptied, "", "lost:note", Undecided},
		"it is a change of the row, too":     {emptied, "", "changed:price", Denied},
		"what allows changes, not losses":    {emptied, "changed", "", Undecided},
		"what allows losses":                 {emptied, "lost", "", Allowed},
		"another value":                      {strings.Replace(stock, "12.00", "11.00", 1), "changed", "lost", Allowed},
		"quotes alone":                       {strings.Replace(stock, "Buoy", `"Buoy"`, 1), "", "lost,changed", Allowed},
	} {
		rule, err := NewRule(split(c.allow), split(c.deny))
		if err != nil {
			t.Fatal(err)
		}
		report := compare.Compare(vfs.Files{"stock.csv": stock}, vfs.Files{"stock.csv": c.after}, nil)
		if got := rule.Judge(report.Documents[0]); got != c.want {
			t.Errorf("%s: verdict %d, want %d: %+v", name, got, c.want, report.Documents[0].Differences)
		}
	}
}

func TestTheServerRefusesATableWithoutItsColumns(t *testing.T) {
	t.Parallel()
	f, dir := opened(t, vfs.Files{"stock.csv": stock})
	rule, err := NewRule(nil, []string{"lost"})
	if err != nil {
		t.Fatal(err)
	}
	server := NewServer(f, rule, func() (sandbox.Backend, error) { return nil, sandbox.ErrUnavailable })
	outcome, err := server.Call(t.Context(), "write_file", `{"path":"stock.csv","content":`+quoted(columns(0, 1, 5))+`}`)
	if err != nil || !outcome.Failed || !strings.Contains(outcome.Text, "lost row 2 (2 Buoy), price: 12 -> (nothing)") {
		t.Errorf("%v, %+v", err, outcome)
	}
	if got := on(t, dir); got["stock.csv"] != stock {
		t.Errorf("it was written: %v", got)
	}
}
