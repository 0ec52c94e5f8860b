package catalog

import (
	"path"
	"slices"
	"strings"
	"sync"

	"agentd/domains"
	"agentd/internal/lazyregexp"
	"agentd/vfs"
)

// signs are what documents of a domain are known by, in addition to the names of domains.Info and to its reader.
type signs struct {
	// also are names that files of the format have, too, and that the published reader does not know. Such a
	// file is read under a name that it does.
	also []string
	// marks are words that nearly every document of the format has and few other texts.
	marks *lazyregexp.Regexp
	// hints are words that many documents of the format have, and other texts, too. They count half, and only in
	// files with a name of the domain.
	hints *lazyregexp.Regexp
	// forms says that files of the format's extensions are written in different forms.
	forms bool
	// carrier says that documents of other formats are written in this one, as GeoJSON is in JSON. Its marks
	// count half.
	carrier bool
	// dialects are the forms of the format that the domain reads, where there are several.
	dialects string
}

// root marks XML documents whose first element has one of the names, under any prefix.
func root(names string) *lazyregexp.Regexp {
	return lazyregexp.New(`(?is)\A[^<]*(?:<\?.*?\?>\s*|<!--.*?-->\s*|<!DOCTYPE[^>]*>\s*)*<(?:[\w-]+:)?(?:` + names + `)[\s>/]`)
}

// markdownMarks fit texts with a heading, which stands apart, and below it something else of Markdown: a script has comments
// that look like headings.
func markdownMarks() *lazyregexp.Regexp {
	const (
		heading = `#{1,6} +[^\n]+\n[ \t]*\n`
		link    = `\]\((?:https?:|mailto:|\.{0,2}/|#|[\w./-]+\.\w+\))`
		fence   = "^ {0,3}(?:```|~~~)"
		other   = `\*\*\pL[^*\n]*\*\*|^\|[-: |]+\|\s*$|^[-*] +[\pL\[*` + "`" + `]`
	)
	return lazyregexp.New(`(?ms)\A\x{FEFF}?(?:` + heading + `.*?(?:` + link + `|` + fence + `|` + other + `)` +
		`|[^#].*?\n[ \t]*\n` + heading + `.*?(?:` + link + `|` + fence + `|` + other + `)` +
		`|[^\n]{2,80}\n={3,}\s*\n.*?(?:` + link + `|` + fence + `))`)
}

// signsOf returns the signs of a domain.
func signsOf(name string) signs { return allSigns()[name] }

