package dns

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:   domaintest.With(t, New(), "dns1"),
		Seed:     domaintest.Seed(t, "dns1"),
		Generate: rapid.Custom(drawZone),
	}.Run(t)
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, domaintest.With(f, New(), "dns1"), domaintest.Seed(f, "dns1"))
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, "dns1"))
}

// document is the file of the zones in these tests.
const document = "dulasrailway.org.uk.zone"

// drawZone draws the zone of a small network. An owner has an alias or other
// data, and the origin stands before the first record.
func drawZone(t *rapid.T) vfs.Files {
	d := drawer{T: t, taken: map[string]bool{}}
	d.add(d.one("opening", "", "; zone of the club\n; \"draft\"; see (wiki)\n\n", "\n\n"))
	if !d.sometimes("no $TTL") {
		d.add("$TTL " + d.one("standard", "1h", "3600", "1D", "2w") + d.one("why", "", " ; as agreed") + "\n")
	}
	d.zone = d.one("zone", "pontardawe.cymru.", "Clwb-Golff.org.uk.")
	d.add("$ORIGIN " + d.zone + "\n")
	d.soa()
	d.add(d.one("apex", "\tIN NS ns1\n\tIN NS ns.elsewhere.net.\n", "@ 2d NS ns1\n  MX 10 mail.elsewhere.net. ; \"MX\"\n"))
	for range d.upTo(14, "hosts") {
		d.section()
		d.host()
	}
	d.add(d.one("closing", "", "; eof\n", "\n; gone IN A 10.61.9.9\n"))
	return vfs.Files{document: d.text.String()}
}

type drawer struct {
	*rapid.T
	text  strings.Builder
	zone  string
	below string          // what the present origin is below the zone, with a dot
	taken map[string]bool // owners
}

func (d *drawer) add(text string)                 { d.text.WriteString(text) }
func (d *drawer) upTo(most int, label string) int { return rapid.IntRange(0, most).Draw(d.T, label) }
func (d *drawer) sometimes(label string) bool     { return d.upTo(4, label) == 0 }
func (d *drawer) one(label string, among ...string) string {
	return rapid.SampledFrom(among).Draw(d.T, label)
}

func (d *drawer) soa() {
	serial := fmt.Sprintf("20240%d%02d%02d", 1+d.upTo(8, "month"), 1+d.upTo(27, "day"), d.upTo(99, "change"))
	d.add(d.one("SOA owner", "@", "@\t2d") + " IN SOA " + d.one("primary", "ns1 hostmaster", "NS1.elsewhere.net. host\\.master") +
		d.one("SOA layout", " "+serial+" 4h 30m 5w 15m\n",
			" (\n\t"+serial+"\t; serial\n\t4h 30m 5w ; timers\n\t900 )\n",
			" ( "+serial+" 14400\n1800 3024000 1h ) ; one; two\n"))
}

// section may begin a new origin, or a heading.
func (d *drawer) section() {
	switch d.upTo(9, "section") {
	case 0:
		d.below = d.one("sub-zone", "shed.", "")
		d.add("$ORIGIN " + d.below + d.zone + "\n")
	case 1:
		d.add("\n; --- printers (and scanners) ---\n")
	case 2:
		d.add("\n")
	case 3:
		d.add("$TTL " + d.one("new standard", "300", "1h30m", "0") + "\n")
	}
}

func (d *drawer) host() {
	owner := d.one("owner", "www", "una", "Till-1", "*.dev", "_sip._udp", "a.b", "x\\.y", "sw", "nas", "cam-3", "wx", "ap")
	key := d.below + strings.ToLower(owner)
	if d.taken[key] {
		return
	}
	d.taken[key] = true
	if d.upTo(3, "alias") == 0 {
		d.record(owner, "CNAME", d.one("target", "una", "www.elsewhere.net.", "@", "a.b"))
		return
	}
	types := []string{"A", "AAAA", "TXT", "MX", "SRV", "SSHFP", "CAA", "HINFO", "A"}
	for n := range 1 + d.upTo(3, "records") {
		if n > 0 && d.upTo(2, "inherited owner") > 0 {
			owner = ""
		}
		typ := rapid.SampledFrom(types).Draw(d.T, "type")
		d.record(owner, typ, d.data(typ))
	}
}

func (d *drawer) record(owner, typ, data string) {
	gap := d.one("gap", " ", "\t", "\t\t  ")
	parts := []string{owner}
	for _, part := range []string{d.one("ttl", "", "", "300", "1d", "1H30M", "0"), d.one("class", "IN", "IN", "")} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	d.add(strings.Join(append(parts, typ, data), gap) + d.one("comment", "", "", "", "\t; lamp room", " ;; \"old\" (see wiki); ask Alun") + "\n")
}

