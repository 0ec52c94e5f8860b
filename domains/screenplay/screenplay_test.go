package screenplay

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

// document is the document of the built-in environment.
const document = "tare.txt"

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:   demonstration(t),
		Seed:     domaintest.Seed(t, "screenplay1"),
		Generate: rapid.Custom(generate),
		// The cast and the directions, two fifths of RS, stay where speeches are
		// lost, and a ratio falls by less than the share of the lost.
		RSForgives: 0.5,
	}.Run(t)
}

// generate draws a play as one company types it.
func generate(t *rapid.T) vfs.Files {
	between := rapid.SampledFrom([]string{"\n\n", "\n\n", "\n\n\n"}).Draw(t, "between blocks")
	colon := rapid.SampledFrom([]string{":", ":", ""}).Draw(t, "after headings")
	var blocks []string
	if rapid.Bool().Draw(t, "title") {
		blocks = append(blocks, "HIGH WATER\na play in one act, draft 4")
	}
	blocks = append(blocks, "# CHARACTERS"+colon)
	var entries []string
	for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(names), 0, 6, rapid.ID).Draw(t, "cast") {
		entries = append(entries, "- "+name+": "+description.Draw(t, "description"))
	}
	if len(entries) > 0 {
		blocks = append(blocks, strings.Join(entries, "\n"))
	}
	if rapid.Bool().Draw(t, "has a scene") {
		blocks = append(blocks, "# SCENE"+colon)
		blocks = append(blocks, rapid.SliceOfN(sceneText, 0, 3).Draw(t, "scene")...)
	}
	blocks = append(blocks, "# DIALOGUE"+colon)
	for n := range rapid.IntRange(1, 32).Draw(t, "blocks") {
		switch what := rapid.IntRange(0, 11).Draw(t, "what"); {
		case n > 0 && what == 0:
			blocks = append(blocks, rapid.SampledFrom([]string{"# LATER", "LX 14 / SQ 9 go", "# End of part one", "Slow fade | blackout."}).Draw(t, "between speeches"))
		case n > 0 && what < 4:
			blocks = append(blocks, stage.Draw(t, "direction"))
		default:
			name := rapid.SampledFrom(names).Draw(t, "speaker")
			manner := rapid.SampledFrom([]string{"", "", "", " (off)", " (aside, to us)"}).Draw(t, "manner")
			blocks = append(blocks, name+manner+": "+spoken.Draw(t, "speech"))
		}
	}
	content := strings.Join(blocks, between) + "\n"
	if rapid.IntRange(0, 5).Draw(t, "from Windows") == 0 {
		content = strings.ReplaceAll(content, "\n", "\r\n")
	}
	return vfs.Files{document: content}
}

var names = []string{
	"HARBOURMASTER", "INGA", "MRS TULLY", "O'DWYER", "DR. LOWE", "GUARD 2", "ÅSE", "JEAN-LUC", "BOTH", "O’HARA", "X",
}

var description = rapid.OneOf(
	rapid.SampledFrom([]string{
		"thirty-one harvests at the desk", "a voice only", "her nephew, 19; drives", "plays the melodeon\nbadly | and often",
		"unseen: we hear him cough", "\"the Dutchman\"", "65",
	}),
	rapid.StringMatching(`[a-z][a-zé,'"|]{0,9}( [a-z0-9,.'"|-]{1,9}){0,6}`),
)

var sceneText = rapid.SampledFrom([]string{
	"A weighbridge office, a night in August. One window.", "The desk\nfaces the yard. (It is always wet.)",
	"TIME: 1987, the last load.", "Note: no real dogs | please.", "It is 10:30.",
})

var stage = rapid.SampledFrom([]string{
	"(Pause.)", "(He goes.)", "(The lorry is heard to\nroll onto the plate. It stops.)", "(INGA writes: 31 t | 4.)",
	"(Lights (all of them) out.)", "(a)",
})

