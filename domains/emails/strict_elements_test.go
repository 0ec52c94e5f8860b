package emails

import (
	"strings"
	"testing"

	"agentd/vfs"
)

const sample = `From: Ana Reis <ana@cais7.pt>
To: Bo Ek <bo@lights.se>, "Vrba, Jan" <jan@kino.cz>
Subject: =?utf-8?Q?ch=C3=A3o?= of hall 2: load-in, doors and keys
Date: Fri, 1 Mar 2024 10:00:00 +0100
Message-ID: <1@cais7.pt>
Content-Type: text/plain; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

The caf=E9 is shut.
We need 6,5 m=
 of truss.

Who has the keys?
-- ` + `
Ana

` + divider60 + `

From: Bo Ek <bo@lights.se>
To: Ana Reis <ana@cais7.pt>
Cc: crew@lists.cais7.pt
Subject: Re: keys
Date: Fri, 1 Mar 2024 12:30:00 +0200
Message-ID: <2@lights.se>
In-Reply-To: <1@cais7.pt>
References: <0@cais7.pt> <1@cais7.pt>

> > from before
> Who has the keys?

    $ ring porter
Not I.

` + divider60 + `

From: Jan Vrba <jan@kino.cz>
To: Ana Reis <ana@cais7.pt>
Subject: plan
Date: Sat, 2 Mar 2024 09:00:00 +0100
Message-ID: <3@kino.cz>
In-Reply-To: <1@cais7.pt>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain; charset=utf-8

See the plan.
--b
Content-Type: image/png; name="plan.png"
Content-Disposition: attachment; filename="plan.png"
Content-Transfer-Encoding: base64

iVBORw0KGgoAAAANSUhEUg==
--b--
`

const divider60 = "------------------------------------------------------------"

// change is the sample with one text replaced by another.
func change(t *testing.T, was, is string) vfs.Files {
	t.Helper()
	if !strings.Contains(sample, was) {
		t.Fatalf("the sample has no %q", was)
	}
	return vfs.Files{"hall.eml": strings.ReplaceAll(sample, was, is)}
}

// second is the sample's second message.
func second() string { return strings.Split(sample, divider60)[1] }

func TestStrictSees(t *testing.T) {
	t.Parallel()
	for rule, edit := range map[string][2]string{
		"a repeated message":                       {"Not I.\n", "Not I.\n\n" + divider60 + second()},
		"an invented message":                      {"Not I.\n", "Not I.\n\n" + divider60 + "\n\nFrom: ghost@cais7.pt\n\nBoo.\n"},
		"a lost message":                           {divider60 + second(), ""},
		"two messages that changed places":         {sample, second() + divider60 + strings.Replace(sample, divider60+second(), "", 1)},
		"the case of letters":                      {"Not I.", "not i."},
		"a rule between lines of a body":           {"    $ ring porter\n", "    $ ring porter\n" + strings.Repeat("-", 64) + "\n"},
		"lines that were joined":                   {"$ ring porter\nNot I.", "$ ring porter Not I."},
		"lines that changed places":                {"    $ ring porter\nNot I.", "Not I.\n    $ ring porter"},
		"a paragraph that was joined":              {"keys?\n\n    $", "keys?\n    $"},
		"an indentation":                           {"    $ ring", "$ ring"},
		"the depth of a quotation":                 {"> > from", "> from"},
		"a quotation that was lost":                {"> Who has the keys?\n", ""},
		"a footer that was lost":                   {"-- \nAna\n", ""},
		"a digit":                                  {"6,5 m", "6,6 m"},
		"an encoded character":                     {"caf=E9", "caf=E8"},
		"an encoding that was dropped":             {"Content-Transfer-Encoding: quoted-printable\n", ""},
		"the charset of encoded text":              {"iso-8859-1", "iso-8859-5"},
		"a recipient":                              {`, "Vrba, Jan" <jan@kino.cz>`, ""},
		"a recipient's name":                       {"Vrba, Jan", "Vrba, Ján"},
		"the sender":                               {"From: Bo Ek", "From: Bo Eck"},
		"the subject's case":                       {"Re: keys", "Re: Keys"},
		"an encoded word":                          {"ch=C3=A3o", "ch=C3=A1o"},
		"the copy":                                 {"Cc: crew@", "Bcc: crew@"},
		"a copy that was lost":                     {"Cc: crew@lists.cais7.pt\n", ""},
		"a header that was added":                  {"Cc: crew", "X-Priority: 1\nCc: crew"},
		"a header that was repeated":               {"Cc: crew@lists.cais7.pt\n", "Cc: crew@lists.cais7.pt\nCc: crew@lists.cais7.pt\n"},
		"the Message-ID":                           {"Message-ID: <2@", "Message-ID: <22@"},
		"the case of a Message-ID":                 {"<2@lights.se>", "<2@Lights.se>"},
		"the reply link":                           {"In-Reply-To: <1@cais7.pt>\nReferences", "In-Reply-To: <0@cais7.pt>\nReferences"},
		"a reply link that was lost":               {"In-Reply-To: <1@cais7.pt>\nMIME", "MIME"},
		"the order of references":                  {"<0@cais7.pt> <1@cais7.pt>", "<1@cais7.pt> <0@cais7.pt>"},
		"a date":                                   {"10:00:00 +0100", "10:01:00 +0100"},
		"a zone":                                   {"10:00:00 +0100", "10:00:00 +0200"},
		"a weekday that is not the date's":         {"Fri, 1 Mar 2024 10", "Mon, 1 Mar 2024 10"},
		"a part that was lost":                     {"--b\nContent-Type: image/png; name=\"plan.png\"\nContent-Disposition: attachment; filename=\"plan.png\"\nContent-Transfer-Encoding: base64\n\niVBORw0KGgoAAAANSUhEUg==\n", ""},
		"a byte of an attachment":                  {"ANSUhE", "ANSUhF"},
		"the name of an attachment":                {`filename="plan.png"`, `filename="plan2.png"`},
		"the type of a part":                       {"image/png", "image/gif"},
		"a part's text":                            {"See the plan.", "See the plans."},
		"a text put beside the parts":              {"--b--\n", "--b--\nPrepared by Bo\n"},
		"a line among the headers":                 {"Subject: Re: keys\n", ": to be checked\nSubject: Re: keys\n"},
		"an indented line above the headers":       {"From: Ana", "  As you asked:\nFrom: Ana"},
		"a blank line among the headers":           {"Subject: Re: keys\n", "\nSubject: Re: keys\n"},
		"a divider that was lost":                  {"Ana\n\n" + divider60, "Ana\n"},
		"a text above the thread":                  {"From: Ana Reis", "Here is the merged thread:\n\nFrom: Ana Reis"},
		"a text below the thread":                  {"--b--\n", "--b--\n\n" + divider60 + "\n\nI hope this helps.\n"},
		"an envelope line that was added":          {"From: Bo", "From bo@lights.se Fri Mar  1 12:30:00 2024\nFrom: Bo"},
		"a text within a line, in place of a line": {"Not I.", "> Not I."},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			score := New().Compare(vfs.Files{"hall.eml": sample}, change(t, edit[0], edit[1]))
			if score.Strict >= 1 {
				t.Errorf("Strict is %v", score.Strict)
			}
		})
	}
}

