package xml

import "testing"

func TestMake(t *testing.T) {
	top := &Node{Name: "p:list", Space: "s"}
	entry := top.NewChild("entry").With("one", "id", "1", "at", "")
	note := top.NewChild("note").With("")
	top.Append(entry, note)
	const want = `<p:list><p:entry id="1" at="">one</p:entry><p:note/></p:list>`
	if got := top.InOne(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if entry.Value("id") != "1" || entry.Value("none") != "" || (*Node)(nil).Value("id") != "" {
		t.Error("an attribute has another value")
	}
	if top.FirstIn("s", "note") != note || top.FirstIn("", "note") != nil || len(top.AllIn("s", "entry")) != 1 || (*Node)(nil).FirstIn("", "a") != nil {
		t.Error("other children are in the namespace")
	}
}

func TestEscapeAmpersands(t *testing.T) {
	isTen := func(after string) bool { return after == "10;" }
	for text, want := range map[string]string{
		"no sign":      "no sign",
		"a & b &amp;":  "a &amp; b &amp;",
		"&lt;&nbsp;&":  "&lt;&amp;nbsp;&amp;",
		"&#11; &#10;":  "&amp;#11; &#10;",
		"&quot&apos;x": "&amp;quot&apos;x",
	} {
		if got := EscapeAmpersands(text, isTen); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestValues(t *testing.T) {
	everything := func(*Node) bool { return true }
	d := Read(`<point><ele>12</ele><link href="a"><text>b c</text></link></point>`)
	values, whole := d.Root().Values("@", everything)
	if !whole || len(values) != 3 || values[1] != (Value{"link@href", "a"}) || values[2] != (Value{"link/text", "b c"}) {
		t.Errorf("got %v, %v", values, whole)
	}
	for _, text := range []string{`<a><b/></a>`, `<a><b>1</b><b>2</b></a>`, `<a><b> 1</b></a>`, `<a><!--c--></a>`, `<a>text</a>`} {
		d := Read(text)
		if _, whole := d.Root().Values("@", everything); whole {
			t.Errorf("%s: paths cannot tell it", text)
		}
	}
}

func TestFlat(t *testing.T) {
	d := Read("<a><!-- one\n\ntwo -->three\n four<b xmlns='x' n='1'/></a>")
	f := NewFlat()
	for _, c := range d.Root().Children {
		c.Foreign = c.Space == "x"
		if c.Kind != Element {
			f.Margin(c, func(text string) string { return Unfenced(text) })
		} else {
			f.Space(c)
			f.Space(c)
			f.All[0].Fields = f.Attributes(f.All[0].Fields, c, "b", func(value string) string { return value + "0" })
		}
	}
	if len(f.All) != 5 || f.All[0].Kind != "comment" || f.All[3].Position != 2 || f.All[4].Fields[0].Value != "x" {
		t.Errorf("got %v", f.All)
	}
	if got := f.All[0].Value("b/n"); got != "10" {
		t.Errorf("the attribute is %q", got)
	}
	if broken := Read("<a b=1></a>"); len(broken.FaultElements()) != 1 {
		t.Errorf("faults: %v", broken.FaultElements())
	}
}
