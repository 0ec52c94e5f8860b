package emails

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentd/domains"
	"agentd/domains/domaintest"
	published "agentd/domains/published/emails"
	"agentd/vfs"
)

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:   demonstration(t),
		Seed:     domaintest.Seed(t, "emails1"),
		Generate: rapid.Custom(drawThread),
		// The published sequence is that of the messages that are left.
		RSForgives: 0.15,
	}.Run(t)
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, demonstration(f), domaintest.Seed(f, "emails1"))
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, "emails1"))
}

// document is the file of the documents in these tests.
const document = "salt_wolf_thread.eml"

// drawThread draws a thread in which messages reply to those above and quote
// them, with the quirks of several mail programs.
func drawThread(t *rapid.T) vfs.Files {
	d := drawer{T: t}
	var text strings.Builder
	if d.sometimes("opening") {
		text.WriteString("Thread exported on Friday, by date\n\n")
	}
	for n := range 1 + d.upTo(5, "replies") {
		if n > 0 {
			text.WriteString("\n" + published.Divider + "\n\n")
		}
		text.WriteString(strings.TrimSpace(d.message(n)) + "\n")
	}
	return vfs.Files{document: text.String()}
}

type drawer struct {
	*rapid.T
	ids    []string
	bodies [][]string // that can be quoted
}

func (d *drawer) upTo(most int, label string) int { return rapid.IntRange(0, most).Draw(d.T, label) }
func (d *drawer) sometimes(label string) bool     { return d.upTo(4, label) == 0 }
func (d *drawer) one(label string, among ...string) string {
	return rapid.SampledFrom(among).Draw(d.T, label)
}

var people = []string{
	`Ana Reis <ana.reis@cais7.pt>`, `"Vrba, J." <j-vrba@kino.cz>`, `=?iso-8859-2?Q?Ond=F8ej?= <ondrej@kino.cz>`,
	`bo@lights.se (Bo Ek)`, `crew@lists.cais7.pt`,
}

func (d *drawer) message(n int) string {
	head := []string{
		"From: " + d.one("from", people...),
		"To: " + d.one("to", people...) + d.one("more recipients", "", ",\n\t"+people[0], ", "+people[1]),
		"Subject: " + d.one("mark", "", "Re: ", "AW: Re: ") + d.one("subject",
			"keys, and the van", "=?utf-8?B?UMWZw61rb24=?= in hall 2", "[crew] load-in: who?\n and when"),
		fmt.Sprintf("Date: %s%d Mar 2024 %02d:%02d%s %s", d.one("weekday", "", "Mon, "), 1+d.upTo(27, "day"), d.upTo(23, "hour"),
			d.upTo(59, "minute"), d.one("seconds", "", ":07"), d.one("zone", "+0100", "GMT", "-0330", "-0000", "EST (east)")),
	}
	id := ""
	if !d.sometimes("no Message-ID") {
		id = fmt.Sprintf("<%d.%d@%s>", n, d.upTo(99, "id"), d.one("host", "cais7.pt", "mail.kino.cz"))
		head = append(head, "Message-ID: "+id)
	}
	parent := -1
	if len(d.ids) > 0 && !d.sometimes("no reply") {
		parent = d.upTo(len(d.ids)-1, "parent")
		if d.ids[parent] != "" {
			head = append(head, "In-Reply-To: "+d.ids[parent], "References: "+d.ids[0]+"\n "+d.ids[parent])
		}
	}
	if d.sometimes("other headers") {
		head = append(head, "Cc: "+people[3], "Reply-To: crew@lists.cais7.pt", "X-Mailer: Pine (\"old\") & co")
	}
	if d.sometimes("multipart") {
		d.ids, d.bodies = append(d.ids, id), append(d.bodies, nil)
		return strings.Join(head, "\n") + "\n" + d.one("multipart", alternative, mixed)
	}
	if d.sometimes("quoted-printable") {
		head = append(head, "Content-Type: text/plain; charset=iso-8859-1", "Content-Transfer-Encoding: quoted-printable")
	}
	body := d.body(parent)
	d.ids, d.bodies = append(d.ids, id), append(d.bodies, body)
	return strings.Join(head, "\n") + "\n\n" + strings.Join(body, "\n")
}

const alternative = `MIME-Version: 1.0
Content-Type: multipart/alternative; boundary="=_b 1"

--=_b 1
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: quoted-printable

Is hall 2 free, or is the caf=C3=A9?
We need 6,5=
 m.

--=_b 1
Content-Type: text/html; charset=utf-8

<p>Is hall 2 free?</p>
--=_b 1--`

const mixed = `Content-Type: multipart/mixed; boundary=zz

--zz

See the list.
-- 
Bo

--zz
Content-Type: image/png; name="plan.png"
Content-Transfer-Encoding: base64

iVBORw0KGgoAAAANSUhEUg==
--zz--
end of the archive's copy`

// body draws paragraphs, quotations and a footer.
func (d *drawer) body(parent int) []string {
	lines := []string{d.one("greeting", "Olá,", "Dear all,", "Bo, Ana:")}
	if parent >= 0 && len(d.bodies[parent]) > 0 {
		quotable := d.bodies[parent]
		first := d.upTo(len(quotable)-1, "quote from")
		last := first + d.upTo(len(quotable)-1-first, "quote to")
		lines = append(lines, "")
		for _, line := range quotable[first : last+1] {
			lines = append(lines, d.one("quotation", "> "+line, "> "+line, ">"+line))
		}
	}
	for range d.upTo(3, "lines") {
		lines = append(lines, d.one("line", "", "The van takes 3.2 m, not 4.", "Who has the keys?", "    $ make plan 2>&1",
			"Write to ana.reis@cais7.pt, please.", "- 12 lamps à 1,5 kW = 18 kW", "Caf=E9 at nine, is that all right? ",
			strings.Repeat("-", 45), strings.Repeat("-", 55), "From here on it rains", "```", "Subject: to change"))
	}
	if d.sometimes("footer") {
		lines = append(lines, "", d.one("footer", "-- ", "--", strings.Repeat("_", 47)), d.one("signature", "Ana", "crew list, cais 7"))
	}
	return strings.Split(strings.TrimSpace(strings.Join(lines, "\n")), "\n")
}

