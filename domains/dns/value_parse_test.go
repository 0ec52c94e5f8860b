package dns

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/vfs"
)

// small has four record sets.
const small = `$TTL 1h
$ORIGIN slip.cymru.
@ IN SOA ns1 root 1 7200 3600 1209600 3600
@ IN NS ns1
www IN A 192.168.4.2
    IN TXT "a" "b"
`

func TestValueFollowsThePublishedRules(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		was, is string
		want    float64
	}{
		"a set that was lost":                                  {"    IN TXT \"a\" \"b\"\n", "", 0.75 * 0.75},
		"a set that was added":                                 {"www IN A", "ns1 IN A 192.168.4.1\nwww IN A", 0.8 * 0.8},
		"a lost final dot is free":                             {"NS ns1", "NS ns1.", 1},
		"other data":                                           {"4.2", "4.3", 0.75},
		"a record that was added to a set":                     {"www IN A", "www IN A 192.168.4.1\nwww IN A", (3 + 0.5) / 4},
		"a repeated record is free":                            {"www IN A", "www IN A 192.168.4.2\nwww IN A", 1},
		"half a TTL":                                           {"www IN A", "www 30m IN A", math.Sqrt((3.5/4 + 1) / 2)},
		"a TTL of none":                                        {"www IN A", "www 0 IN A", math.Sqrt((3.0/4 + 1) / 2)},
		"the lowest TTL of a set":                              {"www IN A", "www 30m A 192.168.4.2\nwww IN A", math.Sqrt((3.5/4 + 1) / 2)},
		"a serial counts twice":                                {"root 1 ", "root 2 ", 0.75 * math.Sqrt((1+6.0/7)/2)},
		"half a timer counts twice":                            {"7200 ", "3600 ", 0.75 * math.Sqrt((1+6.5/7)/2)},
		"another zone is free":                                 {"slip.cymru.", "quay.wales.", 1},
		"letter case in a text is free":                        {`"a"`, `"A"`, 1},
		"a text in one string":                                 {`"a" "b"`, `"ab"`, 0.75},
		"a record of another zone is free":                     {"www IN", "www.quay.wales. IN A 192.168.4.1\nwww IN", 1},
		"owners in another case":                               {"www", "WWW", 1},
		"absolute names below the origin":                      {"www", "www.slip.cymru.", 1},
		"a TTL after the class is none":                        {"www IN", "www IN 1h", 0.4 * 0.4},
		"another class":                                        {"www IN", "www CH", 0.4 * 0.4},
		"an alias beside data goes":                            {"www IN A", "www IN CNAME ns1\nwww IN A", 1},
		"a line that cannot be a record goes, and indentation": {"www IN A", "archive IN ; see above\nwww IN A", 0.6 * 0.6},
		"a fence takes inherited owners":                       {"$TTL", "```\n$TTL", 0.6 * 0.6},
		"a malformed address":                                  {"192.168.4.2", "192.168.4", 0},
		"a malformed address with a comment is struck":         {"192.168.4.2", "192.168.4 ; gone", 0.4 * 0.4},
		"a comment after $ORIGIN empties the zone":             {"slip.cymru.\n", "slip.cymru. ; main\n", 0},
		"an origin without its dot empties the zone":           {"slip.cymru.", "slip.cymru", 0},
		"the file's name on top is free":                       {"$TTL", "slip.zone\n$TTL", 1},
		"parentheses that do not close":                        {"A 192", "A ( 192", 0},
		"an SOA of another name":                               {"@ IN SOA", "www IN SOA", 0},
		"a directive that is not known goes, and indentation":  {"www IN A", "$INCLUDE x ; y\nwww IN A", 0.6 * 0.6},
		"a default that is not there is the SOA's":             {"$TTL 1h\n", "", 1},
		"records of $GENERATE":                                 {"www IN A 192.168.4.2", "$GENERATE 2-2 www A 192.168.4.$", 1},
		"numbers with zeros in front":                          {"root 1 ", "root 01 ", 1},
		"addresses of IPv6 as they are written":                {"A 192.168.4.2", "AAAA fd00::2", 0.6 * 0.6},
		"a line without indentation is one of its owner":       {"    IN TXT", "IN TXT", 0.6 * 0.6},
		"a text that is too long for a string":                 {`"b"`, `"` + strings.Repeat("b", 256) + `" ; long`, 0},
		"names of the zone in quotes are none":                 {"NS ns1", `NS "ns1" ; quoted`, 0.4 * 0.4},
		"an escaped dot is part of its label":                  {"www IN A", `w\.w IN A`, 1.0 / 9},
		"a new $ORIGIN goes for what follows":                  {"www IN A 192.168.4.2", "$ORIGIN x.slip.cymru.\nwww.slip.cymru. IN A 192.168.4.2", 1},
		"a relative $ORIGIN takes all below it away":           {"www IN A 192.168.4.2", "$ORIGIN x\nwww IN A 192.168.4.2", 0.5 * 0.5},
		"the last of two aliases counts, and data is kept":     {"www IN A", "ftp CNAME a\nftp CNAME b\nwww IN A", 0.8 * 0.8},
	} {
		reference := vfs.Files{"slip.zone": small}
		candidate := vfs.Files{"slip.zone": strings.Replace(small, c.was, c.is, 1)}
		if candidate["slip.zone"] == small {
			t.Errorf("%s: the zone has no %q", rule, c.was)
		}
		if score := New().Compare(reference, candidate); math.Abs(score.RS-c.want) > 1e-12 {
			t.Errorf("%s: Value %v, want %v (%v) %s", rule, score.RS, c.want, score.Components, score.Problem)
		}
	}
}

