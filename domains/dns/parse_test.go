package dns

import (
	"math"
	"strings"
	"testing"

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
