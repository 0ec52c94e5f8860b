package emails

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/vfs"
)

func TestPublishedReadingCutsAtSixtyHyphens(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		text string
		want []string // bodies
	}{
		"on a line of its own":             {"a\n" + Divider + "\nb", []string{"a", "b"}},
		"after text":                       {"a" + Divider + "\n\nb", []string{"a", "b"}},
		"within a line":                    {"a" + Divider + "b", []string{"a", "b"}},
		"a longer run leaves its rest":     {"a\n" + Divider + "------------\nb", []string{"a", "------------\nb"}},
		"a run of 120 cuts twice":          {"a" + Divider + Divider + "b", []string{"a", "b"}},
		"fewer hyphens do not cut":         {"a\n" + Divider[1:] + "\nb", []string{"a\n" + Divider[1:] + "\nb"}},
		"blank pieces are none":            {Divider + "\n \n" + Divider, nil},
		"prose is a message":               {"I have merged it.\n" + Divider + "\nFrom: a\n\nb", []string{"I have merged it.", "b"}},
		"a blank line ends the headers":    {"X: y\n\nZ: a", []string{"Z: a"}},
		"so does a line that is no header": {"X: y\nz z: a\n\nb", []string{"z z: a\n\nb"}},
		"an envelope line is skipped":      {"From x Mon\nX: y\n\nb", []string{"b"}},
		"a continuation is no body":        {"X: y\n z\n\nb", []string{"b"}},
		"quoted-printable stays":           {"Content-Transfer-Encoding: quoted-printable\n\n=C3=A9", []string{"=C3=A9"}},
	} {
		messages, _ := Parse(vfs.Files{"a.eml": c.text})
		var got []string
		for _, m := range messages {
			got = append(got, m.body)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", rule, diff)
		}
	}
}

func TestPublishedReadingTakesTwoSuffixes(t *testing.T) {
	t.Parallel()
	messages, _ := Parse(vfs.Files{"d.txt": "d", "b.eml": "b", "c.mbox": "c", "e.EML": "e", "eml": "f"})
	if len(messages) != 2 || messages[0].body != "b" || messages[1].body != "d" {
		t.Errorf("read %+v", messages)
	}
}

func TestPublishedAddresses(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Address{
		"Ana Reis <Ana@Cais7.PT>":            {"Ana Reis", "ana@cais7.pt"},
		"ana@cais7.pt (Ana Reis)":            {"Ana Reis", "ana@cais7.pt"},
		`"Reis, Ana" <ana@cais7.pt>`:         {"Reis, Ana", "ana@cais7.pt"},
		`"A \"B\" C" <a@b>`:                  {`A "B" C`, "a@b"},
		"Ana (Bo) <a@b>":                     {"Ana (Bo)", "a@b"},
		"chidi":                              {"", "chidi"},
		"a@b, c@d":                           {},
		"a; b":                               {},
		"a@b (open":                          {},
		"joe@[10.0.0.1]":                     {},
		"x@y@z":                              {},
		"undisclosed:;":                      {},
		"":                                   {},
		"=?utf-8?Q?H=C3=A9l=C3=A8ne?= <h@x>": {"Hélène", "h@x"},
	} {
		messages, _ := Parse(vfs.Files{"a.eml": "From: " + text + "\n\nbody"})
		if got := messages[0].from; got != want {
			t.Errorf("%q is read as %+v, want %+v", text, got, want)
		}
	}
	for text, want := range map[string][]Address{
		"a@b,, c@d ,":               {{"", "a@b"}, {"", "c@d"}},
		`"x, y" <a@b>, z`:           {{"x, y", "a@b"}, {"", "z"}},
		"a; b":                      {{}},
		"“Okafor, Chidi” <c@x.org>": {{"", "“okafor"}, {"Chidi”", "c@x.org"}},
		"Ana\n <a@b>,\n\tc@d":       {{"Ana", "a@b"}, {"", "c@d"}},
	} {
		messages, _ := Parse(vfs.Files{"a.eml": "To: " + text + "\n\nbody"})
		if diff := cmp.Diff(want, messages[0].to, cmp.AllowUnexported(Address{})); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

func TestPublishedWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"plain é":                              "plain é",
		"=?utf-8?q?a_b=C3=A9?= c":              "a bé c",
		"=?utf-8?q?a?= =?utf-8?q?b?=":          "ab",
		"=?utf-8?q?=C3?= =?utf-8?q?=A9?=":      "é", // one character over two words
		"=?utf-8?b?w6k=?= and =?utf-8?b?w6k":   "é and =?utf-8?b?w6k",
		"=?iso-8859-2?Q?Zden=ECk?=":            "Zdeněk",
		"=?utf-8?q?=E9?=":                      "�",
		"=?nowhere?q?caf=C3=A9?=":              "café",
		"Re:\n =?utf-8?q?a?=":                  "Re:a",
		"=?utf-8?b?a?=":                        "=?utf-8?b?a?=", // no base64
		"=?ISO-8859-1?Q?=80?=":                 "\u0080",
		"=?windows-1252?Q?=80?=":               "€",
		"=?utf-8?q?a?= é":                      "a �", // what Python makes of it
		"=?utf-8?Q?a?=\n =?iso-8859-1?Q?=E9?=": "aé",
	} {
		messages, _ := Parse(vfs.Files{"a.eml": "Subject: " + text + "\n\nbody"})
		if got := messages[0].subject; got != want {
			t.Errorf("%q is read as %q, want %q", text, got, want)
		}
	}
}