// allSigns are the signs by the names of domains.
var allSigns = sync.OnceValue(func() map[string]signs {
	marks := lazyregexp.New
	return map[string]signs{
		"accounting": {
			also:     []string{"*.journal", "*.hledger", "*.beancount", "*.bean", "*.ldg"},
			marks:    marks(`(?m)^\d{4}[-/.]\d\d?[-/.]\d\d?(?:=\S+)?[ \t][^\n]*\n[ \t]+\S|^\d{4}-\d\d-\d\d[ \t]+(?:open|close|commodity|balance|pad|price|note|document|event|query|custom)[ \t]+\S`),
			dialects: "Ledger; hledger; Beancount, line by line",
		},
		"audiosyn": {marks: marks(`(?i)<CsoundSynthesi[sz]er>|(?m)^\s*instr\s+\S+`)},
		"aviation": {marks: marks(`(?m)^\(?[A-Z]\d{4}/\d\d NOTAM[NRC]|^Q\) ?[A-Z]{4}/|^!\w{3,4} \d\d/\d{3}`)},
		"calendar": {
			also:     []string{"*.ical", "*.icalendar", "*.ifb"},
			marks:    marks(`(?im)^BEGIN:V(CALENDAR|EVENT|TODO|JOURNAL|FREEBUSY|TIMEZONE|AVAILABILITY)\b`),
			dialects: "events, to-dos, journals, alarms and free times of RFC 5545",
		},
		"chess": {marks: marks(`(?m)^\[(Event|Site|White|Black|Result|FEN) "`)},
		"circuit": {
			also:     []string{"*.sp", "*.spice", "*.spi", "*.ckt", "*.cki", "*.subckt"},
			marks:    marks(`(?im)^\.(end|ends|subckt|model|tran|ac|dc|op|include|inc|param)\b`),
			dialects: "SPICE 3, ngspice",
		},
		"crystal": {
			also: []string{"*.mcif", "*.mmcif"}, marks: marks(`(?ims)^data_\S+.*?^\s*(loop_|_[a-z])`), dialects: "CIF 1.1; mmCIF",
		},
		"dbschema": {
			also: []string{"*.ddl", "*.psql", "*.pgsql", "*.mysql"},
			// A query alone is known without its semicolon by clauses that begin lines, in capitals: prose has these words, too.
			marks: marks(`(?im)(?-i:\A\s*SELECT\s[^;]*\n\s*FROM\s[^;]*\n\s*(?:WHERE|GROUP\s+BY|ORDER\s+BY|HAVING|(?:LEFT|RIGHT|FULL|INNER|CROSS)\s+(?:OUTER\s+)?JOIN|JOIN)\s)|` +
				`^\s*(?:(?:CREATE(?:\s+OR\s+REPLACE)?|ALTER|DROP)\s+(?:(?:TEMP|TEMPORARY|UNLOGGED|GLOBAL|VIRTUAL|EXTERNAL|UNIQUE|MATERIALIZED|DEFINER\S*)\s+)*` +
				`(?:TABLE|VIEW|INDEX|FUNCTION|PROCEDURE|TRIGGER|TYPE|SCHEMA|SEQUENCE|DATABASE|EXTENSION|DOMAIN|ROLE|POLICY)\s+["\x60\[\w/]|INSERT\s+INTO\s+\S+\s*(?:\(|VALUES|SELECT)|` +
				`COPY\s+\S+[^\n]*\bFROM\s+stdin|WITH\s+(?:RECURSIVE\s+)?\w+\s*(?:\([^)]*\)\s*)?AS\s*\(|SELECT\s[^;]*\sFROM\s[^;]*;|UPDATE\s+\S+\s+SET\s|DELETE\s+FROM\s)`),
			dialects: "SQL of PostgreSQL (dollar quotes, COPY), MySQL (DELIMITER), SQLite, SQL Server (GO, names in brackets)",
		},
		"dns": {
			also:     []string{"db.*", "*.dns", "*.hosts"},
			marks:    marks(`(?im)\bIN\s+(SOA|NS|A|AAAA|MX|CNAME|TXT|PTR|SRV)\s|^\$(ORIGIN|TTL|GENERATE|INCLUDE)\s`),
			dialects: "RFC 1035; $TTL, $GENERATE and relative or absolute names, as BIND reads them",
		},
		"docker": {
			also: []string{"*Containerfile*"}, marks: marks(`(?ims)^FROM\s+[^\n]*?$.*?^(RUN|COPY|CMD|ENTRYPOINT|WORKDIR|ENV|ADD|EXPOSE|USER|LABEL)\s`),
		},
		"earncall": {hints: marks(`(?im)^\W*Operator\b|^[^\n]{0,100}\b(earnings|results)( conference)? call`)},
		"edifact":  {marks: marks(`(?m)^\s*(UNA[^\n]{6}|UNB\+|UNH\+)`)},
		"emails": {
			also:     []string{"*.mbox", "*.mbx", "*.email"},
			marks:    marks(`(?ims)\A\s*(From [^\n]*\n|[\w-]+:[^\n]*\n([ \t][^\n]*\n)*)+?(From|To|Subject|Date|Message-ID):`),
			dialects: "RFC 5322 messages, one or a thread; mbox",
		},
		"filesystem": {marks: marks(`(?m)^(100644|100755|040000|120000|160000)\s|^[│ ]*[├└]──|^[-dl][rwx-]{9}\s`)},
		"fonteng":    {marks: marks(`(?m)^\s*(languagesystem\s+\w+\s+\w+\s*;|feature\s+\w{1,4}\s*\{|lookup\s+\w+\s*(useExtension\s*)?\{|table\s+(name|head|hhea|vhea|vmtx|[A-Z]{3}[A-Z/2]?)\s*\{)`)},
		"foodmenu":   {hints: marks(`(?m)\S[ .·…_-]{2,}[$€£¥]? ?\d{1,3}[.,]\d\d\b`)},
		"genealogy":  {also: []string{"*.gedcom"}, marks: marks(`(?m)\A\s*\x{FEFF}?0 HEAD\b`), dialects: "GEDCOM 5.5, 5.5.1, 7; in UTF-8, UTF-16, ANSEL, Latin-1, Windows, DOS"},
		"geodata":    {marks: marks(`"type"\s*:\s*"(Feature|FeatureCollection)"`)},
		"geotrack":   {marks: root("gpx")},
		"graphviz":   {marks: marks(`(?mi)^\s*(strict\s+)?(di)?graph\b[^\n{;=]*\s*\{`)},
		"hamradio":   {marks: marks(`(?i)<eor>|<eoh>`)},
		"infra": {
			also:     []string{"*.tfvars", "*.hcl", "*.tofu"},
			marks:    marks(`(?m)^\s*((resource|data)\s+"[^"\n]+"\s+"[^"\n]+"|(variable|provider|module|output)\s+"[^"\n]+"|terraform|locals)\s*\{`),
			dialects: "Terraform and OpenTofu: configurations; values of variables",
		},
		"jobboard": {hints: marks(`(?im)^\[?(JOB|REQ|POST)[-# ]?\d+|^\W*(Salary|Company|Employer|Skills):`)},
		"json": {
			also:  []string{"*.ipynb", "*.webmanifest", "*.har", "*.jsonc", "*.json5", "*.avsc", "*.topojson", "*.jsonld", "*.code-workspace"},
			marks: marks(`\A[\s\x{FEFF}]*(\{\s*("[^"\n]*"\s*:|\})|\[\s*["{\[\d\]])|\A(?:\s*|#[^\n]*\n|%YAML[^\n]*\n|---[^\n]*\n)*["\w.-]+:(?: [^\n]*)?\n(?:(?:[ \t#-][^\n]*)?\n)*["\w.-]+:(?: |\n)|\A(?:\s*|#[^\n]*\n|---[^\n]*\n)*["\w.-]+:[ \t]*\n(?:[ \t]*(?:#[^\n]*)?\n)* +["\w.-]+:(?: [^\n]*)?\n(?:[ \t]*(?:#[^\n]*)?\n)* +(?:- |["\w.-]+:(?: |\n))`), carrier: true,
			dialects: "JSON; YAML 1.2, several documents, anchors, the key `on`",
		},
		"landmarks": {marks: root("kml"), dialects: "KML 2.0 to 2.3, with and without a namespace; GeoJSON of placemarks"},
		"latex": {
			forms: true,
			also:  []string{"*.ltx", "*.latex", "*.bibtex", "*.sty", "*.cls"},
			marks: marks(`(?mi)^[^%\n]*\\(documentclass|begin\{document\}|chapter\{|section\*?\{|textit\{|textbf\{|emph\{|cite[tp]?\{)|^@(article|book|inproceedings|misc|techreport|phdthesis|online|incollection|string)\s*[{(]`),
		},
		"libcatalog": {also: []string{"*.marcxml", "*.mrcx"}, marks: marks(`<(?:[\w-]+:)?(?:leader|datafield|controlfield)[\s>]`)},
		"makefile":   {marks: marks(`(?m)^[\w./%$(){}-][\w./%$(){} -]*:[^=\n]*\n(#[^\n]*\n)*\t\S|^\.PHONY\s*:`)},
		"malware":    {marks: marks(`(?ms)^\s*((private|global)\s+)*rule\s+\w+[^\n{]*\s*\{.*?\bcondition\s*:`)},
		"markdown": {
			also: []string{"*.mdown", "*.mkd", "*.mdx", "*.qmd", "*.rmd"}, marks: markdownMarks(), hints: marks("(?m)^#{1,6} \\S|^\\s*[-*+] \\S|^```|\\]\\("),
		},
		"mathlean": {marks: marks(`(?m)^import (Mathlib|Lean|Batteries|Std|Init|Aesop)\b|^\s*(@\[[^\n]*\]\s*)?(theorem|lemma)\s+\S+`)},
		"molecule": {
			also: []string{"*.mol", "*.sd", "*.mdl"}, marks: marks(`(?m)^M  END\s*$|V[23]000\s*$`),
			dialects: "SD files and single mol files, V2000 and V3000",
		},
		"musicsheet": {
			also: []string{"*.ily", "*.lyi"}, marks: marks(`\\(version\s+"|relative\b|score\s*\{|new\s+(Piano)?Staff)`),
			dialects: `note names of any language, by \language or by \include "italiano.ly" and the like`,
		},
		"obj3d": {forms: true, marks: marks(`(?m)^v\s+-?[\d.]+(?:e[-+]?\d+)?\s+-?[\d.]+\S*\s+-?[\d.]+|^newmtl\s`)},
		"playlist": {
			also:  []string{"*.m3u", "*.m3u8"},
			marks: lazyregexp.New(root("playlist").String() + `|\A\s*\x{FEFF}?#EXTM3U|(?m)^#EXTINF:`), dialects: "XSPF, with and without its namespace; M3U and extended M3U",
		},
		"protein": {also: []string{"*.ent"}, marks: marks(`(?m)^(ATOM  |HETATM)[^\n]{48}`)},
		"python": {
			also:  []string{"*.pyw", "*.pyi"},
			marks: marks(`\A#![^\n]*python|(?m)^(from\s+[\w.]+\s+import\s|import\s+[\w.]+(\s+as\s+\w+)?(,\s*[\w.]+)*\s*$|(async\s+)?def\s+\w+\(|class\s+\w+[^\n]*:\s*$)`),
		},
		"quantum":   {also: []string{"*.qasm3"}, marks: marks(`(?m)^\s*OPENQASM\b`)},
		"recipe":    {hints: marks(`(?im)^\W*(ingredients?|ingredient \d+|method|directions|preparation|step \d+)\b`)},
		"robotics":  {also: []string{"*.xacro"}, marks: root("robot")},
		"satellite": {also: []string{"*.3le"}, marks: marks(`(?m)^1 [\dA-Z ]{4}\d[A-Z ] [^\n]*\n\s*2 [\dA-Z ]{4}\d `)},
		"screenplay": {
			also: []string{"*.fountain", "*.spmd"},
			// Two headings of scenes, as Fountain has them.
			marks:    marks(`(?ms)^\.?(?:INT|EXT|EST|INT\.?/EXT|I/E)[. ]+\pL[^\n]*\n.*^\.?(?:INT|EXT|EST|INT\.?/EXT|I/E)[. ]+\pL`),
			hints:    marks(`(?m)^(\.?INT|EXT|EST|INT\./EXT|I/E)[. ]|^#* ?(CHARACTERS|CAST|SCENE)\b|^[A-Z][A-Z' .]+:\s+\S`),
			dialects: "plays with a name and a colon; Fountain",
		},
		"slides": {also: []string{"*.marp"}, marks: marks(`(?m)^(?:marp: true|format: revealjs|total_slides:)|(?:^-{2,3}[ \t]*\n\s*#{1,3} (?s:.*?)){3}`)},
		"spreadsheet": {
			also:    []string{"*.tsv", "*.tab", "*.psv"},
			marks:   marks(`\A\x{FEFF}?(?:(?:[^\n,]*,[^\n]*\n){3}|(?:[^\n;]*;[^\n]*\n){3}|(?:[^\n\t]*\t[^\n]*\n){3})`),
			carrier: true, dialects: "values separated by commas, semicolons, tabs or bars, in double or single quotes",
		},
		"starcatalog": {also: []string{"*.votable"}, marks: root("VOTABLE"), dialects: "VOTable 1.0 to 1.5, as TABLEDATA"},
		"subtitles":   {also: []string{"*.vtt", "*.webvtt"}, marks: marks(`(?m)\d{1,2}:\d\d[.,:]\d\d\S* *--> *\d`), dialects: "SubRip; WebVTT"},
		"transit":     {marks: marks(`\A\x{FEFF}?[\w", ]*\b(agency_name|stop_id|route_id|trip_id|service_id|shape_id|fare_id|feed_publisher_name|table_name)\b`)},
		"translation": {marks: marks(`(?m)^msgid\s+"`)},
		"treebank":    {also: []string{"*.conll", "*.conllx", "*.conllup"}, marks: marks(`(?m)^\d+\t[^\t\n]+\t[^\t\n]*\t[\w_]+\t[^\t\n]*\t`)},
		"vector":      {marks: root("svg")},
		"weather":     {marks: marks(`(?m)^\s*(METAR|SPECI|TAF)\b|^[A-Z]{4} \d{6}Z `)},
		"text": {
			also: companions,
		},
		"weaving": {marks: marks(`(?im)^\[(WIF|WEAVING|THREADING|TREADLING|TIEUP)\]`)},
	}
})