func TestPrintingLosesNothing(t *testing.T) {
	t.Parallel()
	for name, text := range domaintest.Seed(t, "emails1") {
		if diff := cmp.Diff(text, read(text).print()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := drawThread(t)[document]
		if diff := cmp.Diff(text, read(text).print()); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestStrictFallsInProportion(t *testing.T) {
	t.Parallel()
	seed := domaintest.Seed(t, "emails1")
	one := vfs.Files{document: strings.Replace(seed[document], "Express is double", "Express is triple", 1)}
	score := New().Compare(seed, one)
	if score.Strict < 0.99 || score.Strict >= 1 {
		t.Errorf("one wrong word leaves Strict at %v", score.Strict)
	}
	got := New().Differences(seed, one)
	want := domains.Difference{
		Kind: domains.Changed, Where: "2023-06-15 08:30 Anselm Okoro exportdocs@avontradedocs.co.uk, part 1, line",
		Was: "(b) The fee is GBP 361.20 incl. VAT, five working days. Express is double.",
		Is:  "(b) The fee is GBP 361.20 incl. VAT, five working days. Express is triple.",
	}
	if len(got) != 1 || got[0] != want {
		t.Errorf("differences: %v", got)
	}
}

// Texts of a megabyte and more that a reader with nested loops would hang on.
func TestAbsurdCandidatesAreReadInLinearTime(t *testing.T) {
	t.Parallel()
	for name, piece := range map[string]string{
		"blank lines": "\n", "fences": "```\n", "prose": "Let me know (12) if anything is missing!\n", "dividers": published.Divider + "\n",
		"dividers on one line": published.Divider + "From: ", "messages": "From: a\n" + published.Divider + "\n", "headers": "To: a@b, (c\n",
		"quotes": ">", "parentheses": "(", "encoded words": "=?utf-8?q?a?= ", "nested messages": "Content-Type: message/rfc822\n\n",
		"nested parts": "Content-Type: multipart/mixed; boundary=b\n\n--b\n", "binary": "\x00\x01\xff\xfe\x80PNG\r\n\x1a\n",
	} {
		text := strings.Repeat(piece, 1<<20/len(piece))
		for _, candidate := range []string{text + "x", "From: x\nSubject: " + text, "From: x\n\n" + text + "x"} {
			score := New().Compare(vfs.Files{"hall.eml": sample}, vfs.Files{"hall.eml": candidate})
			if score.Strict >= 1 || score.RS > 0.5 {
				t.Errorf("%s: Value %v, Strict %v", name, score.RS, score.Strict)
			}
		}
	}
}

func TestPublishedScore(t *testing.T) {
	t.Parallel()
	const (
		first  = "From: a@b\nDate: 1 May 2024 10:00 +0000\nMessage-ID: <1@b>\n\nThe keys are with the porter.\n"
		second = "From: c@d\nDate: 2 May 2024 10:00 +0000\nMessage-ID: <2@b>\nIn-Reply-To: <1@b>\n\nWhich one?\n"
	)
	thread := func(messages ...string) string { return strings.Join(messages, "\n"+published.Divider+"\n\n") }
	for rule, c := range map[string]struct {
		candidate string
		want      float64
	}{
		"itself":                         {thread(first, second), 1},
		"the order in the file is free":  {thread(second, first), 1},
		"a repeated message is free":     {thread(first, first, second), 1},
		"letter case of bodies is free":  {thread(strings.Replace(first, "The keys", "THE KEYS", 1), second), 1},
		"line breaks are free":           {thread(strings.Replace(first, "keys are", "keys\nare", 1), second), 1},
		"other headers are free":         {thread("Cc: x@y\nReferences: <9@b>\n"+first, second), 1},
		"half is lost":                   {first, 0.85*0.5 + 0.15},
		"an invented one costs coverage": {thread(first, second, "From: x\n\nSomething else entirely.\n"), 0.8 + 0.2*2/3},
		"a Message-ID without brackets":  {thread(strings.Replace(first, "<1@b>", "1@b", 1), second), 1 - 0.25*0.15/2},
		"a reply without brackets":       {thread(first, strings.Replace(second, "<1@b>", "1@b", 1)), 1 - 0.25*0.10/2},
		"an empty candidate":             {"", 0},
	} {
		score := New().Compare(vfs.Files{"a.eml": thread(first, second)}, vfs.Files{"a.eml": c.candidate})
		if math.Abs(score.RS-c.want) > 1e-12 {
			t.Errorf("%s: Value %v, want %v (%v)", rule, score.RS, c.want, score.Components)
		}
	}
	swapped := thread(strings.Replace(first, "1 May", "3 May", 1), second)
	score := New().Compare(vfs.Files{"a.eml": thread(first, second)}, vfs.Files{"a.eml": swapped})
	if score.Components["sequence"] != 0.5 {
		t.Errorf("dates that change the order: sequence %v, want 0.5", score.Components["sequence"])
	}
	if score := New().Compare(vfs.Files{"a.eml": ""}, vfs.Files{"a.eml": " \n"}); score.RS != 1 || score.Strict != 0 {
		t.Errorf("two empty documents: %+v", score)
	}
}