func TestStrictForgives(t *testing.T) {
	t.Parallel()
	for rule, edit := range map[string][2]string{
		"the order of headers":                {"Subject: Re: keys\nDate: Fri, 1 Mar 2024 12:30:00 +0200\n", "Date: Fri, 1 Mar 2024 12:30:00 +0200\nSubject: Re: keys\n"},
		"the case of header names":            {"Message-ID:", "MESSAGE-id:"},
		"blanks at the ends of lines":         {"Not I.", "Not I.  "},
		"more blank lines between paragraphs": {"keys?\n\n    $", "keys?\n\n\n    $"},
		"blanks between marks of quotation":   {"> > from", ">> from"},
		"no blank after a mark of quotation":  {"> Who", ">Who"},
		"another form of address":             {"Bo Ek <bo@lights.se>", "bo@lights.se (Bo Ek)"},
		"quotes around a name":                {"Ana Reis <", `"Ana Reis" <`},
		"the case of an address":              {"<bo@lights.se>", "<Bo@Lights.SE>"},
		"the order of recipients":             {`Bo Ek <bo@lights.se>, "Vrba, Jan" <jan@kino.cz>`, `"Vrba, Jan" <jan@kino.cz>, Bo Ek <bo@lights.se>`},
		"folding":                             {"hall 2: load-in", "hall 2:\n load-in"},
		"an encoded word written out":         {"=?utf-8?Q?ch=C3=A3o?=", "chão"},
		"another encoding of a word":          {"=?utf-8?Q?ch=C3=A3o?=", "=?iso-8859-1?B?Y2jjbw==?="},
		"a word in two encoded words":         {"=?utf-8?Q?ch=C3=A3o?=", "=?utf-8?Q?ch?= =?utf-8?Q?=C3=A3o?="},
		"the same instant in another zone":    {"Fri, 1 Mar 2024 10:00:00 +0100", "Fri, 1 Mar 2024 09:00:00 GMT"},
		"a date without its weekday":          {"Fri, 1 Mar 2024 10", "1 Mar 2024 10"},
		"the name of a zone in a comment":     {"12:30:00 +0200", "12:30:00 +0200 (EET)"},
		"Message-IDs without brackets":        {"<1@cais7.pt>", "1@cais7.pt"},
		"folded references":                   {"<0@cais7.pt> <1@", "<0@cais7.pt>\n\t<1@"},
		"quoted-printable written out":        {"quoted-printable\n\nThe caf=E9 is shut.\nWe need 6,5 m=\n of", "8bit\n\nThe café is shut.\nWe need 6,5 m of"},
		"written out under its old heading":   {"caf=E9", "café"},
		"quoted-printable folded elsewhere":   {"6,5 m=\n of", "6,=\n5 m of"},
		"a character encoded without need":    {"is shut", "=69s shut"},
		"text sent as base64":                 {"charset=utf-8\n\nSee the plan.", "charset=utf-8\nContent-Transfer-Encoding: base64\n\nU2VlIHRoZSBwbGFuLg=="},
		"base64 folded elsewhere":             {"iVBORw0KGgo", "iVBO\nRw0KGgo"},
		"another boundary":                    {"--b", "--c\x00"},
		"a quoted boundary":                   {"boundary=b", `boundary="b"`},
		"a content type that is the default":  {"Content-Type: text/plain; charset=utf-8\n", ""},
		"the last boundary lost":              {"--b--\n", ""},
		"a divider of 59 hyphens":             {divider60, divider60[1:]},
		"a divider of 72 hyphens":             {divider60, divider60 + divider60[:12]},
		"a divider after the text":            {"Not I.\n\n" + divider60, "Not I." + divider60},
		"no blank lines around the divider":   {"\n\n" + divider60 + "\n\n", "\n" + divider60 + "\n"},
		"a rule of hyphens below a body":      {"Not I.", "Not I.\n" + strings.Repeat("-", 64)},
		"a code fence":                        {sample, "```eml\n" + sample + "```\n"},
		"a fence around each message":         {"\n" + divider60 + "\n\n", "```\n" + divider60 + "\n\n```eml\n"},
		"a fence in a body":                   {"    $ ring porter\n", "```sh\n    $ ring porter\n```\n"},
		"a byte order mark":                   {"From: Ana", "\ufeffFrom: Ana"},
		"CRLF":                                {"\n", "\r\n"},
		"blank lines at the end":              {"--b--\n", "--b--\n\n\n"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			reference := vfs.Files{"hall.eml": sample}
			candidate := change(t, edit[0], edit[1])
			if edit[1] == "--c\x00" {
				candidate["hall.eml"] = strings.NewReplacer("--b", "--c", "boundary=b", "boundary=c").Replace(sample)
			}
			if rule == "a byte order mark" {
				candidate = vfs.Files{"hall.eml": "\ufeff" + sample}
			}
			if score := New().Compare(reference, candidate); score.Strict != 1 {
				t.Errorf("Strict is %v: %v", score.Strict, New().Differences(reference, candidate))
			}
		})
	}
}

