package catalog

import "strings"

// Dialects are the forms of a domain's format.
type Dialects struct {
	Read    string // those that the domain reads
	Unread  string // those that it does not; empty where none is known
	Resaved string // the tools of other people that read and write its documents in test/resave
}

// DialectsOf returns what a domain reads of its format, by the domain's name.
func DialectsOf(name string) Dialects {
	return Dialects{Read: signsOf(name).dialects, Unread: unread[name], Resaved: strings.Join(resavers[name], ", ")}
}

// unread are forms of formats that documents have and the domains do not read.
var unread = map[string]string{
	"accounting": "includes of other files; Beancount's plugins", "circuit": "Spectre and HSPICE's own statements", "crystal": "CIF 2.0's lists and tables",
	"dns": "$INCLUDE of other files", "genealogy": "GEDCOM X", "infra": "JSON syntax of Terraform", "json": "JSON Lines",
	"molecule": "SMILES, MOL2", "playlist": "PLS, ASX", "spreadsheet": "workbooks (.xlsx, .ods)",
	"starcatalog": "VOTable as BINARY or FITS", "subtitles": "ASS, TTML", "translation": "XLIFF, .mo",
}

// resavers are the tools of test/resave by domain.
var resavers = map[string][]string{
	"accounting": {"beancount"}, "calendar": {"icalendar", "vobject"}, "chess": {"chess"}, "crystal": {"gemmi_cif"}, "dbschema": {"sqlglot"},
	"dns": {"dnspython"}, "docker": {"dockerfmt"}, "edifact": {"pydifact"}, "emails": {"cpython_email"}, "fonteng": {"fonttools"},
	"genealogy": {"ged4py", "python_gedcom"}, "geodata": {"prettier"}, "geotrack": {"gpxpy", "lxml"}, "graphviz": {"viz"}, "hamradio": {"adif_io"},
	"infra": {"hcl2json"}, "json": {"prettier", "ruamel"}, "landmarks": {"lxml"}, "latex": {"bibtexparser"}, "libcatalog": {"lxml", "pymarc"},
	"makefile": {"make", "mbake"}, "malware": {"yara_x"}, "markdown": {"mdformat", "prettier"}, "molecule": {"openchemlib"}, "musicsheet": {"python_ly"},
	"playlist": {"lxml", "m3u8", "xspf"}, "protein": {"gemmi_pdb"}, "python": {"black", "cpython"}, "quantum": {"openqasm3"}, "robotics": {"lxml", "urdf"},
	"satellite": {"sgp4"}, "slides": {"prettier"}, "spreadsheet": {"cpython_csv", "papaparse"}, "starcatalog": {"lxml"},
	"subtitles": {"pysubs2", "srt", "webvtt"}, "transit": {"cpython_csv", "papaparse"}, "translation": {"babel", "polib"}, "treebank": {"conllu"},
	"vector": {"lxml", "svgo"}, "weaving": {"cpython_configparser"},
}
