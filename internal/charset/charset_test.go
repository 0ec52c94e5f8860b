package charset_test

import (
	"testing"

	"agentd/internal/charset"
)

// encoded writes a text in an encoding.
func encoded(t *testing.T, name, text string) string {
	t.Helper()
	e, err := charset.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	content, err := e.Encode(text)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func TestEncodingsAreToldAndWrittenBack(t *testing.T) {
	t.Parallel()
	const french, czech, russian, polish = "Le café où Zoë mange des crêpes à 3 €.\r\n", "Žluťoučký kůň úpěl ďábelské ódy.\n", "Съешь ещё этих мягких булок.\n", "Zażółć gęślą jaźń.\n"
	for name, c := range map[string]struct {
		content, other, encoding, text string
		marked                         bool
	}{
		"plain":                           {"abc\n", "", "UTF-8", "abc\n", false},
		"UTF-8 is UTF-8":                  {czech, "", "UTF-8", czech, false},
		"UTF-8 with a mark":               {"\ufeffabc\n", "", "UTF-8", "\ufeffabc\n", true},
		"UTF-16, little end first":        {"\xff\xfe" + encoded(t, "utf-16le", czech), "", "UTF-16LE", czech, true},
		"UTF-16, big end first":           {"\xfe\xff" + encoded(t, "utf-16be", czech), "", "UTF-16BE", czech, true},
		"UTF-32 is not UTF-16":            {"\xff\xfe\x00\x00" + encoded(t, "utf-32le", czech), "", "UTF-32LE", czech, true},
		"UTF-32, big end first":           {"\x00\x00\xfe\xff" + encoded(t, "utf-32be", czech), "", "UTF-32BE", czech, true},
		"French":                          {encoded(t, "windows-1252", french), "", "windows-1252", french, false},
		"Czech":                           {encoded(t, "windows-1250", czech), "", "windows-1250", czech, false},
		"Polish":                          {encoded(t, "windows-1250", polish), "", "windows-1250", polish, false},
		"Russian":                         {encoded(t, "windows-1251", russian), "", "windows-1251", russian, false},
		"Russian in KOI8":                 {encoded(t, "koi8-r", russian), "", "KOI8-R", russian, false},
		"what it declares":                {encoded(t, "iso-8859-2", "<?xml version='1.0' encoding='ISO-8859-2'?><a>"+polish+"</a>"), "", "iso-8859-2", "<?xml version='1.0' encoding='ISO-8859-2'?><a>" + polish + "</a>", false},
		"declared and not one byte each":  {encoded(t, "shift_jis", "# coding: shift_jis\n日本語\n"), "", "shift_jis", "# coding: shift_jis\n日本語\n", false},
		"the other version decides":       {encoded(t, "windows-1257", "ąžuolas\n"), "ąžuolas 2\n", "windows-1257", "ąžuolas\n", false},
		"a family tree in ANSEL":          {"0 HEAD\n1 CHAR ANSEL\n1 NAME J\xe8urgen \xa1ukasz Fran\xf0cois Vi\xe3\xf2et B\xbci \xe2\xbco\n", "", "ANSEL", "0 HEAD\n1 CHAR ANSEL\n1 NAME Jürgen Łukasz François Vi\u1ec7t Bơi ớo\n", false},
		"a family tree of DOS":            {"0 HEAD\n1 CHAR IBMPC\n1 NAME J\x81rgen\n", "", "IBM437", "0 HEAD\n1 CHAR IBMPC\n1 NAME Jürgen\n", false},
		"a family tree of Windows":        {"0 HEAD\n1 CHAR ANSI\n1 NAME J\xfcrgen\n", "", "windows-1252", "0 HEAD\n1 CHAR ANSI\n1 NAME Jürgen\n", false},
		"a family tree in Latin-1":        {"0 HEAD\n1 CHAR ISO-8859-1\n1 NAME Ji\xfc\n", "", "windows-1252", "0 HEAD\n1 CHAR ISO-8859-1\n1 NAME Jiü\n", false},
		"a declaration that does not fit": {encoded(t, "windows-1252", "charset=utf-8 café\n"), "", "windows-1252", "charset=utf-8 café\n", false},
	} {
		e, ok := charset.Detect(c.content, c.other)
		if !ok || e.String() != c.encoding || e.Marked() != c.marked {
			t.Errorf("%s: read as %s, %v, marked %v", name, e, ok, e.Marked())
			continue
		}
		text, ok := e.Decode(c.content)
		if back, err := e.Encode(text); !ok || text != c.text || err != nil || back != c.content {
			t.Errorf("%s: read %q, and written back %q, %v", name, text, back, err)
		}
	}
}

func TestBytesThatAreNoTextAreNone(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]string{
		"a NUL":                      "a\x00b",
		"a mark and half a unit":     "\xff\xfe\x00",
		"half a pair of surrogates":  "\xff\xfe\x00\xd8a\x00",
		"a mark and a NUL":           "\xfe\xff\x00a\x00\x00",
		"high bytes alone":           "\xe9\xe8\xff\xfe",
		"control characters":         "caf\xe9\x01\x02\n",
		"UTF-8 with a broken letter": "caf\xc3\xa9 cr\xe8me br\xc3\xbbl\xc3\xa9e\n",
		"signs of no language":       "a\x81\x8d\x8f\x90\x9d\n",
		"the head of a picture":      "\x89PNG\r\n\x1a\n",
	} {
		if e, ok := charset.Detect(content, ""); ok {
			t.Errorf("%s is read as %s", name, e)
		}
	}
}

func TestAnEncodingThatIsUnknownIsNamed(t *testing.T) {
	t.Parallel()
	if _, err := charset.Lookup("klingon"); err == nil {
		t.Error("it was found")
	}
	if e, err := charset.Lookup("utf8"); err != nil || !e.IsUTF8() {
		t.Errorf("%v, %v", e, err)
	}
	e, _ := charset.Lookup("latin1")
	if _, err := e.Encode("日"); err == nil {
		t.Error("a letter was written that the encoding does not have")
	}
}
