package hamradio

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

const document = "na038_2023.adi"

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "hamradio1") }

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:   demonstration(t),
		Seed:     domaintest.Seed(t, "hamradio1"),
		Generate: rapid.Custom(drawLog),
	}.Run(t)
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, demonstration(f), domaintest.Seed(f, "hamradio1"))
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, "hamradio1"))
}

// drawLog draws a log as one of several programs writes it, with a header or
// without. No two contacts are the same.
func drawLog(t *rapid.T) vfs.Files {
	d := drawer{T: t}
	d.lower = d.sometimes("lower-case tags")
	d.bytes = d.sometimes("lengths in bytes")
	d.between = d.one("between fields", "", " ", "\n")
	var text strings.Builder
	if !d.sometimes("no header") {
		text.WriteString(d.one("preface", "Shack log, Zoë & Per\n\n", "# 2 m and up\n", "exported 7/2023, < 30 contacts\n"))
		text.WriteString(d.tag("ADIF_VER", "3.1.4") + d.tag("PROGRAMID", "Cahier") + d.one("end of header", "<EOH>\n", "<eoh>"))
	}
	for n := range 1 + d.upTo(9, "contacts") {
		d.contact(&text, n)
	}
	return vfs.Files{document: text.String()}
}

type drawer struct {
	*rapid.T
	lower, bytes bool
	between      string
}

func (d *drawer) upTo(most int, label string) int { return rapid.IntRange(0, most).Draw(d.T, label) }
func (d *drawer) sometimes(label string) bool     { return d.upTo(3, label) == 0 }
func (d *drawer) one(label string, among ...string) string {
	return rapid.SampledFrom(among).Draw(d.T, label)
}

func (d *drawer) tag(name, value string) string {
	length := utf8.RuneCountInString(value)
	if d.bytes {
		length = len(value)
	}
	kind := ""
	if strings.HasSuffix(name, "DATE") && d.sometimes("type indicator") {
		kind = ":D"
	}
	if d.lower {
		name = strings.ToLower(name)
	}
	return fmt.Sprintf("<%s:%d%s>%s%s", name, length, kind, value, d.between)
}

func (d *drawer) contact(text *strings.Builder, n int) {
	clock := fmt.Sprintf("%02d%02d", d.upTo(23, "hour"), n)
	date := d.one("date", "20230731", "20230801", "20231231", "20240229", "20240301")
	fields := []string{
		d.tag("CALL", d.one("call", "OZ1ABX", "ja1nut", "W1AW", "VE2/VE9KM", "G0ØØ")),
		d.tag("QSO_DATE", date),
		d.tag("TIME_ON", clock+d.one("seconds", "", "", "07", "00")),
		d.tag("BAND", d.one("band", "20M", "20m", "70cm", "1.25M", "")),
		d.tag("MODE", d.one("mode", "CW", "FT8", "SSB")),
	}
	add := func(name string, values ...string) {
		if value := d.one(name, append(values, "", "")...); value != "" {
			fields = append(fields, d.tag(name, value))
		}
	}
	add("FREQ", "14.0250", "14.03", "7.2", "432.1")
	add("TIME_OFF", clock)
	add("RST_SENT", "599", "-07", "+02")
	add("GRIDSQUARE", "FN97bj", "PM95", "JO65", "XX00")
	add("MY_GRIDSQUARE", "FN97BJ", "jo55")
	add("OPERATOR", "VE9KM", "VE2BGA")
	add("MY_ANTENNA", "5/8 \"whip\"", "dipôle, 9 m")
	add("CQZ", "5", "14", "05")
	add("COMMENT", "iota,118,EU-005", "iota,9", "rig, ant, 5W", "iota,x,EU-005", "heard < S3, \"QRN\"", "Ærø & Åland")
	add("NOTES", "first line\nsecond line", "a:b <c:d> e")
	add("QSL_SENT", "Y", "N")
	add("LOTW_QSL_RCVD", "Y", "y")
	add("QTH", "Trois-Rivières", "Zürich", "Łódź")
	text.WriteString(strings.Join(fields, "") + d.one("end of record", "<EOR>\n", "<eor>", "<EOR>\n\n"))
}

const sample = `Shack log, kept by Per
# all times UTC

<ADIF_VER:5>3.1.4
<PROGRAMID:6>Cahier
<EOH>
<CALL:4>W6YX<QSO_DATE:8>20230727<TIME_ON:4>0403<BAND:3>80M<FREQ:4>3.78<MODE:3>SSB<RST_SENT:2>59
<NAME:5>Chloé<OPERATOR:6>OZ1ABX<COMMENT:12>naqp,mike,ca<QSL_SENT:1>Y
<EOR>

<CALL:5>N7KRN<QSO_DATE:8>20230727<TIME_ON:6>041500<BAND:3>40M<FREQ:6>7.0250<MODE:2>CW<RST_SENT:3>5NN
<NAME:4>Fred<STX:3>017<SRX:3>101<NOTES:18>wants a card.
Soon<TX_PWR:3>100
<EOR>
`