func TestPublishedDates(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Thu, 19 Dec 2024 16:59:03 +0800": "2024-12-19T16:59:03+08:00",
		"19 December 2024 16:59 GMT":      "2024-12-19T16:59:00+00:00",
		"Thu,19 Dec 24 16:59:03 EST":      "2024-12-19T16:59:03-05:00",
		"19-Dec-1999 16:59:03 -0000":      "1999-12-19T16:59:03",
		"Thu Dec 19 16:59:03 2024":        "2024-12-19T16:59:03",
		"19 Dec 2024 16.59 -0330 (Newf)":  "2024-12-19T16:59:00-03:30",
		"Dec 19, 2024 16:59:03 CET":       "2024-12-19T16:59:03",
		"30 Feb 2024 16:59:03 +0000":      "",
		"19 Dec 2024 24:00:00 +0000":      "",
		"19 Dec 2024 16:59:03 +2400":      "",
		"19 Dec 2024":                     "",
		"yesterday":                       "",
		"":                                "",
	} {
		date, ok := ParseDate(text)
		got := ""
		if ok {
			got = date.iso()
		}
		if got != want {
			t.Errorf("%q is read as %q, want %q", text, got, want)
		}
	}
}

func TestPublishedMultipart(t *testing.T) {
	t.Parallel()
	const nested = "Content-Type: multipart/mixed; boundary=\"o u\"\n\npreamble\n--o u\nContent-Type: multipart/alternative; boundary=in\n\n" +
		"--in\nContent-Type: text/html\n\n<p>\n--in\nContent-Transfer-Encoding: quoted-printable\n\ncaf=C3=A9 and=\n more\n--in--\n--o u--\nepilogue"
	for rule, c := range map[string]struct{ text, want string }{
		"the first plain text, decoded":     {nested, "café and more"},
		"a boundary ends what lies inside":  {strings.ReplaceAll(nested, "--in--\n", ""), "café and more"},
		"the end may be missing":            {strings.ReplaceAll(nested, "--o u--\nepilogue", ""), "café and more"},
		"base64 without its padding":        {"Content-Type: multipart/x; boundary=b\n\n--b\nContent-Transfer-Encoding: base64\n\ncGx6\nZQ\n--b--", "plze"},
		"characters beyond ASCII suffer":    {"Content-Type: multipart/x; boundary=b\n\n--b\n\né—\n--b--", "�\\u2014"},
		"no plain text":                     {"Content-Type: multipart/x; boundary=b\n\n--b\nContent-Type: text/html\n\n<p>\n--b--", ""},
		"without a boundary all is text":    {"Content-Type: multipart/x\n\n--b\n\nx\n--b--", "--b\n\nx\n--b--"},
		"a boundary that never comes":       {"Content-Type: multipart/x; boundary=c\n\n--b\n\nx\n--b--", "--b\n\nx\n--b--"},
		"a message in a message":            {"Content-Type: message/rfc822\n\nSubject: y\n\ninner", "inner"},
		"an unknown encoding is left alone": {"Content-Type: multipart/x; boundary=b\n\n--b\nContent-Transfer-Encoding: x\n\n=41\n--b--", "=41"},
	} {
		messages, _ := Parse(vfs.Files{"a.eml": c.text})
		if len(messages) != 1 || messages[0].body != c.want {
			t.Errorf("%s: read %+v, want %q", rule, messages, c.want)
		}
	}
}
