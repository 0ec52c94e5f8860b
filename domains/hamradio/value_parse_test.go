package hamradio

import (
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains/domaintest"
	"agentd/vfs"
)

// published writes what parse makes of files: a line a record, its fields in
// name order.
func published(files vfs.Files) []string {
	contacts, _ := parse(files)
	var lines []string
	for _, c := range contacts {
		var fields []string
		for _, name := range slices.Sorted(maps.Keys(c)) {
			fields = append(fields, name+"="+c[name])
		}
		lines = append(lines, strings.Join(fields, " "))
	}
	return lines
}

func TestPublishedReading(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		text string
		want []string
	}{
		"no header if the first character is <":            {"<CALL:4>W1AW<EOR>", []string{"CALL=W1AW"}},
		"header tags then belong to the first record":      {"<PROGRAMID:1>x<EOH><CALL:4>W1AW<EOR>", []string{"CALL=W1AW PROGRAMID=x"}},
		"a header ends at EOH in any case":                 {"log\n<PROGRAMID:1>x<eoh><CALL:4>W1AW<eor>", []string{"CALL=W1AW"}},
		"a header without EOH":                             {"log\n<CALL:4>W1AW<EOR>", nil},
		"a header field twice":                             {"log\n<A:1>x<A:1>y<EOH><CALL:4>W1AW<EOR>", nil},
		"names in any case":                                {"<cAll:4>W1AW<Eor>", []string{"CALL=W1AW"}},
		"a length that is too short":                       {"<CALL:1>W1AW<EOR>", []string{"CALL=W1AW"}},
		"a length that is too long":                        {"<CALL:99>W1AW<EOR>", []string{"CALL=W1AW"}},
		"values are trimmed":                               {"<CALL:4> W1AW\r\n<EOR>", []string{"CALL=W1AW"}},
		"stray text becomes part of a value":               {"<CALL:4>W1AW\n// QRP <EOR>", []string{"CALL=W1AW\n// QRP"}},
		"text after < is lost":                             {"<COMMENT:9>weak <S1 b<CALL:4>W1AW<EOR>", []string{"CALL=W1AW COMMENT=weak"}},
		"the length of a typed tag counts":                 {"<NAME:3:S>Anna<CALL:4>W1AW<EOR>", []string{"CALL=W1AW NAME=Ann"}},
		"it may reach over tags":                           {"<NAME:8:S>A<QTH:1><CALL:4>W1AW<EOR>", []string{"CALL=W1AW NAME=A<QTH:0>"}},
		"it counts characters":                             {"<NAME:6:S>Tromsø<CALL:4>W1AW<EOR>", []string{"CALL=W1AW NAME=Tromsø"}},
		"of a typed tag whose name starts with a digit":    {"<2X:1:S>ab<CALL:4>W1AW<EOR>", []string{"2X=a CALL=W1AW"}},
		"of an untyped one too":                            {"<2X:1>ab<CALL:4>W1AW<EOR>", []string{"2X=a CALL=W1AW"}},
		"a typed tag twice":                                {"<CALL:4>W1AW<EOR><A:1:S>x<A:1:S>y<EOR>", nil},
		"typed twice without an end is no matter":          {"<CALL:4>W1AW<EOR><A:1:S>x", []string{"CALL=W1AW"}},
		"of an untyped tag twice the last counts":          {"<A:1>x<CALL:4>W1AW<a:1>y<EOR>", []string{"A=y CALL=W1AW"}},
		"what stands before a dropped tag goes with it":    {"<B:1>b<N:1:S>n<A:1>x<CALL:4>W1AW<A:1>y<EOR>", []string{"A=y B=b CALL=W1AW"}},
		"so a header may vanish":                           {"# log\n<A:1>x<CALL:4>W1AW<A:1>y<EOR>", []string{"A=y CALL=W1AW"}},
		"but not before a tag that stays":                  {"# log\n<CALL:4>W1AW<A:1>x<A:1>y<EOR>", nil},
		"empty values are absent":                          {"<QTH:0><CALL:4>W1AW<EOR>", []string{"CALL=W1AW"}},
		"an empty record":                                  {"<EOR><CALL:4>W1AW<EOR>", []string{"", "CALL=W1AW"}},
		"what follows the last record end":                 {"<CALL:4>W1AW<EOR><CALL:4>K1ZZ", []string{"CALL=W1AW"}},
		"a spaced tag is none":                             {"<CALL:4>W1AW< EOR ><EOR>", []string{"CALL=W1AW"}},
		"a record end is put before a second call":         {"<CALL:4>W1AW<BAND:1>1<CALL:4>K1ZZ", []string{"BAND=1 CALL=W1AW", "CALL=K1ZZ"}},
		"or before a second date":                          {"<QSO_DATE:1>1<CALL:4>W1AW<QSO_DATE:1>2<CALL:4>K1ZZ\n", []string{"CALL=W1AW QSO_DATE=1", "CALL=K1ZZ QSO_DATE=2"}},
		"two line ends swallow the last record end":        {"<CALL:4>W1AW<CALL:4>K1ZZ\n\n", []string{"CALL=W1AW"}},
		"a single record without an end is none":           {"<CALL:4>W1AW\n", nil},
		"no record end is put where one is":                {"<CALL:4>W1AW<EOR><CALL:4>K1ZZ<CALL:4>N1MM", []string{"CALL=W1AW"}},
		"a record end in the header does not count":        {"log <EOR> <EOH><CALL:4>W1AW<CALL:4>K1ZZ", []string{"CALL=W1AW", "CALL=K1ZZ"}},
		"digits of any script":                             {"<CALL:٤:S>W1AW<EOR>", []string{"CALL=W1AW"}},
		"a code fence before a headerless log is a header": {"```\n<CALL:4>W1AW<EOR>\n```\n", nil},
		"prose":                          {"All contacts were merged.", nil},
		"empty":                          {"", nil},
		"a typed length beyond the text": {"<CALL:4>W1AW<EOR><NAME:99999999999999999999:S>x<EOR>", []string{"CALL=W1AW"}},
	} {
		if diff := cmp.Diff(c.want, published(vfs.Files{"a.adi": c.text})); diff != "" {
			t.Errorf("%s: %s", rule, diff)
		}
	}
}

func TestPublishedReadingTakesTwoSuffixes(t *testing.T) {
	t.Parallel()
	files := vfs.Files{}
	for _, name := range []string{"d.ADIF", "c.txt", "b.adi", "adi", "a.adif", "e.adx"} {
		files[name] = "<CALL:4>" + name + "<EOR>"
	}
	if diff := cmp.Diff([]string{"CALL=a.adif", "CALL=b.adi", "CALL=d.ADIF"}, published(files)); diff != "" {
		t.Error(diff)
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

func TestSharpSInCapitals(t *testing.T) {
	t.Parallel()
	if got := upper("Weißenfels"); got != "WEISSENFELS" {
		t.Errorf("upper gives %s", got)
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
