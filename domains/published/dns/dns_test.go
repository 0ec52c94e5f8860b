package dns

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/vfs"
)

func TestPublishedReading(t *testing.T) {
	t.Parallel()
	got, err := Parse(vfs.Files{"a.zone": `$ORIGIN slip.cymru.
$TTL 1h30m
@ SOA NS1 root.slip.cymru. ( 01 1H ; refresh
	30m 1w2d 900 )
www 300 IN A 192.168.4.2
	AAAA FD00:0::2
	aaaa fd00::2
m\252ll IN TXT plain "quo\"ted; café"
_25._tcp TLSA 3 1 1 ( AB
	cd )
@ CAA 0 issue ca.example
alias DNAME other.
alias DNAME @
`, "notes.md": "no zone"})
	if err != nil {
		t.Fatal(err)
	}
	want := []RecordSet{
		{"@", "SOA", 5400, []string{"NS1 root 1 3600 1800 777600 900"}},
		{"@", "CAA", 5400, []string{`0 issue "ca.example"`}},
		{"www", "A", 300, []string{"192.168.4.2"}},
		{"www", "AAAA", 5400, []string{"FD00:0::2"}},
		{`m\252ll`, "TXT", 5400, []string{`"plain" "quo\"ted; caf\195\169"`}},
		{"_25._tcp", "TLSA", 5400, []string{"3 1 1 abcd"}},
		{"alias", "DNAME", 5400, []string{"@"}},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(RecordSet{})); diff != "" {
		t.Error(diff)
	}
}

func TestTTLs(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		"0": 0, "300": 300, "1h30m": 5400, "1W": 604800, "2D12h": 216000, "4294967295": 4294967295, "5s": 5, "1h0": 3600,
		"": -1, "h": -1, "1h30": -1, "-1": -1, "4294967296": -1, "99999999999999999999w": -1, "1x": -1, "1.5h": -1,
	} {
		seconds, ok := ReadTTL(text)
		if got := int64(seconds); ok != (want >= 0) || ok && got != want {
			t.Errorf("readTTL(%q) gave %d, %v, want %d", text, got, ok, want)
		}
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 63)
	for _, c := range []struct{ text, origin, want string }{
		{"www", "a.b.", "www.a.b."},
		{"www.", "a.b.", "www."},
		{"@", "a.b.", "a.b."},
		{".", "a.b.", "."},
		{"www", ".", "www."},
		{"www", "", "www"},
		{`a\.b`, "c.", `a\.b.c.`},
		{`a\`, "c.", ""},
		{`a\046b`, "c.", `a\.b.c.`},
		{`a\.`, "c.", `a\..c.`},
		{"a..b", "c.", ""},
		{"müll", "c.", "xn--mll-hoa.c."},
		{long, "c.", long + ".c."},
		{long + "a", "c.", ""},
		{strings.Repeat(long+".", 3) + long, "c.", ""},
	} {
		if got, err := ReadName(c.text, c.origin); got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("readName(%q, %q) gave %q, %v, want %q", c.text, c.origin, got, err, c.want)
		}
	}
}

func TestCutOrigin(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, origin, want string
		inside             bool
	}{
		{"www.a.b.", "A.b.", "www", true},
		{"a.b.", "a.b.", "", true},
		{"xa.b.", "a.b.", "xa.b.", false},
		{`x\.a.b.`, "a.b.", `x\.a.b.`, false},
		{"www", "a.b.", "www", false},
		{"www.", ".", "www", true},
		{"b.", "a.b.", "b.", false},
	} {
		if got, inside := cutOrigin(c.name, c.origin); got != c.want || inside != c.inside {
			t.Errorf("cutOrigin(%q, %q) gave %q, %v, want %q, %v", c.name, c.origin, got, inside, c.want, c.inside)
		}
	}
}
