package hamradio

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/vfs"
)

// published writes what parse makes of files: a line a record, its fields in
// name order.
func published(files vfs.Files) []string {
	contacts, _ := Parse(files)
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

func TestSharpSInCapitals(t *testing.T) {
	t.Parallel()
	if got := Upper("Weißenfels"); got != "WEISSENFELS" {
		t.Errorf("upper gives %s", got)
	}
}
