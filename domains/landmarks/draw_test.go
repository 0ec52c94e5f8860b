package landmarks

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"agentd/domains/internal/xml"
	"agentd/vfs"
)

// drawDocument draws a map with folders in folders, by makers of different
// habits.
func drawDocument(t *rapid.T) vfs.Files {
	d := &drawer{T: t, prefix: rapid.SampledFrom([]string{"", "", "", "k:"}).Draw(t, "prefix")}
	declaration := "xmlns"
	if d.prefix != "" {
		declaration = "xmlns:k"
	}
	d.line(`<?xml version="1.0" encoding="UTF-8"?>`)
	d.line("<" + d.prefix + "kml " + declaration + `="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">`)
	isDocument := !d.sometimes("no document")
	if isDocument {
		d.line("<" + d.prefix + "Document>")
		d.line(d.element("name", "Town & port"))
		if d.sometimes("style") {
			d.line("<" + d.prefix + `Style id="s">` + d.element("IconStyle", d.element("scale", "1.20")) + "</" + d.prefix + "Style>")
		}
	}
	d.folder(0)
	d.placemark()
	if isDocument {
		d.line("</" + d.prefix + "Document>")
	}
	d.line("</" + d.prefix + "kml>")
	return vfs.Files{documentFile: d.String()}
}

type drawer struct {
	*rapid.T
	strings.Builder
	prefix     string
	placemarks int
}

func (d *drawer) line(text string)                { d.WriteString(text + "\n") }
func (d *drawer) upTo(most int, label string) int { return rapid.IntRange(0, most).Draw(d.T, label) }
func (d *drawer) sometimes(label string) bool     { return d.upTo(3, label) == 0 }
func (d *drawer) one(label string, of ...string) string {
	return rapid.SampledFrom(of).Draw(d.T, label)
}

// element writes an element; content that is no markup is escaped, or put into
// a CDATA section.
func (d *drawer) element(name, content string) string {
	switch {
	case strings.HasPrefix(content, "<"):
	case d.upTo(9, "CDATA") == 0:
		content = "<![CDATA[" + content + "]]>"
	default:
		content = xml.EscapeText(content)
	}
	tag, _, _ := strings.Cut(name, " ")
	return "<" + d.prefix + name + ">" + content + "</" + d.prefix + tag + ">"
}

// folder draws what stands in one.
func (d *drawer) folder(depth int) {
	for n := range d.upTo(4, "members") {
		switch d.one("member", "placemark", "placemark", "placemark", "folder", "comment", "overlay") {
		case "placemark":
			d.placemark()
		case "folder":
			if depth == 3 {
				continue
			}
			d.line("<" + d.prefix + "Folder>")
			if !d.sometimes("folder without a name") {
				d.line(d.element("name", fmt.Sprintf("Part %d-%d", depth, n)))
			}
			d.folder(depth + 1)
			d.line("</" + d.prefix + "Folder>")
		case "comment":
			d.line("<!-- to check -->")
		case "overlay":
			d.line(d.element("GroundOverlay", d.element("name", "plan")+d.element("drawOrder", "2")))
		}
	}
}

func (d *drawer) placemark() {
	d.placemarks++
	id := ""
	if !d.sometimes("no id") {
		id = fmt.Sprintf(` id="%s%d"`, d.one("id", "p", "site_0", "x."), d.placemarks)
	}
	d.line("<" + d.prefix + "Placemark" + id + ">")
	if d.upTo(9, "no name") > 0 {
		d.line(d.element("name", d.one("name", "Harbour", "1602 Gate", "Notre-Dame (nave)", "Café <Ö>", " padded ", "two\nlines", "a: b", "")+
			d.one("number", "", "", fmt.Sprint(" ", d.placemarks))))
	}
	if d.sometimes("description") {
		d.line(d.element("description", d.one("text", "Ring twice. Ask for Ann!", "<b>new</b>", "a\n  b")))
	}
	if d.sometimes("view") {
		d.line(d.element("LookAt", d.element("range", "300.0")+d.element("tilt", "0")))
	}
	if d.upTo(9, "no fields") > 0 {
		schema := "<" + d.prefix + d.one("schema", `SchemaData schemaUrl="#t"`, "SchemaData") + ">"
		d.line(d.element("ExtendedData", schema+d.fields()+"</"+d.prefix+"SchemaData>"))
	}
	if d.sometimes("extension") {
		d.line("<gx:balloonVisibility>1</gx:balloonVisibility>")
	}
	d.geometry()
	d.line("</" + d.prefix + "Placemark>")
}

func (d *drawer) fields() string {
	var b strings.Builder
	add := func(name string, values ...string) {
		if !d.sometimes("without " + name) {
			b.WriteString(d.element(`SimpleData name="`+name+`"`, d.one(name, values...)) + "\n")
		}
	}
	add(d.one("spelling", "ADDRESS", "Address"), "Rue Haute 4", "Rue Haute 12, 2nd floor", "Quai", " Place Neuve ", "12 Main Street", "")
	add("OVERVIEW", "Hall of 1902. Small museum.", "Steps & sea", "one\ntwo", "Guided only!", `"quoted" – it’s`)
	add("OPENING_HOURS", "Daily 9-17", "Mon, +39 040 123456; a.b@c-d.it", "www.a.it/x?y=1.", "[closed]", "see https://a.b/c (new)")
	if d.sometimes("repeated") {
		b.WriteString(d.element(`SimpleData name="OVERVIEW"`, "again"))
	}
	add("BUS", "6", "2/, 4")
	return b.String()
}

func (d *drawer) geometry() {
	switch d.one("geometry", "point", "point", "point", "line", "none") {
	case "point":
		mode := d.one("mode", "", "", d.element("altitudeMode", "absolute"))
		text := fmt.Sprintf("%s13.%06d,%s%s", d.one("west", "", "-"), d.upTo(999_999, "lon"),
			d.one("lat", "45.65", "-0.000004", "46", "45.6512345", "045.10"), d.one("altitude", "", ",0", ",12.50", ",0.0"))
		d.line(d.element("Point", mode+d.element("coordinates", d.one("layout", text, "\n  "+text+"\n"))))
	case "line":
		d.line(d.element("LineString", d.element("coordinates", "13.1,45.1,0 13.2,45.2\n13.3,45.3,5")))
	}
}
