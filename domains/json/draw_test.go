package json

import (
	"slices"
	"strconv"

	"pgregory.net/rapid"

	"agentd/vfs"
)

var (
	// drawnTexts are texts that one notation or the other could take for
	// something else. Each has as many opening as closing brackets: the published
	// repairs count them in texts too.
	drawnTexts = rapid.SampledFrom([]string{
		"", "on", "No", "null", "~", "14:00", "2024-04-01", "1e3", "0x1F", "027", "-", "- a", "a: b", "a #b", "#b", "=", "<<",
		"*a", "&a", "!a", "%a", "@a", "`a`", "'a'", `"a"`, `\`, `C:\n`, "a\nb", "a\n  b\n", "\n", " a ", "a\tb", "tab\t\nb", "a\n\n", "a\r\nb",
		"x, }{ y", "{a: [b]}", "undefined", "m³/s", "°C", "😀", "\u00a0", "\u2028", "\u0007", "\x7f", "\ufeff", "|", ">-", "?", "? a", ":", "...", "---", "@Q1x",
		"bongate_level_maod", "sum(rate(x[5m])) / 1000", "lastNotNull", "Weir, River Eden",
	})
	drawnNames = rapid.SampledFrom([]string{
		"unit", "min", "max", "a.b", "a/b", "~", "on", "404", "", "legend", "über", "x y", "calcs", "with: colon", "1.0", "null", "[0]",
	})
	drawnNumbers = rapid.SampledFrom([]string{
		"0", "-0", "1", "24", "-3", "0.5", "12.50", "96.5", "1e3", "1E-7", "2.5e+3", "1e-30", "123456789012345678901234567890", "0.1", "300000",
	})
	drawnTypes = rapid.SampledFrom([]string{"stat", "timeseries", "table", "text", "row", "base", "a/b", ""})
	drawnUnits = rapid.SampledFrom([]string{"lengthm", "flowcms", "celsius", "kwatt", "volt", "short"})
)

// documentFile is that of the documents in these tests.
const documentFile = "bongate_plant.json"

// drawDocument draws dashboards.
func drawDocument(t *rapid.T) vfs.Files {
	root := objectOf(member{name: "title", value: textNode("Plant")})
	for _, name := range rapid.SliceOfNDistinct(drawnNames, 0, 4, rapid.ID[string]).Draw(t, "names") {
		root.set(name, drawValue(t, 3))
	}
	panels := listOf()
	for i := range rapid.IntRange(0, 6).Draw(t, "panels") {
		panels.items = append(panels.items, drawPanel(t, i))
	}
	root.set("panels", panels)
	root.set("tags", listOf(drawTexts(t)...))
	if rapid.Bool().Draw(t, "compact") {
		return vfs.Files{documentFile: root.compact() + "\n"}
	}
	return vfs.Files{documentFile: root.printJSON()}
}

func drawPanel(t *rapid.T, i int) *node {
	panel := objectOf(member{name: "title", value: textNode("Panel " + strconv.Itoa(i+1))})
	maybe := func(name string, value func() *node) {
		if rapid.IntRange(0, 3).Draw(t, name+"?") > 0 {
			panel.set(name, value())
		}
	}
	maybe("type", func() *node { return textNode(drawnTypes.Draw(t, "type")) })
	maybe("id", func() *node {
		if rapid.IntRange(0, 5).Draw(t, "text id") == 0 {
			return textNode("7")
		}
		return intNode(rapid.IntRange(0, 6).Draw(t, "id"))
	})
	maybe("gridPos", func() *node {
		place := objectOf()
		for _, side := range []string{"h", "w", "x", "y"} {
			place.set(side, drawNumber(t))
		}
		return place
	})
	maybe("datasource", func() *node {
		switch rapid.IntRange(0, 3).Draw(t, "source") {
		case 0:
			return &node{}
		case 1:
			return textNode("Prometheus")
		}
		return objectOf(member{name: "uid", value: textNode(drawnTexts.Draw(t, "uid"))})
	})
	maybe("fieldConfig", func() *node { return drawConfig(t) })
	maybe("targets", func() *node {
		return listOf(objectOf(
			member{name: "expr", value: textNode(drawnTexts.Draw(t, "expr"))},
			member{name: "query", value: drawValue(t, 1)},
			member{name: "datasource", value: textNode("Prometheus")},
		), drawValue(t, 1))
	})
	maybe("options", func() *node { return drawValue(t, 3) })
	return panel
}

func drawConfig(t *rapid.T) *node {
	defaults := objectOf(member{name: "unit", value: textNode(drawnUnits.Draw(t, "unit"))})
	steps := listOf()
	for range rapid.IntRange(0, 3).Draw(t, "steps") {
		value := &node{}
		if rapid.Bool().Draw(t, "bound") {
			value = drawNumber(t)
		}
		steps.items = append(steps.items, objectOf(
			member{name: "color", value: textNode(drawnTexts.Draw(t, "color"))}, member{name: "value", value: value}))
	}
	defaults.set("thresholds", objectOf(member{name: "steps", value: steps}))
	return objectOf(member{name: "defaults", value: defaults}, member{name: "overrides", value: drawValue(t, 2)})
}

func drawTexts(t *rapid.T) []*node {
	var texts []*node
	for range rapid.IntRange(0, 4).Draw(t, "texts") {
		texts = append(texts, textNode(drawnTexts.Draw(t, "text")))
	}
	return texts
}

func drawNumber(t *rapid.T) *node {
	return &node{kind: numberKind, text: drawnNumbers.Draw(t, "number")}
}

func drawValue(t *rapid.T, depth int) *node {
	most := 6
	if depth == 0 {
		most = 3
	}
	switch rapid.IntRange(0, most).Draw(t, "kind") {
	case 0:
		return &node{}
	case 1:
		return &node{kind: boolKind, text: strconv.FormatBool(rapid.Bool().Draw(t, "bool"))}
	case 2:
		return drawNumber(t)
	case 3:
		return textNode(drawnTexts.Draw(t, "text"))
	case 4:
		return listOf(drawTexts(t)...)
	case 5:
		list := listOf()
		for range rapid.IntRange(0, 3).Draw(t, "items") {
			list.items = append(list.items, drawValue(t, depth-1))
		}
		return list
	}
	object := objectOf()
	for _, name := range rapid.SliceOfNDistinct(drawnNames, 0, 3, rapid.ID[string]).Draw(t, "names") {
		object.set(name, drawValue(t, depth-1))
	}
	return object
}

func intNode(n int) *node { return &node{kind: numberKind, text: strconv.Itoa(n)} }

func listOf(items ...*node) *node { return &node{kind: listKind, items: items} }

func objectOf(members ...member) *node { return &node{kind: objectKind, members: members} }

// set gives the member a value, at the end if it is a new one.
func (n *node) set(name string, value *node) {
	for i := range slices.Backward(n.members) {
		if n.members[i].name == name {
			n.members[i].value = value
			return
		}
	}
	n.members = append(n.members, member{name: name, value: value})
}