var spoken = rapid.OneOf(
	rapid.SampledFrom([]string{
		"Yes.", "(pause) No.", "(nods)", "You said twelve-forty, (looks) and it was not.", "Nineteen tonnes | and a bit || over.",
		"What was it that\nyou wanted\nat this hour?", "(sings) Oh the tide (coughs)\nand the tide again", "At 10:30: nothing.", "I – I’ve “told” you…",
		"Is it? Is it? It is.", "Did you (he stops) ( sits ) hear?", "Well--go, then. (To\nher) You too.", "*Now* or ~never~, #3.", "a (b",
	}),
	rapid.StringMatching(`[A-Z][a-zé,'"|]{0,9}( [a-z0-9$%,.'"|-]{1,9}){0,12}[.?!]`),
)

const ferry = `# CHARACTERS:

- MATE: of the ferry Ellen
- COOK: who has the keys
- BOY: new aboard

# SCENE:

The galley at night. A lamp swings.

# DIALOGUE:

MATE: Who had the lamp? It was trimmed at four, (points) and it is out.

COOK: Not I.

(A bell, far off. They listen.)

MATE (low): Again. Count it. Was that six?

BOY: Seven. I counted
seven of them.

# LATER

COOK: Not I.

BOY: It was not lit, sir! I looked.
`

// altered is the play with one passage replaced.
func altered(t *testing.T, was, is string) vfs.Files {
	t.Helper()
	if !strings.Contains(ferry, was) {
		t.Fatalf("the play has no %q", was)
	}
	return vfs.Files{"ferry.txt": strings.ReplaceAll(ferry, was, is)}
}

