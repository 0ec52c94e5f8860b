package equivalences

import (
	"regexp"
	"strings"

	"pgregory.net/rapid"

	"agentd/domains/domaintest"
	"agentd/vfs"
)

var tagName = regexp.MustCompile(`<(/?)([A-Za-z]+)([ >/])`)

// prefixed gives the elements of a playlist a prefix for their namespace.
var prefixed = domaintest.Equivalence{Name: "a prefix for the namespace", Same: true, Apply: func(t *rapid.T, files vfs.Files) vfs.Files {
	prefix := rapid.StringMatching("[a-z]{2,5}").Draw(t, "prefix")
	changed := files.Clone()
	for name, text := range files {
		text = tagName.ReplaceAllString(text, "<${1}"+prefix+":${2}${3}")
		changed[name] = strings.Replace(text, ` xmlns="`, " xmlns:"+prefix+`="`, 1)
	}
	return changed
}}

// ofXML are the equivalences of any XML document, and near misses: spellings that mean
// the same to a parser, and a name that only looks alike.
func ofXML(more ...domaintest.Equivalence) []domaintest.Equivalence {
	return append([]domaintest.Equivalence{
		domaintest.Rewritten("single quotes", true, `(<[A-Za-z][\w:]*[^<>'"]*)"([^"'<>]*)"`, "${1}'${2}'"),
		domaintest.Rewritten("blanks in a tag", true, `(<[A-Za-z][\w:]*) ([A-Za-z:]+="[^"]*")`, "${1}\n   ${2}"),
		domaintest.Rewritten("blanks around an equal sign", true, `(<[A-Za-z][\w:]* [A-Za-z:]+)=("[^"]*")`, "${1} = ${2}"),
		domaintest.Rewritten("order of attributes", true, `(<[A-Za-z][\w:]*) ([\w:]+="[^"]*") ([\w:]+="[^"]*")`, "${1} ${3} ${2}"),
		domaintest.Rewritten("a blank before the end of a tag", true, `(</[A-Za-z][\w:]*)>`, "${1} >"),
		domaintest.Rewritten("a character by its number", true, `(<[A-Za-z][^<>]*>[^<>&]*)e([^<>&]*</)`, "${1}&#101;${2}"),
		domaintest.Rewritten("a byte order mark", true, `^<`, "\ufeff<"),
		domaintest.Rewritten("another attribute's name", false, `(<[A-Za-z][\w:]* )([a-wyz][A-Za-z]*)="`, `${1}x${2}="`),
		anotherDigit(`<[A-Za-z][^<>]*>([^<>&]*[1-9][^<>&]*)</`),
	}, more...)
}

var xmlEquivalences = map[string][]domaintest.Equivalence{
	"playlist": ofXML(
		domaintest.Rewritten("CDATA", true, `<(title|creator|annotation)>([^<>&]+)</`, "<${1}><![CDATA[${2}]]></"),
		domaintest.Rewritten("an ampersand by its number", true, `&amp;`, "&#38;"),
		domaintest.Rewritten("indentation", true, `\n +<`, "\n\t<"),
		prefixed,
		anotherLetter("another letter in a place", `<location>([^<]*)</`),
		domaintest.Swapped("tracks in another order", false, `(?s)<track>.*?</track>`),
	),
	"robotics": ofXML(
		domaintest.Rewritten("an idle zero", true, `(value|radius|length|mass)="(\d+\.\d+)"`, `${1}="${2}0"`),
		domaintest.Rewritten("blanks in a vector", true, `xyz="([-\d.]+) ([-\d.]+) `, `xyz="${1}   ${2} `),
		domaintest.Rewritten("an origin of zeros left out", true, `\n *<origin xyz="0 0 0" rpy="0 0 0"/>`, ""),
		domaintest.Swapped("elements in another order", true, `(?s)\n  <joint .*?</joint>`),
		domaintest.Rewritten("a vector the other way", false, `xyz="0 0 1"`, `xyz="0 0 -1"`),
		anotherDigit(`="([-\d. ]*[1-9][-\d. ]*)"`),
	),
	"libcatalog": ofXML(
		domaintest.Rewritten("indentation", true, `\n<datafield`, "\n    <datafield"),
		domaintest.Rewritten("a comment", true, `\n<datafield`, "\n<!-- checked -->\n<datafield"),
		domaintest.Rewritten("an ampersand by its number", true, `&amp;`, "&#x26;"),
		domaintest.Rewritten("subfields on lines of their own", true, `</subfield><subfield`, "</subfield>\n  <subfield"),
		domaintest.Rewritten("CDATA", true, `<subfield code="a">([^<>&]+)</`, `<subfield code="a"><![CDATA[${1}]]></`),
		domaintest.Rewritten("another indicator", false, `ind1=" "`, `ind1="1"`),
		domaintest.Swapped("subfields in another order", false, `<subfield code="[a-z]">[^<]*</subfield>`),
		anotherLetter("another subfield", `<subfield code="([a-z])">`),
	),
	"starcatalog": ofXML(
		domaintest.Rewritten("indentation", true, `\n +<`, "\n\t<"),
		domaintest.Rewritten("a blank around a number", true, `<TD>(-?\d+\.\d+)</TD>`, "<TD> ${1} </TD>"),
		domaintest.Rewritten("an idle zero", true, `<TD>(-?\d+\.\d+)</TD>`, "<TD>${1}0</TD>"),
		domaintest.Rewritten("an ampersand by its number", true, `&amp;`, "&#38;"),
		domaintest.Swapped("rows in another order", false, `<TR>.*</TR>`),
		domaintest.Rewritten("a cell moved", false, `<TD>([^<]+)</TD><TD/>`, "<TD/><TD>${1}</TD>"),
	),
	"geotrack": ofXML(
		domaintest.Rewritten("an idle zero", true, `<ele>(\d+\.\d+)</ele>`, "<ele>${1}0</ele>"),
		domaintest.Rewritten("another spelling of the zone", true, `<time>([-\dT:.]+)Z</time>`, "<time>${1}+00:00</time>"),
		domaintest.Rewritten("another zone", false, `<time>([-\dT:.]+)Z</time>`, "<time>${1}+01:00</time>"),
		domaintest.Rewritten("the other hemisphere", false, `lon="-`, `lon="`),
	),
	"landmarks": ofXML(
		domaintest.Rewritten("indentation", true, `\n +<Placemark`, "\n<Placemark"),
		domaintest.Rewritten("an idle zero", true, `<coordinates>(\d+\.\d+),`, "<coordinates>${1}0,"),
		domaintest.Swapped("placemarks in another order", false, `(?s)<Placemark .*?</Placemark>`),
	),
	"vector": ofXML(
		domaintest.Rewritten("an idle zero", true, `(<rect[^<>]* width="\d+)"`, `${1}.0"`),
		domaintest.Rewritten("commas in a path", true, `( d="M [-\d.]+),([-\d.]+ )`, "${1} ${2}"),
		domaintest.Rewritten("a style as attributes", true, `style="fill:none;stroke:(#[0-9a-f]{6});stroke-width:([\d.]+)"`, `fill="none" stroke="${1}" stroke-width="${2}"`),
		raised("a colour in capitals", true, `#[0-9a-f]{6};`),
		domaintest.Rewritten("a relative segment", false, `( d="M [-\d.]+,[-\d.]+ )L `, "${1}l "),
		domaintest.Swapped("elements in another order", false, `<rect id="[^<>]*/>`),
	),
}
