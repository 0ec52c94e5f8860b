package compare_test

import (
	"regexp"
	"strings"
	"testing"

	"agentd/documents/compare"
	"agentd/domains"
	"agentd/domains/catalog"
	"agentd/environments"
	"agentd/vfs"
)

// wasLost reports whether a report says that something is lost, and that it is a field of an element
// which is still there. A document that cannot be read any more is lost too.
func wasLost(r *compare.Report) (lost, field bool) {
	for _, d := range r.Documents {
		lost = lost || d.Status == compare.Unreadable
		for _, c := range d.Differences {
			if c.Kind == domains.Lost.String() {
				lost, field = true, field || c.Field != ""
			}
		}
	}
	return lost, field
}

// A value whose text is taken out of a document is lost, in every domain. A text may occur in a second
// meaning, such as a name within a path, and another word may take its place; of four in five neither holds.
func TestAValueThatIsEmptiedIsLostInEveryDomain(t *testing.T) {
	t.Parallel()
	envs, err := environments.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	for _, env := range envs {
		t.Run(env.Domain, func(t *testing.T) {
			t.Parallel()
			d, _ := catalog.Lookup(env.Domain)
			d = env.Apply(d)
			var kept []string
			tried := map[string]bool{}
			for _, e := range d.Elements(env.Seed) {
				if e.Kind == "comment" {
					continue // it may go
				}
				for _, f := range e.Fields {
					value := strings.Trim(f.Value, `"'`)
					after, found := without(env.Seed, value)
					if !found || tried[value] || len(tried) == mostTried {
						continue
					}
					tried[value] = true
					report := compare.Compare(env.Seed, after, d)
					if lost, _ := wasLost(&report); !lost {
						kept = append(kept, value)
					}
					for _, document := range report.Documents {
						for _, c := range document.Differences {
							if c.Kind == domains.Changed.String() && c.Was != "" && c.Is == "" {
								t.Errorf("%q was taken out: %s is said to be changed", value, c)
							}
						}
					}
				}
			}
			if len(tried) == 0 || 5*len(kept) > len(tried) {
				t.Errorf("of %d values that were taken out these are not lost: %q", len(tried), kept)
			}
		})
	}
}

// mostTried is how many values of a document are tried.
const mostTried = 20

// without takes a value out of documents that have it once, as whole words.
func without(files vfs.Files, value string) (vfs.Files, bool) {
	if len(value) < 3 || strings.ContainsAny(value, "\n") {
		return nil, false
	}
	for name, text := range files {
		if strings.Count(text, value) != 1 {
			continue
		}
		whole := regexp.MustCompile(`(^|[^\pL\pN.])` + regexp.QuoteMeta(value) + `($|[^\pL\pN.])`)
		if !whole.MatchString(text) {
			continue
		}
		after := files.Clone()
		after[name] = strings.Replace(text, value, "", 1)
		return after, true
	}
	return nil, false
}

func TestWhatIsLostOfElementsThatStay(t *testing.T) {
	t.Parallel()
	const table = "id,name,note,price,kind,stock\n1,Rope,,4.50,deck,7\n2,Buoy,red,12.00,deck,3\n3,Lamp,,9.90,light,1\n"
	column := func(keep ...int) string {
		var b strings.Builder
		for line := range strings.Lines(table) {
			cells := strings.Split(strings.TrimSpace(line), ",")
			var kept []string
			for _, k := range keep {
				kept = append(kept, cells[k])
			}
			b.WriteString(strings.Join(kept, ",") + "\n")
		}
		return b.String()
	}
	object := `{"name": "Rope", "price": 4.5, "tags": ["a", "b"], "maker": {"name": "Lind"}}`
	for name, c := range map[string]struct {
		file, before, after string
		lost                bool
	}{
		"a column":                         {"a.csv", table, column(0, 1, 2, 3, 5), true},
		"three of six columns":             {"a.csv", table, column(0, 1, 5), true},
		"a column of which most is empty":  {"a.csv", table, column(0, 1, 3, 4, 5), true},
		"a cell":                           {"a.csv", table, strings.Replace(table, "12.00", "", 1), true},
		"another cell":                     {"a.csv", table, strings.Replace(table, "12.00", "13.00", 1), false},
		"a cell that is 0":                 {"a.csv", table, strings.Replace(table, "12.00", "0", 1), false},
		"cells in quotes":                  {"a.csv", table, strings.ReplaceAll(table, "deck", `"deck"`), false},
		"a key":                            {"a.json", object, strings.Replace(object, `"price": 4.5, `, "", 1), true},
		"a value that is null":             {"a.json", object, strings.Replace(object, "4.5", "null", 1), true},
		"a text that is empty":             {"a.json", object, strings.Replace(object, `"Rope"`, `""`, 1), true},
		"a list that is empty":             {"a.json", object, strings.Replace(object, `["a", "b"]`, `[]`, 1), true},
		"keys in another order":            {"a.json", object, `{"price": 4.5, "name": "Rope", "tags": ["a", "b"], "maker": {"name": "Lind"}}`, false},
		"an amount":                        {"a.ledger", ledger, strings.Replace(ledger, "  900 EUR", "", 1), true},
		"another amount":                   {"a.ledger", ledger, strings.Replace(ledger, "900", "950", 1), false},
		"columns that are aligned":         {"a.ledger", ledger, strings.Replace(ledger, "  900", "       900", 1), false},
		"a file of bytes that is empty":    {"a.bin", "\x00\x01", "", true},
		"a file of bytes with other bytes": {"a.bin", "\x00\x01", "\x00\x02", false},
		"a text that is bytes now":         {"NOTES", "Bring the keys.\n", "\xff\xfe\x00", true},
		"a picture of one colour":          {"a.png", grey(t, 9, 9, 4), grey(t, 9, 9), true},
		"a picture with another pixel":     {"a.png", grey(t, 9, 9, 4), grey(t, 9, 9, 5), false},
	} {
		report := compare.Compare(vfs.Files{c.file: c.before}, vfs.Files{c.file: c.after}, nil)
		if lost, _ := wasLost(&report); lost != c.lost {
			t.Errorf("%s: lost is %v: %v", name, lost, report.Documents)
		}
	}
}