func (d *drawer) data(typ string) string {
	octet := func() int { return d.upTo(255, "octet") }
	switch typ {
	case "A":
		return fmt.Sprintf(d.one("network", "10.61.%d.%d", "192.168.%d.%d", "81.187.%d.%d"), octet(), octet())
	case "AAAA":
		return fmt.Sprintf(d.one("prefix", "2001:db8::%x:%x", "2001:DB8:0:0:%x::%x"), 1+octet(), 1+octet())
	case "MX":
		return fmt.Sprint(octet(), " ", d.one("exchange", "mail", "mail.elsewhere.net.", "@"))
	case "SRV":
		return fmt.Sprint("0 5 ", 5000+octet(), " ", d.one("server", "una", "sip.elsewhere.net.", "."))
	case "SSHFP":
		return fmt.Sprintf("4 1 %040X", octet())
	case "CAA":
		return d.one("CAA", `0 issue "letsencrypt.org"`, `128 issuewild ";"`, "0 iodef mailto:a@b.org")
	case "HINFO":
		return d.one("HINFO", `"HP Gen8" "Debian 12"`, "PC Linux")
	}
	return d.one("TXT", `"v=spf1 ip4:81.187.214.40 ip4:81.187.214.32/28 -all"`, `"a;b" (`+"\n\t"+`"c" ) `, `"say \"hi\""`, `"Caf\195\169"`, "plain", `"`+fmt.Sprint(octet())+`"`)
}