func TestStrictSees(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		candidate vfs.Files
		want      string // the differences
	}{
		"a speech lost":                {altered(t, "BOY: Seven. I counted\nseven of them.\n\n", ""), `BOY, "Seven. I counted seven of them.": lost (BOY | Seven. | I counted seven of them.)`},
		"a speech added":               {altered(t, "# LATER", "BOY: Sir?\n\n# LATER"), `BOY, "Sir?": added (BOY | Sir?)`},
		"a speech twice":               {altered(t, "BOY: Seven. I counted\nseven of them.\n", "BOY: Seven. I counted\nseven of them.\n\nBOY: Seven. I counted\nseven of them.\n"), `BOY, "Seven. I counted seven of them.": added (BOY | Seven. | I counted seven of them.)`},
		"another speaker":              {altered(t, "BOY: Seven", "COOK: Seven"), `BOY, "Seven. I counted seven of them.", speaker: BOY -> COOK`},
		"a sentence changed":           {altered(t, "Was that six?", "Was that five?"), `MATE, "(low) Again. Count it. Was that six?", sentence: Was that six? -> Was that five?`},
		"punctuation":                  {altered(t, "It was not lit, sir!", "It was. Not lit, sir!"), `BOY, "It was not lit, sir! I looked.", sentence: It was not lit, sir! -> It was.; BOY, "It was not lit, sir! I looked.", sentence: (nothing) -> Not lit, sir!`},
		"sentences in another order":   {altered(t, "Again. Count it.", "Count it. Again."), `MATE, "(low) Again. Count it. Was that six?", sentence: () Again. -> () Count it.; MATE, "(low) Again. Count it. Was that six?", sentence: Count it. -> Again.`},
		"only their order":             {altered(t, "Count it. Was that six?", "Was that six? Count it."), `MATE, "(low) Again. Count it. Was that six?", order of sentences: (nothing) -> another`},
		"a wrapped line":               {altered(t, "seven of them", "most of them"), `BOY, "Seven. I counted seven of them.", sentence: I counted seven of them. -> I counted most of them.`},
		"a parenthetical changed":      {altered(t, "(points)", "(stares)"), `MATE, "Who had the lamp? It was trimmed at…", parenthetical: points -> stares`},
		"a parenthetical moved":        {altered(t, "at four, (points) and", "(points) at four, and"), `MATE, "Who had the lamp? It was trimmed at…", sentence: It was trimmed at four, () and it is out. -> It was trimmed () at four, and it is out.`},
		"how a speech is said":         {altered(t, " (low)", ""), `MATE, "(low) Again. Count it. Was that six?", sentence: () Again. -> Again.; MATE, "(low) Again. Count it. Was that six?", parenthetical: low -> (nothing)`},
		"a direction lost":             {altered(t, "(A bell, far off. They listen.)\n\n", ""), `direction (A bell, far off. They listen.): lost (A bell, far off. | They listen. | MATE, "(low) Again. Count it. Was that six?")`},
		"a direction at another place": {altered(t, "COOK: Not I.\n\n(A bell, far off. They listen.)\n", "(A bell, far off. They listen.)\n\nCOOK: Not I.\n"), `direction (A bell, far off. They listen.), before: MATE, "(low) Again. Count it. Was that six?" -> COOK, "Not I.", 2 from the end`},
		"a direction without its end":  {altered(t, "listen.)", "listen."), `direction (A bell, far off. They listen.), sentence: A bell, far off. -> (A bell, far off.`},
		"a description":                {altered(t, "new aboard", "old aboard"), `character BOY, description: new aboard -> old aboard`},
		"the scene":                    {altered(t, " A lamp swings.", ""), `scene, sentence 2: lost (A lamp swings.)`},
		"a heading lost":               {altered(t, "# LATER\n\n", ""), `heading LATER: lost (LATER | COOK, "Not I.")`},
		"the heading of the dialogue":  {altered(t, "# DIALOGUE:\n\n", ""), `heading DIALOGUE: lost (DIALOGUE | MATE, "Who had the lamp? It was trimmed at…")`},
		"a heading at another place":   {altered(t, "# LATER\n\nCOOK: Not I.\n", "COOK: Not I.\n\n# LATER\n"), `heading LATER, before: COOK, "Not I." -> BOY, "It was not lit, sir! I looked."`},
		"foreign text at the end":      {vfs.Files{"ferry.txt": ferry + "\nI have merged the scenes.\n"}, `line 3: added (I have merged the scenes. | the end)`},
		"speeches in another order":    {altered(t, "COOK: Not I.\n\nBOY: It was not lit, sir! I looked.\n", "BOY: It was not lit, sir! I looked.\n\nCOOK: Not I.\n"), `heading LATER, before: COOK, "Not I." -> BOY, "It was not lit, sir! I looked."; COOK, "Not I.": moved from place 5 to 6`},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			reference := vfs.Files{"ferry.txt": ferry}
			var got []string
			for _, d := range New().Differences(reference, c.candidate) {
				got = append(got, d.String())
			}
			if diff := cmp.Diff(c.want, strings.Join(got, "; ")); diff != "" {
				t.Error(diff)
			}
			if score := New().Compare(reference, c.candidate); score.Strict == 1 || score.Strict < 0.75 {
				t.Errorf("Strict %.4f", score.Strict)
			}
		})
	}
}

