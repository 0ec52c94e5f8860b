package equivalences

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"agentd/domains/domaintest"
)

// statement accepts lines that end in a mark.
func statement(mark string) func(string) bool {
	return func(line string) bool { return strings.HasSuffix(strings.TrimSpace(line), mark) }
}

func always(string) bool { return true }

// codeEquivalences are those of programs, configurations and notations.
var codeEquivalences = map[string][]domaintest.Equivalence{
	"quantum": {trailing, domaintest.WithComment("//", statement(";")), domaintest.AnotherDigit("//")},
	"graphviz": {
		trailing, domaintest.WithComment("//", statement(";")), domaintest.AnotherDigit("//"),
	},
	"fonteng": {
		trailing, domaintest.WithComment("#", statement(";")), domaintest.AnotherDigit("#"),
		domaintest.Rewritten("two lines for one", true, `(\n {4}sub [a-z_]+) by `, "${1}\n        by "),
		domaintest.Rewritten("the long keyword", true, `\bsub ([a-z])`, "substitute ${1}"),
		domaintest.Rewritten("a comment at a line's end", true, `;\n`, "; # seen\n"),
		domaintest.Swapped("rules in another order", false, `\n    sub [a-z_]+ by [a-z_.]+;`),
	},
	"satellite": {
		domaintest.WithComment("#", func(line string) bool { return strings.HasPrefix(line, "1 ") }), domaintest.AnotherDigit("#"),
		returns,
	},
	"circuit": {
		trailing, domaintest.Lines("lower case", true, always, func(_ *rapid.T, line string) string { return strings.ToLower(line) }),
		domaintest.AnotherDigit("*"),
		domaintest.Rewritten("a line continued", true, `(\n[RC]\w+ \w+ \w+) (\w+\n)`, "${1}\n+ ${2}"),
		domaintest.Rewritten("another scale", false, `(\n[RC]\w+ \w+ \w+ \d+)[kK]\n`, "${1}m\n"),
		domaintest.Rewritten("nodes the other way", false, `(\n[RCL]\w+) (\w+) (\w+) `, "${1} ${3} ${2} "),
	},
	"audiosyn": {
		trailing,
		domaintest.Rewritten("an idle zero", true, `(\ni *\d+ +\d+\.\d+) `, "${1}0 "),
		domaintest.Rewritten("more blanks", true, `(\ni *\d+) +`, "${1}     "),
		anotherDigit(`\ni *\d+ +(\d[\d.]*)`),
	},
	"chess": {
		trailing,
		domaintest.Rewritten("zeros for castling", true, `O-O `, "0-0 "),
		domaintest.Rewritten("a line divided", true, `(\d\. [A-Za-z]\w+) `, "${1}\n"),
		domaintest.Rewritten("another piece", false, `\. N([a-h]\d)`, ". B${1}"),
		domaintest.Rewritten("another result", false, `\[Result "1-0"\]`, `[Result "0-1"]`),
	},
	"dbschema": {
		trailing,
		lowered("a keyword in small letters", true, `\bNOT NULL\b`),
		domaintest.Rewritten("a name without quotes", true, "\n  `([a-z_]+_id)`", "\n  ${1}"),
		domaintest.Rewritten("more blanks", true, " (NOT NULL|DEFAULT)", "   ${1}"),
		domaintest.Rewritten("NULL allowed", false, ` NOT NULL DEFAULT`, " DEFAULT"),
		domaintest.Rewritten("a sign allowed", false, ` unsigned`, ""),
		anotherDigit("\n  `\\w+` \\w+\\((\\d+)\\)"),
	},
	"dns": {
		trailing,
		lowered("a type in small letters", true, `\bMX\b`),
		domaintest.Rewritten("more blanks", true, `\tIN\t`, "  IN    "),
		domaintest.Rewritten("a time in seconds", true, `\t1d\t`, "\t86400\t"),
		domaintest.Rewritten("no class", true, `\tIN\tA\t`, "\tA\t"),
		domaintest.Rewritten("a final dot lost", false, `(\tCNAME\t\S+)\.\n`, "${1}\n"),
		anotherDigit(`\tA\t([\d.]+)`),
	},
	"docker": {
		domaintest.Rewritten("blanks at a line's end", true, `(\n(?:FROM|COPY|WORKDIR) [^\n\\]*)\n`, "${1}   \n"),
		lowered("a keyword in small letters", true, `\n(?:RUN|COPY|WORKDIR|ENV)\b`),
		domaintest.Rewritten("a blank line more", true, `\n(RUN|COPY|WORKDIR) `, "\n\n${1} "),
		domaintest.Rewritten("blanks after a keyword", true, `\n(RUN|COPY|WORKDIR) `, "\n${1}    "),
		domaintest.Rewritten("and for or", false, ` && `, " || "),
		domaintest.Rewritten("another stage", false, `--from=`, "--from=x"),
	},
	"infra": {
		trailing,
		domaintest.WithComment("#", func(line string) bool { return strings.HasPrefix(line, "resource ") }),
		domaintest.Rewritten("other blanks before a sign", true, `\n(  [a-z_]+) += `, "\n${1}      = "),
		domaintest.Rewritten("a text in another form", true, `"([a-z]+)"\n`, "(\"${1}\")\n"),
		domaintest.Rewritten("not equal", false, ` == `, " != "),
		domaintest.AnotherDigit("#"),
	},
	"json": {
		domaintest.Rewritten("blanks around a colon", true, `": `, `"  :   `),
		domaintest.Rewritten("on one line", true, `,\n +`, ", "),
		domaintest.Match("a letter by its number", true, `: "([A-Z])`, func(_ *rapid.T, groups []string) string {
			return fmt.Sprintf(`: "\u%04x`, groups[1][0])
		}),
		domaintest.Rewritten("an escaped slash", true, `(https?:)//`, `${1}\/\/`),
		domaintest.Rewritten("a number with a fraction", true, `: (\d+),`, ": ${1}.0,"),
		domaintest.Rewritten("a number as text", false, `: (\d+),`, `: "${1}",`),
		domaintest.Rewritten("a truth as text", false, `: true`, `: "true"`),
		domaintest.Rewritten("null for nothing", false, `: ""`, `: null`),
		domaintest.AnotherDigit("//"),
	},
	"makefile": {
		domaintest.WithComment("#", func(line string) bool { return strings.Contains(line, ":=") }),
		domaintest.Rewritten("other blanks before a sign", true, `\n([A-Z]+) *:= *`, "\n${1}:=   "),
		domaintest.Rewritten("assigned when used", false, `:=`, "="),
		domaintest.Rewritten("a tab lost", false, `(\n[a-z$][^\n=]*:[^\n=]*)\n\t`, "${1}\n        "),
		anotherDigit(`\n[A-Z]+ *:= .*?([1-9])`),
	},
	"malware": {
		trailing,
		domaintest.WithComment("//", func(line string) bool { return strings.Contains(line, "strings:") }),
		domaintest.Rewritten("indentation", true, `\n\s+(score|author) =`, "\n  ${1} ="),
		domaintest.Rewritten("a modifier lost", false, ` nocase`, ""),
		domaintest.Rewritten("or for and", false, ` and `, " or "),
		anotherDigit(`score = (\d+)`),
	},
	"mathlean": {
		trailing,
		domaintest.WithComment("--", func(line string) bool { return strings.HasPrefix(line, "theorem ") }),
		domaintest.Rewritten("an arrow in ASCII", true, `→`, "->"),
		domaintest.Rewritten("another relation", false, ` < `, " ≤ "),
		domaintest.Rewritten("another tactic", false, `\n( +)ring\n`, "\n${1}omega\n"),
	},
	"musicsheet": {
		trailing,
		domaintest.WithComment("%", func(line string) bool { return strings.Contains(line, " |") }),
		domaintest.Rewritten("a bar check lost", true, ` \|\n`, "\n"),
		domaintest.Rewritten("more blanks", true, ` \| `, "   |   "),
		domaintest.Rewritten("a duration written", true, `(\n  [a-g]4) ([a-g]) `, "${1} ${2}4 "),
		domaintest.Rewritten("another duration", false, `\b([a-g])4 `, "${1}8 "),
		domaintest.Rewritten("an octave up", false, `\b([a-g])4 `, "${1}'4 "),
		domaintest.Rewritten("a slur lost", false, `\(`, ""),
	},
	"obj3d": {
		trailing,
		domaintest.Rewritten("an idle zero", true, `(\nv \S+ \S+ \d+\.\d+)`, "${1}00"),
		domaintest.Rewritten("more blanks", true, `\nf (\d+) `, "\nf   ${1}   "),
		domaintest.Rewritten("a face from another corner", true, `\nf (\S+) (\S+) (\S+) (\S+)\n`, "\nf ${2} ${3} ${4} ${1}\n"),
		domaintest.Rewritten("a weight of one", true, `(\nv \S+ \S+ \S+)\n`, "${1} 1.0\n"),
		domaintest.Rewritten("a face turned over", false, `\nf (\S+) (\S+) (\S+) (\S+)\n`, "\nf ${4} ${3} ${2} ${1}\n"),
		domaintest.Rewritten("another group", false, `\ng (\w+)`, "\ng ${1}x"),
		anotherDigit(`\nv ([-\d. ]*[1-9][-\d. ]*)`),
	},
	"python": {
		trailing,
		domaintest.Rewritten("single quotes", true, `"([A-Za-z ]+)"([,)\]:])`, "'${1}'${2}"),
		domaintest.Rewritten("a blank line more", true, `\n\n`, "\n\n\n"),
		domaintest.Rewritten("blanks around a sign", true, ` = (\w)`, "  =  ${1}"),
		domaintest.Rewritten("parentheses on lines of their own", true, `\(([a-z]+)\)\n`, "(\n        ${1}\n    )\n"),
		domaintest.Rewritten("a number in another notation", true, ` = (\d+)\.0\b`, " = ${1}.00"),
		domaintest.Rewritten("a backslash", true, ` = ([a-z]+) `, " = \\\n        ${1} "),
		domaintest.Rewritten("less or equal", false, ` < `, " <= "),
		domaintest.Rewritten("not", false, `\n( +)if `, "\n${1}if not "),
		domaintest.Rewritten("indented further", false, `(\n {4}[a-z]\w* = [^\n({\[]*(?:\([^\n]*\))?)\n {4}return `, "${1}\n        return "),
		domaintest.AnotherDigit("#"),
	},
}