func TestStrictReadsFilesOfAnyNameAndNumber(t *testing.T) {
	t.Parallel()
	piece := strings.Split(sample, divider60)
	reference := vfs.Files{"hall.eml": sample}
	for rule, candidate := range map[string]vfs.Files{
		"another extension":        {"hall.text": sample},
		"no extension":             {"out/hall": sample},
		"a file each":              {"1.eml": piece[0], "2.eml": piece[1], "3.eml": piece[2]},
		"a file each, other order": {"c.eml": piece[0], "a.eml": piece[1], "b.eml": piece[2]},
		"two files":                {"a.eml": piece[0], "b.eml": piece[1] + divider60 + piece[2]},
		"a mailbox":                {"hall.mbox": "From a Fri\n" + strings.TrimSpace(piece[0]) + "\n\nFrom b Fri\n" + strings.TrimSpace(piece[1]) + "\n\nFrom c Sat\n" + strings.TrimSpace(piece[2]) + "\n"},
	} {
		if score := New().Compare(reference, candidate); score.Strict != 1 {
			t.Errorf("%s: Strict is %v: %v", rule, score.Strict, New().Differences(reference, candidate))
		}
	}
	renamed := vfs.Files{"hall.mbox": sample}
	if score := New().Compare(reference, renamed); score.Strict != 0 || score.Problem == "" {
		t.Errorf("a mailbox without envelope lines has no messages, but Strict is %v", score.Strict)
	}
}

func TestMailboxesOfAnyName(t *testing.T) {
	t.Parallel()
	const (
		first  = "From mara@pier.example Mon Jan  1 10:00:00 2024\nFrom: mara@pier.example\nSubject: Boat\nContent-Type: multipart/mixed; boundary=zz\n\n--zz\n\nWe leave at ten.\n--zz--\n"
		second = "From ivo@pier.example Mon Jan  1 11:00:00 2024\nFrom: ivo@pier.example\nSubject: Re: Boat\n\nTen is fine.\n>From the shed.\n"
		third  = "From mara@pier.example Mon Jan  1 12:00:00 2024\nFrom: mara@pier.example\nSubject: Re: Boat\n\nGood.\n"
	)
	for _, name := range []string{"a.mbox", "a.eml", "a.txt"} {
		mailbox := vfs.Files{name: first + "\n" + second + "\n" + third}
		if n := len(New().Elements(mailbox)); n != 3 {
			t.Errorf("%s has %d messages", name, n)
		}
		later := vfs.Files{name: strings.Replace(mailbox[name], "11:00:00", "11:00:10", 1)}
		if review := New().Against(mailbox).Review(later); review.Strict == 1 {
			t.Errorf("%s: another time in an envelope is free", name)
		}
		if left := New().Without(mailbox, func(n int) bool { return n == 0 }); left[name] != second+"\n"+third {
			t.Errorf("%s without its first message is %q", name, left[name])
		}
	}
}