func TestStrictForgives(t *testing.T) {
	t.Parallel()
	bold := strings.NewReplacer("MATE: ", "**MATE:** ", "MATE (low): ", "**MATE** (low): ", "COOK: ", "**COOK**: ", "BOY: ", "__BOY:__ ")
	titled := strings.NewReplacer("MATE", "Mate", "COOK", "Cook", "BOY", "Boy")
	for rule, candidate := range map[string]vfs.Files{
		"another file name":              {"play.md": ferry},
		"two files":                      {"a.txt": ferry[:strings.Index(ferry, "COOK: Not")], "b.txt": ferry[strings.Index(ferry, "COOK: Not"):]},
		"each with the heading":          {"a.txt": ferry[:strings.Index(ferry, "COOK: Not")], "b.txt": "# DIALOGUE:\n\n" + ferry[strings.Index(ferry, "COOK: Not"):]},
		"a code fence":                   {"ferry.txt": "```text\n" + ferry + "```\n"},
		"a byte order mark":              {"ferry.txt": "\ufeff" + ferry},
		"Windows line ends":              {"ferry.txt": strings.ReplaceAll(ferry, "\n", " \r\n")},
		"more blank lines":               {"ferry.txt": strings.ReplaceAll(ferry, "\n\n", "\n\n\n")},
		"no blank lines":                 {"ferry.txt": strings.ReplaceAll(ferry, "\n\n", "\n")},
		"a speech on one line":           altered(t, "counted\nseven", "counted seven"),
		"lines wrapped elsewhere":        altered(t, "it is out", "it\n   is out"),
		"a label on a line of its own":   altered(t, "BOY: It", "BOY:\nIt"),
		"a direction in two lines":       altered(t, "off. They", "off.\nThey"),
		"a direction in brackets":        altered(t, "(A bell, far off. They listen.)", "[A bell, far off. They listen.]"),
		"a direction in italics":         altered(t, "(A bell, far off. They listen.)", "*(A bell, far off. They listen.)*"),
		"a direction with a number":      altered(t, "(A bell, far off. They listen.)", "(SD1: (A bell, far off. They listen.))"),
		"a direction with its name":      altered(t, "(A bell", "(Stage direction: A bell"),
		"bold names":                     {"ferry.txt": bold.Replace(ferry)},
		"names in title case":            {"ferry.txt": titled.Replace(ferry)},
		"how before the text":            altered(t, "MATE (low): Again", "MATE: (low) Again"),
		"deeper headings":                {"ferry.txt": strings.ReplaceAll(ferry, "# ", "## ")},
		"headings in bold":               altered(t, "# DIALOGUE:", "**DIALOGUE:**"),
		"headings without a colon":       altered(t, ":\n\n", "\n\n"),
		"headings in another case":       altered(t, "# LATER", "# Later"),
		"the scene after its heading":    altered(t, "# SCENE:\n\n", "# SCENE: "),
		"other bullets":                  altered(t, "\n- ", "\n* "),
		"typography":                     altered(t, "It was not lit, sir!", "It was not lit, sir!"),
		"no line end at the end":         {"ferry.txt": strings.TrimSuffix(ferry, "\n")},
		"an entry of the cast in two":    altered(t, "of the ferry Ellen", "of the\n  ferry Ellen"),
		"paragraphs of the scene joined": altered(t, "The galley at night. A", "The galley at night.\n\nA"),
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			reference := vfs.Files{"ferry.txt": ferry}
			if score := New().Compare(reference, candidate); score.Strict != 1 {
				t.Errorf("Strict %.4f: %v", score.Strict, New().Differences(reference, candidate))
			}
		})
	}
}

// TestPopularSpeechesAlone: of 200 speeches or more, each of which occurs often, none
// can begin a block but the first.
func TestPopularSpeechesAlone(t *testing.T) {
	t.Parallel()
	for _, n := range []int{199, 200, 800} {
		files := vfs.Files{"a.txt": "# DIALOGUE:\n" + strings.Repeat("MATE: Aye.\n", n)}
		score := New().Compare(files, files)
		if score.RS != 1 || score.Strict != 1 {
			t.Errorf("%d speeches: Value %v, Strict %v, want 1 and 1", n, score.RS, score.Strict)
		}
	}
}

