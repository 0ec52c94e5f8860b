package catalog_test

import (
	"fmt"
	"strings"
	"testing"

	"agentd/domains/catalog"
	"agentd/vfs"
)

// Where a byte that looks like nothing means something in a format, its loss is told by the format's rule (docs/domains.md): by Strict, by
// form, or as a named difference that Strict does not count.
func TestBytesThatMeanSomething(t *testing.T) {
	t.Parallel()
	const (
		event = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTAMP:20240101T000000Z\r\nDTSTART:20240101T100000Z\r\nSUMMARY:Boat\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
		card  = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Mara\r\nEND:VCARD\r\n"
		mail  = "From: a@b.test\nTo: c@d.test\nSubject: x\nDate: Mon, 1 Jan 2024 10:00:00 +0000\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8; format=flowed\n\nThe boat \nleaves.\n\nSoon.\n-- \nMara\n"
		maker = "DIR = /srv  \nNAME = x   # a name\nall: a\n\tcp a $(DIR)\n"
	)
	lf := func(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }
	without := func(s, old, new string) string { return strings.Replace(s, old, new, 1) }
	for name, c := range map[string]struct {
		domain, file, before, after string
		difference, slip            string // part of the only one; "" for none
		counts                      bool   // in Strict
	}{
		"a calendar that lost CRLF":             {"calendar", "a.ics", event, lf(event), "", "", false},
		"a calendar in which a line lost CRLF":  {"calendar", "a.ics", event, without(event, "Boat\r", "Boat"), "", "", false},
		"a calendar that gained CRLF":           {"calendar", "a.ics", lf(event), event, "", "", false},
		"a calendar with LF as before":          {"calendar", "a.ics", lf(event), lf(event), "", "", false},
		"a card that lost CRLF":                 {"text", "a.vcf", card, lf(card), "", "", false},
		"a text that lost CRLF":                 {"text", "a.txt", "a\r\nb\r\n", "a\nb\n", "", "", false},
		"a mail that lost CRLF":                 {"emails", "a.eml", strings.ReplaceAll(mail, "\n", "\r\n"), mail, "", "", false},
		"a script with carriage returns":        {"python", "a.py", "#!/usr/bin/env python3\nprint(1)\n", "#!/usr/bin/env python3\r\nprint(1)\r\n", "", "the line that names the interpreter ends in a carriage return", false},
		"a script with a mark":                  {"text", "a.sh", "#!/bin/sh\necho a\n", "\ufeff#!/bin/sh\necho a\n", "", "a byte order mark stands before the line that names the interpreter", false},
		"a script that had carriage returns":    {"text", "a.sh", "#!/bin/sh\r\necho a\r\n", "#!/bin/sh\r\necho a\r\n", "", "", false},
		"a program without an interpreter":      {"python", "a.py", "print(1)\n", "print(1)\r\n", "", "", false},
		"a tab of a recipe":                     {"makefile", "Makefile", maker, without(maker, "\tcp", "        cp"), "(indented by blanks) cp a", "a separator is missing", true},
		"blanks at the end of a value":          {"makefile", "Makefile", maker, without(maker, "srv  ", "srv"), "variable DIR, blanks at the end of the value: 2 -> (nothing)", "", true},
		"blanks before a comment":               {"makefile", "Makefile", maker, without(maker, "x   #", "x #"), "", "", false},
		"carriage returns of a makefile":        {"makefile", "Makefile", maker, strings.ReplaceAll(maker, "\n", "\r\n"), "", "", false},
		"a hard line break":                     {"markdown", "a.md", "# A\n\nred  \nblue\n", "# A\n\nred\nblue\n", "text: red <br> blue -> red blue", "", true},
		"a blank that breaks no line":           {"markdown", "a.md", "# A\n\nred \nblue\n", "# A\n\nred\nblue\n", "", "", false},
		"the blank of a signature":              {"emails", "a.eml", mail, without(mail, "-- \n", "--\n"), "line: -- (a signature follows) -> --", "", true},
		"the blank of a flowed line":            {"emails", "a.eml", mail, without(mail, "boat \n", "boat\n"), "line: The boat (goes on) -> The boat", "", true},
		"a blank at the end of a line of mail":  {"emails", "a.eml", mail, without(mail, "Soon.", "Soon. "), "line: Soon. -> Soon. (goes on)", "", true},
		"a column of a two-line element":        {"satellite", "a.tle", element, without(element, "67A   24", "67A  24"), "columns of line 1", "", true},
		"tabs of a treebank":                    {"treebank", "a.conllu", sentence, strings.ReplaceAll(sentence, "\t", "  "), "", "the line has not ten columns", false},
		"a blank before the rest of a note":     {"genealogy", "a.ged", note, without(note, "boat \n", "boat\n"), "NOTE: The boat leaves at nine. -> The boatleaves at nine.", "", true},
		"a blank that repeats the owner's name": {"dns", "a.zone", zone, without(zone, "\n   IN AAAA", "\nIN AAAA"), "owner: ns.a.test. -> in.a.test.", "", true},
		"two blanks before an amount":           {"accounting", "a.ledger", "2024-03-02 Cafe\n    Expenses:Food  12 EUR\n    Assets:Cash\n", "2024-03-02 Cafe\n    Expenses:Food 12 EUR\n    Assets:Cash\n", "posting: Expenses:Food  12 EUR -> Expenses:Food 12 EUR", "", true},
	} {
		d, err := catalog.Find(c.domain)
		if err != nil {
			t.Fatal(err)
		}
		against := d.Against(vfs.Files{c.file: c.before})
		after := vfs.Files{c.file: c.after}
		review := against.Review(after)
		if counts := review.Strict < 1; counts != c.counts {
			t.Errorf("%s: Strict is %.4f", name, review.Strict)
		}
		var told []string
		for _, d := range review.Differences {
			told = append(told, fmt.Sprintf("%s: %s -> %s", d.Where, orNothing(d.Was), orNothing(d.Is)))
		}
		if all := strings.Join(told, "\n"); (all == "") != (c.difference == "") || !strings.Contains(all, c.difference) {
			t.Errorf("%s: %q, and %q was expected", name, all, c.difference)
		}
		var slips []string
		for _, s := range against.Broken(after) {
			slips = append(slips, s.What)
		}
		if all := strings.Join(slips, "\n"); (all == "") != (c.slip == "") || !strings.Contains(all, c.slip) {
			t.Errorf("%s: broken %q, and %q was expected", name, all, c.slip)
		}
	}
}

func orNothing(text string) string {
	if text == "" {
		return "(nothing)"
	}
	return text
}

const (
	element  = "ISS (ZARYA)\n1 25544U 98067A   24001.50000000  .00016717  00000-0  10270-3 0  9005\n2 25544  51.6400 208.9163 0006703  86.9718 276.3000 15.49560000    15\n"
	sentence = "# sent_id = 1\n# text = Boats leave\n1\tBoats\tboat\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tleave\tleave\tVERB\t_\t_\t0\troot\t_\t_\n\n"
	note     = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME A /B/\n1 NOTE The boat \n2 CONC leaves at nine.\n0 TRLR\n"
	zone     = "$ORIGIN a.test.\n$TTL 3600\n@ IN SOA ns.a.test. h.a.test. 1 2 3 4 5\n  IN NS ns.a.test.\nns IN A 192.0.2.1\n   IN AAAA 2001:db8::1\n"
)
