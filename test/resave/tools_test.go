package resave_test

// tool is a program that other people made for a format.
type tool struct {
	name    string   // of a function of resave.py or resave.mjs
	node    bool     // it is for Node, otherwise for Python
	domains []string // whose documents it gets
	names   string   // the form of the names of those documents; empty for all
	// reads says that the tool has no writer, or one that writes something else: only what it refuses counts.
	reads bool
	// lenient says why what the tool reads says nothing of form. Only what it writes counts then.
	lenient string
	// skips are documents that the tool cannot read, by title, and why.
	skips map[string]string
	// loses are documents of which the tool writes other content, and what is other. The content verdict has to name it.
	loses map[string]string
	// stricter are damages that the tool reads without complaint and that are broken for us, and why.
	stricter map[string]string
	// looser are damages that the tool refuses and that are not broken for us, and why.
	looser map[string]string
}

// Reasons that several tools share.
const (
	comments  = "it leaves comments out"
	unlike    = "a reader of tables takes rows of any length; in a table with a header such a row has lost or gained a cell"
	ending    = "the standard wants the last line, and this reader can do without"
	readsAll  = "it skips what it does not know"
	formatter = "it does not read what it formats any further than lines and marks"
	operators = "what an expression says is not read, only its brackets and texts"
	meaning   = "the file can be read, and what it says is wrong"
	carries   = "it takes the line as one that is carried on; the format's own tools do not"
	unlike10  = "a sentence that does not begin with its first word, or a row of fewer than ten columns, is not CoNLL-U"
	twice     = "the format forbids the second one; this formatter goes on"
	anchor    = "an alias without its anchor is no YAML; this formatter looks no further than marks"
	times     = "SubRip has a comma, colons and a text; this reader guesses"
)

var rows = map[string]string{"a , lost": unlike, "a ; lost": unlike, "a \" lost": unlike, "cut in the middle": unlike, "the last \" lost": unlike}