func TestStatistics(t *testing.T) {
	t.Parallel()
	got, err := New().Statistics(vfs.Files{"ferry.txt": ferry})
	if err != nil {
		t.Fatal(err)
	}
	want := domains.Stats{Elements: 6, Counts: []domains.Count{
		{Name: "Characters", Value: "3"}, {Name: "Dialogues", Value: "6"}, {Name: "Stage Dirs", Value: "1"},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestBlocks shows how a play is read for Strict.
func TestBlocks(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct{ lines, want string }{
		"a direction below a speech":      {"MATE: a\n(b)\nCOOK: c", "speech MATE: a; direction (b); speech COOK: c"},
		"two of them":                     {"MATE: a\n(b\nb)\n(c)", "speech MATE: a; direction (b b); direction (c)"},
		"a parenthetical on its own line": {"MATE: a\n(b)\nc", "speech MATE: a (b) c"},
		"directions without a blank line": {"(a)\n(b)", "direction (a); direction (b)"},
		"text after a direction":          {"(a)\nb", "direction (a) b"},
		"a direction with a number":       {"MATE: a\nSD1: (b)", "speech MATE: a; direction SD1: (b)"},
		"a clock":                         {"MATE: from\nAT 10:30 to", "speech MATE: from AT 10:30 to"},
		"a colon in a wrapped line":       {"MATE: I say\nListen: no", "speech MATE: I say Listen: no"},
		"names that the published lose":   {"DR. LOWE: a\nÅSE: b\n\nX: c", "speech DR. LOWE: a; speech ÅSE: b; speech X: c"},
		"one letter within a speech":      {"MATE: a\nI: b", "speech MATE: a I: b"},
		"a name that was met":             {"McKAY: a\nMckay: b", "speech McKAY: a; speech Mckay: b"},
		"text without a name":             {"MATE: a\n\nb\nc", "speech MATE: a; line b c"},
		"the scene again":                 {"MATE: a\n# SCENE TWO: night\nNOTE: b\nMATE: c", "speech MATE: a; heading SCENE TWO: NIGHT; line NOTE: b; speech MATE: c"},
		"an unclosed parenthesis":         {"MATE: (a\n(b)", "speech MATE: (a (b)"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, b := range readText("# DIALOGUE:\n" + c.lines).blocks[1:] {
				text := strings.Join(b.lines, " ")
				if b.kind == heading {
					text = b.name
				}
				got = append(got, fmt.Sprint(b.kind, " ", text))
			}
			if diff := cmp.Diff(c.want, strings.Join(got, "; ")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func FuzzCompare(f *testing.F) { domaintest.Fuzz(f, demonstration(f), vfs.Files{document: ferry}) }

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, "screenplay1"))
}

// Fountain has names without a colon, headings of scenes and actions.
func TestFountain(t *testing.T) {
	t.Parallel()
	const script = "Title: The Lock\nAuthor: R. Hale\n\nFADE IN:\n\nINT. LOCK HOUSE - NIGHT\n\nRain. MARTA, 60, reads by a lamp.\nThe lamp flickers.\n\n" +
		"MARTA\n(to herself)\nNot tonight.\n\nEXT. LOCK GATE - NIGHT\n\nA barge drifts in.\n\nPIET (O.S.)\nOpen up!\n\nMARTA ^\nIt is past ten.\n\nCUT TO:\n"
	kinds := map[string]int{}
	for _, e := range New().Elements(vfs.Files{"lock.txt": script}) {
		kinds[e.Kind]++
	}
	if kinds[counted] != 3 || kinds[heading] != 2 || kinds[direction] != 4 || kinds[prose] != 2 {
		t.Errorf("%v", kinds)
	}
	reference := New().Against(vfs.Files{"lock.txt": script})
	for from, to := range map[string]string{
		"Not tonight.": "Not today.", "(to herself)\n": "", "PIET": "JAN", "A barge drifts in.\n\n": "", "It is past ten.": "",
		"LOCK GATE - NIGHT": "LOCK GATE - DAY", "R. Hale": "R. Hall", "CUT TO:": "", "MARTA ^\nIt is past ten.\n\n": "",
	} {
		if r := reference.Review(vfs.Files{"lock.txt": strings.Replace(script, from, to, 1)}); r.Strict == 1 || len(r.Differences) == 0 {
			t.Errorf("%q for %q: %v", to, from, r.Strict)
		}
	}
	for n, same := range []string{strings.ReplaceAll(script, "\n\n", "\n\n\n"), strings.ReplaceAll(script, "\n", "\r\n"), strings.TrimSpace(script)} {
		if r := reference.Review(vfs.Files{"lock.txt": same}); r.Strict != 1 {
			t.Errorf("resave %d: %v", n, r.Differences)
		}
	}
}