// change is the sample with one text replaced by another.
func change(t *testing.T, was, is string) vfs.Files {
	t.Helper()
	if !strings.Contains(sample, was) {
		t.Fatalf("the sample has no %q", was)
	}
	return vfs.Files{"shack.adi": strings.ReplaceAll(sample, was, is)}
}

func sampleRecords(t *testing.T) (header, first, second string) {
	t.Helper()
	header, rest, ok := strings.Cut(sample, "<EOH>\n")
	first, second, found := strings.Cut(rest, "\n\n")
	if !ok || !found {
		t.Fatal("the sample has not two records")
	}
	return header + "<EOH>\n", first + "\n\n", second
}

func TestStrictSees(t *testing.T) {
	t.Parallel()
	header, first, second := sampleRecords(t)
	for rule, candidate := range map[string]vfs.Files{
		"a contact that was added":                change(t, first, first+strings.Replace(first, "W6YX", "W1AW", 1)),
		"a repeated contact":                      change(t, first, first+first),
		"a lost contact":                          change(t, first, ""),
		"the order of contacts":                   {"shack.adi": header + second + first},
		"a lost header":                           {"shack.adi": first + second},
		"the lost text of the header":             change(t, "Shack log, kept by Per\n# all times UTC\n\n", ""),
		"a header field":                          change(t, "Cahier", "Kladde"),
		"a header without its end":                change(t, "<EOH>\n", ""),
		"a line of prose before the header":       change(t, "Shack log", "Here is the log:\nShack log"),
		"a line of prose at the end":              {"shack.adi": sample + "\nAll contacts were kept.\n"},
		"900 Hz":                                  change(t, "3.78", "3.7809"),
		"the band":                                change(t, "80M", "60M"),
		"a band that was left to the frequency":   change(t, "<BAND:3>80M", ""),
		"the power":                               change(t, "<TX_PWR:3>100", "<TX_PWR:1>5"),
		"the report":                              change(t, "5NN", "599"),
		"a field outside the published table":     change(t, "OZ1ABX", "OZ1ABY"),
		"a contest number":                        change(t, "101", "102"),
		"a field that was added":                  change(t, "<QSL_SENT:1>Y", "<QSL_SENT:1>Y<APP_STATUS:4>sent"),
		"a field that was lost":                   change(t, "<QSL_SENT:1>Y", ""),
		"a field under another name":              change(t, "<NAME:4>Fred", "<QTH:4>Fred"),
		"a doubled field":                         change(t, "<NAME:4>Fred", "<NAME:4>Fred<NAME:4>Fred"),
		"a doubled typed field":                   change(t, "<NAME:4>Fred", "<NAME:4:S>Fred<NAME:3:S>Ted"),
		"text after a less-than sign":             change(t, "<COMMENT:12>naqp,mike,ca", "<COMMENT:16>naqp,mike,ca <5W"),
		"letter case of free text":                change(t, "Chloé", "CHLOÉ"),
		"an accent":                               change(t, "Chloé", "Chloe"),
		"a line break in a note":                  change(t, "card.\nSoon", "card. Soon"),
		"seconds":                                 change(t, "041500", "041507"),
		"the minute":                              change(t, "<TIME_ON:4>0403", "<TIME_ON:4>0404"),
		"the date":                                change(t, "<QSO_DATE:8>20230727<TIME_ON:4>", "<QSO_DATE:8>20230728<TIME_ON:4>"),
		"a record without its end":                change(t, "\n<EOR>\n\n", "\n"),
		"a last record that is cut off":           {"shack.adi": strings.TrimSuffix(sample, "<EOR>\n")},
		"a contact moved between two files":       {"1.adi": header + second, "2.adi": header + first},
		"a table that was left beside the log":    {"shack.adi": sample, "order.csv": "position,call\n1,W6YX\n"},
		"the day and the month of a date swapped": change(t, "20230727", "20232707"),
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			if score := New().Compare(vfs.Files{"shack.adi": sample}, candidate); score.Strict >= 1 {
				t.Errorf("Strict is %v", score.Strict)
			}
		})
	}
}

