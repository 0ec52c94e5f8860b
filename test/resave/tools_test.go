package resave_test

// tool is a program that reads and writes documents of some domains, and that is of the format's own people or users.
type tool struct {
	name    string   // of a function of resave.py or resave.mjs
	domains []string // whose documents it gets
	names   string   // the form of the names of those documents; empty for all
	// lenient says why what it reads says nothing of form: it reads nearly everything. Only its resaves are compared.
	lenient string
	// writes is false for a tool that only reads.
	judges bool
	// skips are documents that are not for the tool, and why.
	skips map[string]string
	// loses are documents that the tool writes with other content, and what it changes. The content verdict has to name it.
	loses map[string]string
	// stricter are the damages that the tool reads without complaint, and that we call broken, and why.
	stricter map[string]string
	// looser are the damages that the tool refuses, and that we read, and why.
	looser map[string]string
}

var tools = []tool{
	{name: "adif_io", domains: []string{"hamradio"}},
	{name: "babel", domains: []string{"translation"}},
	{name: "beancount", domains: []string{"accounting"}, names: `\.beancount$`},
	{name: "bibtexparser", domains: []string{"latex"}, names: `\.bib$`},
	{name: "black", domains: []string{"python"}},
	{name: "chess", domains: []string{"chess"}},
	{name: "conllu", domains: []string{"treebank"}},
	{name: "cpython_configparser", domains: []string{"weaving"}},
	{name: "cpython_csv", domains: []string{"spreadsheet", "transit"}},
	{name: "cpython_email", domains: []string{"emails"}},
	{name: "cpython_mailbox", domains: []string{"emails"}, names: `\.mbox$`},
	{name: "dnspython", domains: []string{"dns"}},
	{name: "dockerfmt", domains: []string{"docker"}},
	{name: "fonttools", domains: []string{"fonteng"}},
	{name: "ged4py", domains: []string{"genealogy"}, judges: true},
	{name: "gemmi_cif", domains: []string{"crystal"}},
	{name: "gemmi_pdb", domains: []string{"protein"}},
	{name: "gpxpy", domains: []string{"geotrack"}},
	{name: "hcl2json", domains: []string{"infra"}, judges: true},
	{name: "icalendar", domains: []string{"calendar"}},
	{name: "lxml", domains: []string{"geotrack", "landmarks", "libcatalog", "playlist", "robotics", "starcatalog", "vector"}, names: `\.(gpx|kml|xml|xspf|urdf|vot|svg)$`},
	{name: "m3u8", domains: []string{"playlist"}, names: `\.m3u8?$`},
	{name: "make", domains: []string{"makefile"}, judges: true},
	{name: "mbake", domains: []string{"makefile"}},
	{name: "mdformat", domains: []string{"markdown", "slides"}},
	{name: "openchemlib", domains: []string{"molecule"}},
	{name: "openqasm3", domains: []string{"quantum"}},
	{name: "papaparse", domains: []string{"spreadsheet", "transit"}},
	{name: "pglast", domains: []string{"dbschema"}, names: `^pg_`},
	{name: "polib", domains: []string{"translation"}},
	{name: "prettier", domains: []string{"geodata", "json", "markdown", "slides"}},
	{name: "pydifact", domains: []string{"edifact"}},
	{name: "pymarc", domains: []string{"libcatalog"}},
	{name: "pysubs2", domains: []string{"subtitles"}},
	{name: "python_gedcom", domains: []string{"genealogy"}},
	{name: "python_ly", domains: []string{"musicsheet"}},
	{name: "ruamel", domains: []string{"json"}},
	{name: "sgp4", domains: []string{"satellite"}},
	{name: "sqlglot", domains: []string{"dbschema"}},
	{name: "srt", domains: []string{"subtitles"}, names: `\.srt$`},
	{name: "svgo", domains: []string{"vector"}},
	{name: "urdf", domains: []string{"robotics"}},
	{name: "viz", domains: []string{"graphviz"}},
	{name: "vobject", domains: []string{"calendar"}},
	{name: "webvtt", domains: []string{"subtitles"}, names: `\.vtt$`},
	{name: "xspf", domains: []string{"playlist"}, names: `\.xspf$`},
	{name: "yara_x", domains: []string{"malware"}},
}
