package equivalences

import "agentd/domains/domaintest"

// furtherEquivalences are those added to the others of their domains.
var furtherEquivalences = map[string][]domaintest.Equivalence{
	"accounting": {
		domaintest.Everywhere("a code for the currency", true, `\$(-?)([\d,]+\.\d\d)`, "${1}${2} USD"),
		domaintest.Rewritten("another currency", false, `\$(-?)([\d,]+\.\d\d)`, "${1}${2} CAD"),
	},
	"audiosyn": {
		domaintest.Rewritten("a tab for blanks", true, `(\ni *\d+) +`, "${1}\t"),
		domaintest.Rewritten("another instrument", false, `\ni *1 `, "\ni2 "),
	},
	"aviation": {
		domaintest.Rewritten("a blank line more", true, `\n\n`, "\n\n\n"),
		domaintest.Rewritten("no longer estimated", false, ` EST\n`, "\n"),
		domaintest.Rewritten("replaced for new", false, ` NOTAMN\n`, " NOTAMC\n"),
	},
	"calendar": {
		domaintest.Swapped("events in another order", true, `BEGIN:VEVENT\n(?:[^E][^\n]*\n|E[^N][^\n]*\n)*END:VEVENT\n`),
		domaintest.Rewritten("another status", false, `\nSTATUS:CONFIRMED`, "\nSTATUS:TENTATIVE"),
		domaintest.Rewritten("another zone", false, `\nDTSTART;TZID=Europe/Tallinn`, "\nDTSTART;TZID=Europe/Vilnius"),
	},
	"chess": {
		domaintest.Rewritten("a blank line more below the tags", false, `\]\n\n`, "]\n\n\n"),
		domaintest.Rewritten("no blank after a number", true, ` (\d+)\. ([A-Z])`, " ${1}.${2}"),
		anotherLetter("another name", `\[White "(\w+)`),
		domaintest.Rewritten("no sign of check", true, `([a-h][1-8])\+`, "${1}"),
	},
	"earncall": {
		domaintest.Rewritten("a code for the currency", true, `\$(\d+(?:\.\d+)?) million\b`, "${1} million USD"),
		domaintest.Rewritten("another currency", false, `\$(\d+(?:\.\d+)?) million\b`, "${1} million CAD"),
	},
	"edifact": {
		returns,
		domaintest.Rewritten("an idle zero", true, `(\nQTY\+\d+:\d+)'`, "${1}.0'"),
		domaintest.Rewritten("two segments exchanged", false, `(\nLIN\+[^\n]*)(\n[A-Z]{3}\+[^\n]*)`, "${2}${1}"),
		domaintest.Rewritten("a segment lost", false, `\nDTM\+[^\n]*`, ""),
		domaintest.Rewritten("a component lost", false, `(\nDTM\+\d+:\d+):\d+'`, "${1}'"),
	},
	"emails": {
		domaintest.Rewritten("a line of hyphens in a text", false, `([a-z],?\n)([a-z])`, "${1}----------------------------------------------------------------\n${2}"),
	},
	"geodata": {
		returns,
		domaintest.Rewritten("a letter by its number", true, `"name": "C`, `"name": "\u0043`),
		domaintest.Rewritten("an exponent", true, `\[(-?\d+\.\d+), `, "[${1}e0, "),
		domaintest.Rewritten("another place", false, `\[(-?\d+\.\d+), (\d+)\.`, "[-${1}, ${2}."),
	},
	"graphviz": {
		domaintest.Rewritten("no blank around an arrow", true, `(\w) -> (\w)`, "${1}->${2}"),
		domaintest.Rewritten("quotes around a name", true, `\b(\w+) -> `, `"${1}" -> `),
		domaintest.Rewritten("no semicolon", true, `\];\n`, "]\n"),
		domaintest.Rewritten("a comma more", true, `=(\w+)\];`, "=${1},];"),
		domaintest.Rewritten("an edge turned", false, `\n( +)(\w+) -> (\w+)( \[|;)`, "\n${1}${3} -> ${2}${4}"),
		anotherLetter("another label", `label="([^"\\]*)"`),
	},
	"hamradio": {
		domaintest.Rewritten("a type in a tag", true, `<CALL:(\d+)>`, "<CALL:${1}:S>"),
		domaintest.Rewritten("seconds that are zero", true, `<TIME_ON:4>(\d{4})`, "<TIME_ON:6>${1}00"),
		lowered("a band in small letters", true, `<BAND:3>\d\dM`),
		domaintest.Rewritten("another report", false, `<RST_SENT:2>59`, "<RST_SENT:2>57"),
		domaintest.Rewritten("a field lost", false, `<GRIDSQUARE:4>\w{4}`, ""),
	},
	"makefile": {
		domaintest.Rewritten("round brackets for curly ones", true, `\$\((\w+)\)`, "$${${1}}"),
		domaintest.Rewritten("a blank line more", true, `\n\n`, "\n\n\n"),
		domaintest.Rewritten("set for good", false, `\?= `, ":= "),
		domaintest.Rewritten("silent no more", false, `\n\t@`, "\n\t"),
	},
	"malware": {
		domaintest.Rewritten("a condition wrapped", true, `(\n        [^"\n]*[^"\n ]) and `, "${1}\n        and "),
		domaintest.Rewritten("a score in quotes", true, `score = (\d+)`, `score = "${1}"`),
		domaintest.Rewritten("a private rule made public", false, `\nprivate rule`, "\nrule"),
		domaintest.Rewritten("hexadecimal in small letters", true, `\{ 01 14 02 00 00 00 00 00 C0`, "{ 01 14 02 00 00 00 00 00 c0"),
		domaintest.Rewritten("more strings asked for", false, `\bany of\b`, "all of"),
	},
	"mathlean": {
		domaintest.Rewritten("a blank line more", true, `\n\n(theorem|lemma)`, "\n\n\n${1}"),
		domaintest.Rewritten("lemma for theorem", true, `\ntheorem `, "\nlemma "),
		domaintest.Rewritten("a variable of another name where it is bound", false, `\nlemma (\w+) \(n : ℕ\) : (0 < \w) n`, "\nlemma ${1} (k : ℕ) : ${2} n"),
		anotherDigit(`\n(?:theorem|lemma) [^\n]*\d [^\n]*?(\d)`),
	},
	"protein": {
		domaintest.Rewritten("a blank line more", true, `\nATOM`, "\n\nATOM"),
		domaintest.Rewritten("another chain", false, `(\nATOM  .{15})A`, "${1}C"),
		domaintest.Rewritten("a bond lost", false, `\nCONECT[^\n]*`, ""),
	},
	"quantum": {
		domaintest.Rewritten("more blanks", true, `(\w), (\w)`, "${1},   ${2}"),
		domaintest.Rewritten("a line divided", true, `(\n *[a-z]+ \w[^;/\n]*), (\w)`, "${1},\n    ${2}"),
		domaintest.Rewritten("another gate", false, `\n( *)h (\w)`, "\n${1}x ${2}"),
		domaintest.Rewritten("an angle of another sign", false, `\(pi`, "(-pi"),
	},
	"satellite": {
		trailing,
		domaintest.Rewritten("another name", false, `\nISS \(ZARYA\)`, "\nISS (NAUKA)"),
		domaintest.Rewritten("drag of another sign", false, ` (\d{5}[-+]\d) 0 `, "-${1} 0 "),
	},
	"starcatalog": {
		domaintest.Rewritten("a row lost", false, `\n *<TR>(?:<TD>[^<]*</TD>|<TD/>)+</TR>`, ""),
	},
	"translation": {
		returns,
		domaintest.Rewritten("references on lines of their own", true, `\n#: (\S+) (\S+)\n`, "\n#: ${1}\n#: ${2}\n"),
		domaintest.Rewritten("references carried on", true, `\n#: (\S+) (\S+)\n`, "\n#: ${1} \\\n${2}\n"),
		domaintest.Rewritten("another context", false, `\nmsgctxt "`, "\nmsgctxt \"x"),
		domaintest.Rewritten("a placeholder lost", false, `(\nmsgstr "[^"\n]*)%[ds]`, "${1}"),
	},
	"treebank": {
		domaintest.Rewritten("blank lines", true, `\n\n`, "\n\n\n"),
		domaintest.Rewritten("another head", false, `(\n\d+\t(?:[^\t]+\t){5})2\t`, "${1}3\t"),
		domaintest.Rewritten("a feature lost", false, `\tCase=Nom\|`, "\t"),
		domaintest.Rewritten("a word's form in capitals", false, `(\n\d+\t)the\t`, "${1}The\t"),
	},
	"vector": {
		domaintest.Rewritten("another fill", false, `fill:#f`, "fill:#e"),
	},
	"weather": {
		domaintest.Rewritten("another station", false, `\nMETAR PANC`, "\nMETAR PADK"),
		domaintest.Rewritten("a layer lost", false, ` (?:BKN|OVC)\d{3} `, " "),
		domaintest.Rewritten("temperatures exchanged", false, ` (M?\d\d)/(M\d\d) `, " ${2}/${1} "),
	},
	"weaving": {
		trailing,
		domaintest.Rewritten("blanks around a sign", true, `\n(Units|Thickness|Entries)=`, "\n${1} = "),
		domaintest.Rewritten("another shaft", false, `(?s)(\[THREADING\]\n1=)1`, "${1}2"),
	},
}