func TestLinesMayEndInCarriageReturns(t *testing.T) {
	t.Parallel()
	score := New().Compare(vfs.Files{"slip.zone": small}, vfs.Files{"slip.zone": strings.ReplaceAll(small, "\n", "\r\n")})
	if score.RS != 1 || score.Strict != 1 {
		t.Errorf("%+v, want 1 in both", score)
	}
}

func TestPublishedReading(t *testing.T) {
	t.Parallel()
	got, err := parse(vfs.Files{"a.zone": `$ORIGIN slip.cymru.
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
	want := []recordSet{
		{"@", "SOA", 5400, []string{"NS1 root 1 3600 1800 777600 900"}},
		{"@", "CAA", 5400, []string{`0 issue "ca.example"`}},
		{"www", "A", 300, []string{"192.168.4.2"}},
		{"www", "AAAA", 5400, []string{"FD00:0::2"}},
		{`m\252ll`, "TXT", 5400, []string{`"plain" "quo\"ted; caf\195\169"`}},
		{"_25._tcp", "TLSA", 5400, []string{"3 1 1 abcd"}},
		{"alias", "DNAME", 5400, []string{"@"}},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(recordSet{})); diff != "" {
		t.Error(diff)
	}
}

func TestProblemsSayWhere(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"$TTL 1\n$ORIGIN a.b.\nw A ( 1.2.3.4\n":     "parsing a.zone: line 4: unbalanced parentheses",
		"$TTL 1\n$ORIGIN a.b.\nw SOA a b 1 1 1 1 1": "parsing a.zone: add() has non-origin SOA",
		"Moved to another file.\n":                  "the published reading finds no record set",
	} {
		score := New().Compare(vfs.Files{"a.zone": small}, vfs.Files{"a.zone": text})
		if score.Problem != want || score.RS != 0 {
			t.Errorf("%q: Value %v, problem %q, want %q", text, score.RS, score.Problem, want)
		}
	}
}

func TestTTLs(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		"0": 0, "300": 300, "1h30m": 5400, "1W": 604800, "2D12h": 216000, "4294967295": 4294967295, "5s": 5, "1h0": 3600,
		"": -1, "h": -1, "1h30": -1, "-1": -1, "4294967296": -1, "99999999999999999999w": -1, "1x": -1, "1.5h": -1,
	} {
		seconds, ok := readTTL(text)
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
		if got, err := readName(c.text, c.origin); got != c.want || (err == nil) != (c.want != "") {
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
