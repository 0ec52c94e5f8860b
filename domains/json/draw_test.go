package json

import (
	"slices"
	"strconv"

	"pgregory.net/rapid"

	published "agentd/domains/published/json"
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
	root := objectOf(published.Member{Name: "title", Value: textNode("Plant")})
	for _, name := range rapid.SliceOfNDistinct(drawnNames, 0, 4, rapid.ID[string]).Draw(t, "names") {
		set(root, name, drawValue(t, 3))
	}
	panels := listOf()
	for i := range rapid.IntRange(0, 6).Draw(t, "panels") {
		panels.Items = append(panels.Items, drawPanel(t, i))
	}
	set(root, "panels", panels)
	set(root, "tags", listOf(drawTexts(t)...))
	if rapid.Bool().Draw(t, "compact") {
		return vfs.Files{documentFile: compact(root) + "\n"}
	}
	return vfs.Files{documentFile: printJSON(root)}
}

func drawPanel(t *rapid.T, i int) *published.Node {
	panel := objectOf(published.Member{Name: "title", Value: textNode("Panel " + strconv.Itoa(i+1))})
	maybe := func(name string, value func() *published.Node) {
		if rapid.IntRange(0, 3).Draw(t, name+"?") > 0 {
			set(panel, name, value())
		}
	}
	maybe("type", func() *published.Node { return textNode(drawnTypes.Draw(t, "type")) })
	maybe("id", func() *published.Node {
		if rapid.IntRange(0, 5).Draw(t, "text id") == 0 {
			return textNode("7")
		}
		return intNode(rapid.IntRange(0, 6).Draw(t, "id"))
	})
	maybe("gridPos", func() *published.Node {
		place := objectOf()
		for _, side := range []string{"h", "w", "x", "y"} {
			set(place, side, drawNumber(t))
		}
		return place
	})
	maybe("datasource", func() *published.Node {
		switch rapid.IntRange(0, 3).Draw(t, "source") {
		case 0:
			return &published.Node{}
		case 1:
			return textNode("Prometheus")
		}
		return objectOf(published.Member{Name: "uid", Value: textNode(drawnTexts.Draw(t, "uid"))})
	})
	maybe("fieldConfig", func() *published.Node { return drawConfig(t) })
	maybe("targets", func() *published.Node {
		return listOf(objectOf(
			published.Member{Name: "expr", Value: textNode(drawnTexts.Draw(t, "expr"))},
			published.Member{Name: "query", Value: drawValue(t, 1)},
			published.Member{Name: "datasource", Value: textNode("Prometheus")},
		), drawValue(t, 1))
	})
	maybe("options", func() *published.Node { return drawValue(t, 3) })
	return panel
}

func drawConfig(t *rapid.T) *published.Node {
	defaults := objectOf(published.Member{Name: "unit", Value: textNode(drawnUnits.Draw(t, "unit"))})
	steps := listOf()
	for range rapid.IntRange(0, 3).Draw(t, "steps") {
		value := &published.Node{}
		if rapid.Bool().Draw(t, "bound") {
			value = drawNumber(t)
		}
		steps.Items = append(steps.Items, objectOf(
			published.Member{Name: "color", Value: textNode(drawnTexts.Draw(t, "color"))}, published.Member{Name: "value", Value: value}))
	}
	set(defaults, "thresholds", objectOf(published.Member{Name: "steps", Value: steps}))
	return objectOf(published.Member{Name: "defaults", Value: defaults}, published.Member{Name: "overrides", Value: drawValue(t, 2)})
}

func drawTexts(t *rapid.T) []*published.Node {
	var texts []*published.Node
	for range rapid.IntRange(0, 4).Draw(t, "texts") {
		texts = append(texts, textNode(drawnTexts.Draw(t, "text")))
	}
	return texts
}

func drawNumber(t *rapid.T) *published.Node {
	return &published.Node{Kind: published.Number, Text: drawnNumbers.Draw(t, "number")}
}

func drawValue(t *rapid.T, depth int) *published.Node {
	most := 6
	if depth == 0 {
		most = 3
	}
	switch rapid.IntRange(0, most).Draw(t, "kind") {
	case 0:
		return &published.Node{}
	case 1:
		return &published.Node{Kind: published.Bool, Text: strconv.FormatBool(rapid.Bool().Draw(t, "bool"))}
	case 2:
		return drawNumber(t)
	case 3:
		return textNode(drawnTexts.Draw(t, "text"))
	case 4:
		return listOf(drawTexts(t)...)
	case 5:
		list := listOf()
		for range rapid.IntRange(0, 3).Draw(t, "items") {
			list.Items = append(list.Items, drawValue(t, depth-1))
		}
		return list
	}
	object := objectOf()
	for _, name := range rapid.SliceOfNDistinct(drawnNames, 0, 3, rapid.ID[string]).Draw(t, "names") {
		set(object, name, drawValue(t, depth-1))
	}
	return object
}

func intNode(n int) *published.Node {
	return &published.Node{Kind: published.Number, Text: strconv.Itoa(n)}
}

func listOf(items ...*published.Node) *published.Node {
	return &published.Node{Kind: published.List, Items: items}
}

func objectOf(members ...published.Member) *published.Node {
	return &published.Node{Kind: published.Object, Members: members}
}

// set gives the member a value, at the end if it is a new one.
func set(n *published.Node, name string, value *published.Node) {
	for i := range slices.Backward(n.Members) {
		if n.Members[i].Name == name {
			n.Members[i].Value = value
			return
		}
	}
	n.Members = append(n.Members, published.Member{Name: name, Value: value})
}