// common are names that files of many formats have. Of such a file the content decides.
var common = append([]string{"*.txt", "*.text", "*.log", "*.dat", "*.db", "*.xml", "*.json"}, companions...)

// companions are texts that packages of programs come with.
var companions = []string{
	"README", "LICENSE", "LICENCE", "COPYING", "AUTHORS", "CONTRIBUTORS", "NEWS", "THANKS", "TODO", "INSTALL", "CHANGES", "CHANGELOG", "NOTICE", "HISTORY",
}

// fits reports whether a name, in any letter case, is one of the patterns.
func fits(patterns []string, name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(patterns, func(pattern string) bool { return vfs.Matches(strings.ToLower(pattern), name) })
}

// letters is a class of letters in a pattern, as in [mM].
var letters = lazyregexp.New(`\[(.)[^\]]*\]`)

// nameFor is a file's name, or the name under which a domain knows the file: with an extension that it knows, or
// the whole name if it goes by whole names. Of several extensions it is the first with which the domain reads the content: a
// bibliography is read as .bib, and no paper.
func nameFor(d domains.Domain, name, content string) string {
	patterns := d.Info().Patterns
	for _, pattern := range patterns {
		if vfs.Matches(pattern, name) {
			return name
		}
	}
	extension := path.Ext(name)
	if lower := strings.TrimSuffix(name, extension) + strings.ToLower(extension); slices.ContainsFunc(patterns, func(p string) bool { return vfs.Matches(p, lower) }) {
		return lower
	}
	first := letters.ReplaceAllString(patterns[0], "$1")
	if path.Ext(first) == "" {
		return path.Join(path.Dir(name), strings.ReplaceAll(first, "*", ""))
	}
	if signsOf(d.Info().Name).forms {
		for _, pattern := range patterns {
			as := strings.TrimSuffix(name, extension) + path.Ext(pattern)
			if files := (vfs.Files{as: content}); own(d).CheckReference(files) == nil && placed(d, files) >= leastPlaced {
				return as
			}
		}
	}
	return strings.TrimSuffix(name, extension) + path.Ext(first)
}