func TestPrintingLosesNothing(t *testing.T) {
	t.Parallel()
	for name, text := range domaintest.Seed(t, "dns1") {
		f := readFiles(vfs.Files{name: text})[0]
		if diff := cmp.Diff(text, f.print()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// sample is a zone with what the published score does not look at.
const sample = `; zone of the slip
$TTL 1h
$ORIGIN slip.cymru.
@	IN	SOA	ns1 root (
		2024031501	; serial
		2h 1h 14d
		1h )
@	24h	IN	NS	ns1
	24h	IN	NS	ns.elsewhere.net.
ns1	IN	A	192.168.4.2	; lamp room
	IN	AAAA	fd00:0:0:4::2
mail	IN	CNAME	mx.elsewhere.net.
key	IN	TXT	"v=DKIM1; " "p=AbCd"
w\.x	IN	CAA	0 Issue letsencrypt.org
_a._tcp	IN	SRV	5 0 443 ns1
pool	IN	A	192.168.4.8	; left
	IN	A	192.168.4.9	; right
_s	IN	SSHFP	4 2 ab12 CD34

; yard
$ORIGIN yard.slip.cymru.
crane	10m	IN	A	192.168.5.7
`

// change is the sample with one text replaced by another.
func change(t *testing.T, was, is string) vfs.Files {
	t.Helper()
	if !strings.Contains(sample, was) {
		t.Fatalf("the sample has no %q", was)
	}
	return vfs.Files{"slip.zone": strings.ReplaceAll(sample, was, is)}
}

func TestStrictSees(t *testing.T) {
	t.Parallel()
	for rule, edit := range map[string][2]string{
		"a lost final dot":                      {"ns.elsewhere.net.", "ns.elsewhere.net"},
		"a final dot that was added":            {"SOA	ns1 root", "SOA	ns1. root"},
		"another zone":                          {"slip.cymru.", "slip.wales."},
		"another origin":                        {"yard.slip.cymru.", "slip.cymru."},
		"a lost origin":                         {"$ORIGIN yard.slip.cymru.\n", ""},
		"a quote that is not closed":            {"\"p=AbCd\"", "\"p=AbCd"},
		"case in a text":                        {"AbCd", "ABCD"},
		"a blank in a text":                     {"v=DKIM1; ", "v=DKIM1;  "},
		"a comment that was lost":               {"; yard\n", ""},
		"a comment after a record":              {"; lamp room", "; shed"},
		"a comment in the SOA":                  {"\t; serial", "\t; bumped by hand"},
		"comments swapped within a set":         {"4.8	; left\n	IN	A	192.168.4.9	; right", "4.8	; right\n	IN	A	192.168.4.9	; left"},
		"a comment that was added":              {"; yard", "; yard\n; done"},
		"a repeated record":                     {"mail	", "ns1 A 192.168.4.2 ; lamp room\nmail	"},
		"a record of another zone":              {"mail	", "www.elsewhere.net. A 192.168.4.2\nmail	"},
		"an alias beside other data":            {"mail	", "ns1 CNAME crane\nmail	"},
		"an alias on a name that has data":      {"ns1	IN	A", "ns1 CNAME crane\nns1	IN	A"},
		"a record that was added to a set":      {"mail	", "pool A 192.168.4.10\nmail	"},
		"the TTL of one record":                 {"10m", "10s"},
		"the TTL of a set that has a lower one": {"	24h	IN	NS	ns.", "	48h	IN	NS	ns."},
		"the default TTL":                       {"$TTL 1h", "$TTL 2h"},
		"a default TTL that was lost":           {"$TTL 1h\n", "$TTL 24h\n"},
		"the serial":                            {"2024031501", "2024031510"},
		"a timer":                               {"14d", "15d"},
		"an address":                            {"192.168.5.7", "192.168.5.70"},
		"a malformed address":                   {"192.168.5.7", "192.168.5"},
		"typographic quotes":                    {"\"p=AbCd\"", "“p=AbCd”"},
		"an owner's line that moved":            {"mail	IN	CNAME	mx.elsewhere.net.\nkey	IN	TXT", "key	IN	CNAME	mx.elsewhere.net.\nmail	IN	TXT"},
		"prose":                                 {"; yard", "Here is the zone you asked for:\n; yard"},
		"another directive":                     {"; yard", "$INCLUDE yard.inc\n; yard"},
		"a record that was commented out":       {"crane", ";crane"},
		"the server's configuration":            {"; yard", "zone \"slip.cymru\" { type master; };\n; yard"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			score := New().Compare(vfs.Files{"slip.zone": sample}, change(t, edit[0], edit[1]))
			if score.Strict >= 1 || score.Strict < 0.5 {
				t.Errorf("Strict is %v", score.Strict)
			}
		})
	}
}

func TestStrictForgives(t *testing.T) {
	t.Parallel()
	for rule, edit := range map[string][2]string{
		"blanks":                             {"\t", "  \t"},
		"TTL units":                          {"24h", "1D"},
		"timers in seconds":                  {"2h 1h 14d", "7200 3600 2w"},
		"a TTL written out":                  {"crane", "crane	10m	IN	TXT	x\ncrane"},
		"class before TTL":                   {"10m	IN", "IN	10m"},
		"no class":                           {"IN	", ""},
		"types in lower case":                {"IN	A	", "IN	a	"},
		"absolute names":                     {"443 ns1", "443 NS1.slip.cymru."},
		"an owner written out":               {"	IN	AAAA", "NS1	IN	AAAA"},
		"an origin that is undone":           {"$ORIGIN yard.slip.cymru.\ncrane", "$ORIGIN slip.cymru.\ncrane.yard"},
		"the order of records":               {"ns1	IN	A	192.168.4.2	; lamp room\n	IN	AAAA	fd00:0:0:4::2", "ns1	IN	AAAA	fd00:0:0:4::2\n	IN	A	192.168.4.2	; lamp room"},
		"IPv6 spelling":                      {"fd00:0:0:4::2", "FD00::4:0:0:0:2"},
		"a text in one string":               {"\"v=DKIM1; \" \"p=AbCd\"", "\"v=DKIM1; p=AbCd\""},
		"quotes around a word":               {"letsencrypt.org", "\"letsencrypt.org\""},
		"case and blanks in hexadecimal":     {"ab12 CD34", "AB12cd34"},
		"case of a CAA tag":                  {"Issue", "issue"},
		"numbers with leading zeros":         {"SRV	5", "SRV	05"},
		"the SOA on one line":                {"(\n		2024031501	; serial\n		2h 1h 14d\n		1h )", "2024031501 2h 1h 14d 1h ; serial"},
		"parentheses around a record":        {"A	192.168.5.7", "A (\n	192.168.5.7 )"},
		"a comment after a directive":        {"$ORIGIN slip.cymru.", "$ORIGIN slip.cymru. ; main zone"},
		"decoration of a comment":            {"; yard", ";;  yard"},
		"a placeholder":                      {"; yard", "archive  IN  ; (already defined)\n; yard"},
		"a code fence":                       {"; zone of", "```dns\n; zone of"},
		"the file's name on top":             {"; zone of", "slip.zone\n; zone of"},
		"a byte order mark":                  {"; zone of", "\ufeff; zone of"},
		"CRLF":                               {"\n", "\r\n"},
		"blank lines":                        {"\n\n", "\n"},
		"a directive that says what is said": {"; yard", "$TTL 3600\n; yard"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			reference := vfs.Files{"slip.zone": sample}
			if rule == "a TTL written out" {
				reference = change(t, "crane", "crane	600	TXT	x\ncrane")
			}
			candidate := change(t, edit[0], edit[1])
			if score := New().Compare(reference, candidate); score.Strict != 1 {
				t.Errorf("Strict is %v: %v", score.Strict, New().Differences(reference, candidate))
			}
		})
	}
}

func TestStrictReadsFilesOfAnyNameAndNumber(t *testing.T) {
	t.Parallel()
	head, yard, _ := strings.Cut(sample, "; yard")
	for rule, c := range map[string]struct {
		files vfs.Files
		same  bool
	}{
		"another extension":              {vfs.Files{"slip.hosts": sample}, true},
		"no extension":                   {vfs.Files{"zones/slip": sample}, true},
		"two files with their origins":   {vfs.Files{"a.zone": head, "yard.zone": "$TTL 1h\n; yard" + yard}, true},
		"a file without an origin":       {vfs.Files{"a.zone": head, "b.zone": "; yard\ncrane.yard 10m A 192.168.5.7\n"}, true},
		"only a configuration file":      {vfs.Files{"slip.conf": sample}, false},
		"a file of another kind beside":  {vfs.Files{"slip.zone": sample, "notes.md": "Done.\n"}, false},
		"a file that lost the default":   {vfs.Files{"a.zone": head, "b.zone": "; yard\ncrane.yard A 192.168.5.7\n"}, false},
		"the same records in two files":  {vfs.Files{"a.zone": sample, "b.zone": sample}, false},
		"a file that lost its sub-zone":  {vfs.Files{"a.zone": head, "b.zone": "; yard\ncrane 10m A 192.168.5.7\n"}, false},
		"an empty file beside the right": {vfs.Files{"slip.zone": sample, "empty.zone": ""}, true},
	} {
		score := New().Compare(vfs.Files{"slip.zone": sample}, c.files)
		if (score.Strict == 1) != c.same {
			t.Errorf("%s: Strict is %v: %v", rule, score.Strict, New().Differences(vfs.Files{"slip.zone": sample}, c.files))
		}
	}
}

func TestGeneratedRecordsAreRecords(t *testing.T) {
	t.Parallel()
	const short = "$TTL 1h\n$ORIGIN a.cymru.\n@ SOA ns1 root 1 1 1 1 1\n$GENERATE 1-3 ap${8,2} 300 A 10.0.0.$ ; radios\n"
	const long = "$TTL 1h\n$ORIGIN a.cymru.\n@ SOA ns1 root 1 1 1 1 1\n" +
		"ap09 300 A 10.0.0.1 ; radios\nap10 300 A 10.0.0.2 ; radios\nap11 300 A 10.0.0.3 ; radios\n"
	score := New().Compare(vfs.Files{"a.zone": short}, vfs.Files{"a.zone": long})
	if score.RS != 1 || score.Strict != 1 || score.Elements.Reference != 4 {
		t.Errorf("%+v", score)
	}
	left := New().Without(vfs.Files{"a.zone": short}, func(n int) bool { return n == 2 })
	want := "$TTL 1h\n$ORIGIN a.cymru.\n@ SOA ns1 root 1 1 1 1 1\nap09 300 A 10.0.0.1\t; radios\nap11 300 A 10.0.0.3\t; radios\n"
	if diff := cmp.Diff(vfs.Files{"a.zone": want}, left); diff != "" {
		t.Error(diff)
	}
}

func TestWithoutKeepsWhatRecordsInherit(t *testing.T) {
	t.Parallel()
	zone := vfs.Files{"a.zone": "@ 2h IN SOA ns1 root 1 1 1 1 60\nwww IN A 10.0.0.1 ; gone\n    IN TXT \"stays\"\n"}
	left := New().Without(zone, func(n int) bool { return n < 2 })
	if diff := cmp.Diff(vfs.Files{"a.zone": "www    60 IN TXT \"stays\"\n"}, left); diff != "" {
		t.Error(diff)
	}
}

func TestStrictFallsInProportion(t *testing.T) {
	t.Parallel()
	seed := domaintest.Seed(t, "dns1")
	one := vfs.Files{document: strings.Replace(seed[document], "lathe\t\t1h30m", "lathe\t\t1h", 1)}
	score := New().Compare(seed, one)
	if score.Strict < 0.99 || score.Strict >= 1 {
		t.Errorf("one wrong TTL of 176 leaves Strict at %v", score.Strict)
	}
	want := []domains.Difference{{
		Kind: domains.Changed, Where: "lathe.corris.dulasrailway.org.uk. A, record",
		Was: "5400 10.61.20.71 ; Haas, wants a fixed name", Is: "3600 10.61.20.71 ; Haas, wants a fixed name",
	}}
	if diff := cmp.Diff(want, New().Differences(seed, one)); diff != "" {
		t.Error(diff)
	}
}
