// Package catalog lists the domains there are.
package catalog

import (
	"agentd/domains"
	"agentd/domains/accounting"
	"agentd/domains/audiosyn"
	"agentd/domains/aviation"
	"agentd/domains/calendar"
	"agentd/domains/chess"
	"agentd/domains/circuit"
	"agentd/domains/crystal"
	"agentd/domains/dbschema"
	"agentd/domains/dns"
	"agentd/domains/docker"
	"agentd/domains/earncall"
	"agentd/domains/edifact"
	"agentd/domains/emails"
	"agentd/domains/fiction"
	"agentd/domains/filesystem"
	"agentd/domains/fonteng"
	"agentd/domains/foodmenu"
	"agentd/domains/genealogy"
	"agentd/domains/geodata"
	"agentd/domains/geotrack"
	"agentd/domains/graphviz"
	"agentd/domains/hamradio"
	"agentd/domains/infra"
	"agentd/domains/jobboard"
	"agentd/domains/json"
	"agentd/domains/landmarks"
	"agentd/domains/latex"
	"agentd/domains/libcatalog"
	"agentd/domains/makefile"
	"agentd/domains/malware"
	"agentd/domains/mathlean"
	"agentd/domains/molecule"
	"agentd/domains/musicsheet"
	"agentd/domains/obj3d"
	"agentd/domains/playlist"
	"agentd/domains/protein"
	"agentd/domains/python"
	"agentd/domains/quantum"
	"agentd/domains/recipe"
	"agentd/domains/robotics"
	"agentd/domains/satellite"
	"agentd/domains/screenplay"
	"agentd/domains/slides"
	"agentd/domains/spreadsheet"
	"agentd/domains/starcatalog"
	"agentd/domains/subtitles"
	"agentd/domains/transit"
	"agentd/domains/translation"
	"agentd/domains/treebank"
	"agentd/domains/vector"
	"agentd/domains/weather"
	"agentd/domains/weaving"
)

// All returns every domain, in name order.
func All() []domains.Domain {
	return []domains.Domain{
		accounting.New(),
		audiosyn.New(),
		aviation.New(),
		calendar.New(),
		chess.New(),
		circuit.New(),
		crystal.New(),
		dbschema.New(),
		dns.New(),
		docker.New(),
		earncall.New(),
		edifact.New(),
		emails.New(),
		fiction.New(),
		filesystem.New(),
		fonteng.New(),
		foodmenu.New(),
		genealogy.New(),
		geodata.New(),
		geotrack.New(),
		graphviz.New(),
		hamradio.New(),
		infra.New(),
		jobboard.New(),
		json.New(),
		landmarks.New(),
		latex.New(),
		libcatalog.New(),
		makefile.New(),
		malware.New(),
		mathlean.New(),
		molecule.New(),
		musicsheet.New(),
		obj3d.New(),
		playlist.New(),
		protein.New(),
		python.New(),
		quantum.New(),
		recipe.New(),
		robotics.New(),
		satellite.New(),
		screenplay.New(),
		slides.New(),
		spreadsheet.New(),
		starcatalog.New(),
		subtitles.New(),
		transit.New(),
		translation.New(),
		treebank.New(),
		vector.New(),
		weather.New(),
		weaving.New(),
	}
}

// Lookup returns the named domain; false if there is none.
func Lookup(name string) (domains.Domain, bool) {
	for _, d := range All() {
		if d.Info().Name == name {
			return d, true
		}
	}
	return nil, false
}

// Category returns the category of the named domain; empty if there is no such domain.
func Category(name string) string {
	d, ok := Lookup(name)
	if !ok {
		return ""
	}
	return d.Info().Category
}

// Running returns Lookup for scores that may need to run the documents. It gives
// the same domain each time, so that it can remember what it ran.
func Running(p domains.Programs) func(name string) (domains.Domain, bool) {
	all := map[string]domains.Domain{}
	for _, d := range All() {
		if executing, ok := d.(domains.Executing); ok {
			d = executing.WithPrograms(p)
		}
		all[d.Info().Name] = d
	}
	return func(name string) (domains.Domain, bool) {
		d, ok := all[name]
		return d, ok
	}
}