func TestStrictForgives(t *testing.T) {
	t.Parallel()
	header, first, second := sampleRecords(t)
	for rule, candidate := range map[string]vfs.Files{
		"lower-case tags":                      change(t, "<CALL:", "<call:"),
		"lower-case end tags":                  change(t, "<EO", "<eo"),
		"the order of fields":                  change(t, "<NAME:4>Fred<STX:3>017", "<STX:3>017<NAME:4>Fred"),
		"a field on its own line":              change(t, "<NAME:4>Fred", "\n<NAME:4>Fred\n"),
		"blanks between fields":                change(t, "<QSL_SENT:1>Y", " <QSL_SENT:1>Y  "),
		"no line breaks between records":       change(t, "<EOR>\n\n", "<EOR>"),
		"data type indicators":                 change(t, "<QSO_DATE:8>", "<QSO_DATE:8:D>"),
		"a length in bytes":                    change(t, "<NAME:5>Chloé", "<NAME:6>Chloé"),
		"a length in bytes before a line end":  change(t, "<NAME:5>Chloé", "<NAME:6>Chloé\n"),
		"a length that is too long":            change(t, "<NAME:4>Fred", "<NAME:7>Fred"),
		"a length that is far too long":        change(t, "<NAME:4>Fred", "<NAME:4000>Fred"),
		"a length that is too short":           change(t, "<NOTES:18>", "<NOTES:3>"),
		"a length of nothing":                  change(t, "<COMMENT:12>", "<COMMENT:0>"),
		"an empty field":                       change(t, "<QSL_SENT:1>Y", "<QSL_SENT:1>Y<QTH:0>"),
		"trailing zeros of a frequency":        change(t, "<FREQ:6>7.0250", "<FREQ:5>7.025"),
		"the unit of a frequency":              change(t, "<FREQ:4>3.78", "<FREQ:8>3.78 MHz"),
		"leading zeros of a number":            change(t, "<STX:3>017", "<STX:2>17"),
		"seconds that are zero":                change(t, "<TIME_ON:6>041500", "<TIME_ON:4>0415"),
		"the case of a band, mode and call":    change(t, "<BAND:3>80M", "<BAND:3>80m"),
		"the case of a call":                   change(t, "W6YX", "w6yx"),
		"a code fence":                         {"shack.adi": "```adif\n" + sample + "```\n"},
		"a byte order mark":                    {"shack.adi": "\ufeff" + sample},
		"CRLF":                                 change(t, "\n", "\r\n"),
		"another extension":                    {"shack.adif": sample},
		"a text file":                          {"out/shack.txt": sample},
		"two files with a header each":         {"1.adi": header + first, "2.adi": header + second},
		"two files, one of them with a header": {"1.adi": header + first, "2.adi": second},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			reference := vfs.Files{"shack.adi": sample}
			if score := New().Compare(reference, candidate); score.Strict != 1 {
				t.Errorf("Strict is %v: %v", score.Strict, New().Differences(reference, candidate))
			}
		})
	}
}

func TestStrictFallsInProportion(t *testing.T) {
	t.Parallel()
	seed := domaintest.Seed(t, "hamradio1")
	one := vfs.Files{document: strings.Replace(seed[document], "14.075210", "14.075110", 1)}
	score := New().Compare(seed, one)
	if score.Strict < 0.99 || score.Strict >= 1 {
		t.Errorf("one wrong frequency leaves Strict at %v", score.Strict)
	}
	want := []domains.Difference{{
		Kind: domains.Changed, Where: "ZS6DPL 2023-07-25 23:59 20M, FREQ", Was: "14.07521", Is: "14.07511",
	}}
	if diff := cmp.Diff(want, New().Differences(seed, one)); diff != "" {
		t.Error(diff)
	}
	endless := vfs.Files{document: strings.ReplaceAll(seed[document], "<EOR>", "")}
	if score := New().Compare(seed, endless); score.Strict < 0.9 || score.Strict >= 1 {
		t.Errorf("without most record ends Strict is %v", score.Strict)
	}
}

