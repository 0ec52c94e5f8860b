package libcatalog

import "testing"

func TestComputedAttributes(t *testing.T) {
	t.Parallel()
	for part, want := range map[string][2]string{
		`<record><leader>x</leader><controlfield tag="008">091103s1948    enkad</controlfield><datafield tag="245"/></record>`: {"1948", "2"},
		`<m:record><m:controlfield tag='008'>120419q186u1871enk</m:controlfield></m:record>`:                                   {"", "1"},
		`<record><controlfield tag="008">0911</controlfield></record>`:                                                         {"", "1"},
		`<record/>`: {"", "0"},
	} {
		if got := [2]string{year(part), fields(part)}; got != want {
			t.Errorf("%s: %q, want %q", part, got, want)
		}
	}
}