var tools = []tool{
	{name: "adif_io", domains: []string{"hamradio"}, lenient: readsAll,
		loses: map[string]string{"hamradio1 na038_2023.adi": "the header's text; it counts characters where the file counts bytes"}},
	{name: "babel", domains: []string{"translation"},
		skips: map[string]string{"translation1 pl.po": "it does not know #~| of obsolete entries"},
		loses: map[string]string{"translation2 fr_FR.po": "it writes the header over"}, stricter: map[string]string{"a \" lost": carries, "the last \" lost": carries}, looser: map[string]string{"a ; lost": meaning}},
	{name: "beancount", domains: []string{"accounting"}, names: `\.beancount$`},
	{name: "bibtexparser", domains: []string{"latex"}, names: `\.bib$`, stricter: map[string]string{"a , lost": "BibTeX stops at the entry; this reader leaves it out"}, looser: map[string]string{"a \" lost": operators, "a = lost": operators, "the last \" lost": operators}},
	{name: "black", domains: []string{"python"}, lenient: "cpython reads the same, and sooner"},
	{name: "chess", domains: []string{"chess"}, lenient: readsAll,
		loses: map[string]string{"chess1 thirlmere_cup_final.pgn": "% lines and comments to the end of a line"}},
	{name: "conllu", domains: []string{"treebank"}, stricter: map[string]string{"a line in the middle lost": unlike10, "cut in the middle": unlike10, "the last line lost": ending}},
	{name: "cpython", domains: []string{"python"}, reads: true, looser: map[string]string{"a = lost": operators, "a > lost": operators, "a } lost": operators}},
	{name: "cpython_configparser", domains: []string{"weaving"}, loses: map[string]string{"weaving1 overshot_runner.wif": comments}, stricter: map[string]string{"a ; lost": carries}},
	{name: "cpython_csv", domains: []string{"spreadsheet", "transit"}, stricter: rows},
	{name: "cpython_email", domains: []string{"emails"}, names: `\.eml$`, stricter: map[string]string{"the first line twice": "RFC 5322 has the header once; this reader keeps both"}},
	{name: "dnspython", domains: []string{"dns"}, looser: map[string]string{"a ; lost": meaning, "a : lost": meaning},
		loses: map[string]string{"dns1 dulasrailway.org.uk.zone": comments, "dns2 zalesie-gorne.edu.pl.db": comments}},
	{name: "dockerfmt", node: true, domains: []string{"docker"}, lenient: formatter, loses: map[string]string{"docker1 Dockerfile": "the blank after >, which the shell command is compared with"}},
	{name: "fonttools", domains: []string{"fonteng"}, looser: map[string]string{"a , lost": operators, "a ; lost": operators, "a = lost": operators, "a > lost": operators}, loses: map[string]string{"fonteng1 holmsund-text.fea": "names of values are written out"}},
	{name: "ged4py", domains: []string{"genealogy"}, reads: true, stricter: map[string]string{"cut in the middle": ending, "the last line lost": ending}},
	{name: "gemmi_cif", domains: []string{"crystal"}, loses: map[string]string{"crystal1 zp2aq.cif": comments}},
	{name: "gemmi_pdb", domains: []string{"protein"}, lenient: readsAll, loses: map[string]string{"protein1 pk7_dimer.pdb": "records that it does not know"}},
	{name: "gpxpy", domains: []string{"geotrack"}, loses: map[string]string{"geotrack1 lairig_ghru.gpx": comments + ", and adds the place of its schema"}},
	{name: "hcl2json", node: true, domains: []string{"infra"}, reads: true, looser: map[string]string{"a = lost": operators, "a ) lost": operators, "the last ) lost": operators, "a : lost": operators, "a > lost": operators, "the first line twice": meaning, "cut in the middle": operators}},
	{name: "icalendar", domains: []string{"calendar"}, loses: map[string]string{"calendar1 peat_workshop_2024.ics": "it makes one resource of two"}},
	{name: "lxml", domains: []string{"geotrack", "landmarks", "libcatalog", "playlist", "robotics", "starcatalog", "vector"}, names: `\.(gpx|kml|xml|xspf|urdf|vot|svg)$`,
		looser: map[string]string{"a : lost": "it reads the file, and cannot write the canonical form with a namespace that is no address"}},
	{name: "m3u8", domains: []string{"playlist"}, names: `\.m3u8?$`, loses: map[string]string{"M3U": "it knows only entries with #EXTINF"}},
	{name: "make", domains: []string{"makefile"}, reads: true, looser: map[string]string{"a : lost": operators, "a ) lost": operators}},
	{name: "mbake", domains: []string{"makefile"}, lenient: formatter, loses: map[string]string{"makefile2 Makefile": "it puts a tab above a call, which makes a recipe of it"}},
	{name: "mdformat", domains: []string{"markdown"}, lenient: "any text is Markdown"},
	{name: "openchemlib", node: true, domains: []string{"molecule"}, lenient: readsAll, loses: map[string]string{
		"molecule1 aroma_standards.sdf": "it scales the places of atoms", "mol": "it scales the places of atoms"}},
	{name: "openqasm3", domains: []string{"quantum"}, loses: map[string]string{"quantum1 steane_cycle.qasm": comments}},
	{name: "papaparse", node: true, domains: []string{"spreadsheet", "transit"}, stricter: rows,
		skips: map[string]string{"single quotes": "it knows double quotes only"}},
	{name: "polib", domains: []string{"translation"}, lenient: readsAll,
		loses: map[string]string{"translation1 pl.po": "what an obsolete entry was translated from"}},
	{name: "prettier", node: true, domains: []string{"geodata", "json", "markdown", "slides"}, names: `\.(geojson|json|ya?ml|md)$`, loses: map[string]string{"slides2 atelier_levain.md": "the sign of emphasis in a quotation, which no slide has"}, stricter: map[string]string{"the first line twice": twice, "cut in the middle": anchor}},
	{name: "pydifact", domains: []string{"edifact"}, stricter: map[string]string{"the last line lost": ending}},
	{name: "pymarc", domains: []string{"libcatalog"}},
	{name: "pysubs2", domains: []string{"subtitles"}, lenient: readsAll, loses: map[string]string{
		"subtitles1 lighthouse_tender.srt": "marks of places", "subtitles2 stellwerk_wf_ut.srt": "marks of places", "WebVTT": "notes, and what stands after the times"}},
	{name: "python_gedcom", domains: []string{"genealogy"}, names: `\.ged$`, skips: map[string]string{"GEDCOM in Latin-1": "it reads UTF-8 only"}, stricter: map[string]string{"cut in the middle": ending, "the last line lost": ending}},
	{name: "python_ly", domains: []string{"musicsheet"}, lenient: formatter},
	{name: "ruamel", domains: []string{"json"}, names: `\.ya?ml$`},
	{name: "sgp4", domains: []string{"satellite"}, lenient: readsAll, loses: map[string]string{"satellite1 watchlist.tle": "it writes a checksum that fits over one that does not"}},
	{name: "sqlglot", domains: []string{"dbschema"}, names: `^[^p]`, lenient: "it reads statements of any dialect loosely", loses: map[string]string{
		"dbschema1 schema.sql": "comments change their places", "dbschema2 lonja_v7.sql": "comments change their places",
		"a dump of MySQL": "comments that MySQL runs", "SQL Server": "GO"}},
	{name: "srt", domains: []string{"subtitles"}, names: `\.srt$`, stricter: map[string]string{"a , lost": times, "a : lost": times, "the last line lost": times}},
	{name: "svgo", node: true, domains: []string{"vector"}, stricter: map[string]string{"the first line twice": twice}},
	{name: "urdf", domains: []string{"robotics"}, loses: map[string]string{"robotics1 kulvert.urdf": comments}},
	{name: "viz", node: true, domains: []string{"graphviz"}, loses: map[string]string{"graphviz1 wastewater_flow.dot": "it adds the box of the drawing"}, looser: map[string]string{"a = lost": operators, "a > lost": operators}},
	{name: "vobject", domains: []string{"calendar"}, loses: map[string]string{"calendar1 peat_workshop_2024.ics": "it cuts a place at its comma"}, stricter: map[string]string{"a = lost": "RFC 5545 has NAME=value; this reader takes a parameter without"}},
	{name: "webvtt", domains: []string{"subtitles"}, names: `\.vtt$`, stricter: map[string]string{"a > lost": readsAll}},
	{name: "xspf", domains: []string{"playlist"}, names: `\.xspf$`,
		skips: map[string]string{"XSPF without a namespace": "it wants the namespace"},
		loses: map[string]string{"playlist1 slow_boat.xspf": comments, "playlist2 letzte_stunde.xspf": "it takes the escapes out of addresses"}},
	{name: "yara_x", domains: []string{"malware"}, looser: map[string]string{"a > lost": operators, "the last ] lost": operators}},
}