func TestPublishedScore(t *testing.T) {
	t.Parallel()
	const (
		one   = "<CALL:4>W1AW<QSO_DATE:8>20230101<TIME_ON:4>1200<BAND:3>20M<FREQ:6>14.200<NAME:4>Anna<EOR>"
		two   = "<CALL:4>K1ZZ<QSO_DATE:8>20230102<TIME_ON:4>1300<BAND:3>40M<FREQ:5>7.050<RST_SENT:2>59<EOR>"
		three = "<CALL:4>N1MM<QSO_DATE:8>20230103<TIME_ON:4>1400<BAND:3>15M<EOR>"
	)
	const weights = 5*3 + 1.5 // of the first record
	for rule, c := range map[string]struct {
		candidate string
		want      float64
	}{
		"added contacts are free":              {one + two + three + strings.Replace(one, "W1AW", "W1XX", 1), 1},
		"repeated contacts are free":           {one + two + three + one, 1},
		"fields outside the table are free":    {strings.Replace(one, "<NAME", "<SRX:1>5<NAME", 1) + two + three, 1},
		"letter case is free":                  {strings.Replace(one, "Anna", "ANNA", 1) + two + three, 1},
		"900 Hz are free":                      {strings.Replace(one, "14.200", "14.2009", 1) + two + three, 1},
		"the unit of a frequency is free":      {strings.Replace(one, "14.200", "14.200 MHz", 1) + two + three, 1},
		"2 kHz":                                {strings.Replace(one, "14.200", "14.202", 1) + two + three, 0.65 + 0.35*(2+1-0.2*3/weights)/3},
		"20 kHz":                               {strings.Replace(one, "14.200", "14.22", 1) + two + three, 0.65 + 0.35*(2+1-3/weights)/3},
		"a frequency that is none":             {strings.Replace(one, "14.200", "14,200", 1) + two + three, 0.65 + 0.35*(2+1-3/weights)/3},
		"another name counts by its letters":   {strings.Replace(one, "Anna", "Anni", 1) + two + three, 0.65 + 0.35*(2+1-0.25*1.5/weights)/3},
		"another report counts nothing":        {one + strings.Replace(two, ">59", ">58", 1) + three, 0.65 + 0.35*(2+1-2.0/17)/3},
		"APP fields count":                     {strings.Replace(one, "<NAME", "<APP_X:1>5<NAME", 1) + two + three, 0.65 + 0.35*(2+1-1/(weights+1))/3},
		"three parts of the fingerprint":       {strings.Replace(one, "1200", "1300", 1) + two + three, 0.65 + 0.35*(2+0.8*(1-0.25*3/weights))/3},
		"with two a contact is lost":           {strings.Replace(one, "1200<BAND:3>20M", "1300<BAND:3>40M", 1) + two + three, 4.0 / 9},
		"a lost contact":                       {one + three, 4.0 / 9},
		"two contacts in another order":        {two + one + three, 0.5 + 0.35 + 0.15*2/3},
		"seconds make another time":            {strings.Replace(one, "<TIME_ON:4>1200", "<TIME_ON:6>120000", 1) + two + three, 0.65 + 0.35*(2+0.8*(1-0.2*3/weights))/3},
		"an empty log":                         {"", 0},
		"a log of another format":              {"CALL,DATE\nW1AW,2023\n", 0},
		"a comment before a headerless log":    {"# QSOs\n" + one + two + three, 0},
		"a band in small letters is no matter": {strings.ReplaceAll(one+two+three, "M<", "m<"), 1},
	} {
		score := New().Compare(vfs.Files{"a.adi": one + two + three}, vfs.Files{"a.adi": c.candidate})
		const rounding = 1e-12
		if math.Abs(score.RS-c.want) > rounding {
			t.Errorf("%s: Value %v, want %v (%v)", rule, score.RS, c.want, score.Components)
		}
	}
	if score := New().Compare(vfs.Files{"a.adi": ""}, vfs.Files{"a.adi": ""}); score.RS != 1 || score.Strict != 0 {
		t.Errorf("two empty documents: %+v", score)
	}
}

func TestNormalNumbers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"14.260": "14.26", "7": "7", "007": "7", "0": "0", "0.0": "0", ".5": "0.5", "5.": "5", "-0.50": "-0.5",
		"3.77 MHz": "3.77", "14,260": "14,260", "": "", "1e3": "1e3", "40W": "40W", "MHz": "MHz", ".": ".",
	} {
		if got := normalNumber(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

func TestAbsurdCandidatesAreFast(t *testing.T) {
	t.Parallel()
	seed := domaintest.Seed(t, "hamradio1")
	const size = 1 << 20
	repeated := func(text string) string { return strings.Repeat(text, size/len(text)) }
	for name, content := range map[string]string{
		"prose":                  repeated("I have merged the logs as you asked, < 5 W and all. "),
		"open tags":              repeated("<CALL:"),
		"open typed tags":        repeated("<a:1:"),
		"angle brackets":         repeated("<"),
		"long lengths":           repeated("<a:99999>"),
		"one record":             repeated("<a:1>x"),
		"one call many times":    "<QSO_DATE:1>1" + repeated("<CALL:1>x"),
		"ends of records":        repeated("<EOR>"),
		"ends of the header":     repeated("<EOH>"),
		"binary":                 repeated("\x00\xff<\x80:9>"),
		"the half of a document": seed[document][:len(seed[document])/2],
		"digits":                 "<CALL:" + repeated("9"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			score := New().Compare(seed, vfs.Files{document: content})
			if score.RS < 0 || score.RS > 0.5 || score.Strict < 0 || score.Strict > 0.6 {
				t.Errorf("%+v", score)
			}
		})
	}
}
