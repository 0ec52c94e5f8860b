package translation

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

const (
	header = `# Jo Ek, 2024
msgid ""
msgstr ""
"Language: pl\n"
"Content-Type: text/plain; charset=UTF-8\n"
"Plural-Forms: nplurals=3; plural=n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2;\n"
`
	shortHeader = `msgid ""
msgstr ""
"Language: pl\n"
"Content-Type: text/plain; charset=UTF-8\n"
`
	split = `#. Verb.
#: src/swarm.c:34 ui/swarm.ui:2
msgctxt "menu"
msgid "Split\t…"
msgstr "Odkład\t…"
`
	hives = `# JS: ul, nie rodzina
#: src/hive.c:101
#, c-format
msgid "%d hive, %s"
msgid_plural "%d hives, %s"
msgstr[0] "%d ul, %s"
msgstr[1] "%d ule, %s"
msgstr[2] "%d uli, %s"
`
	move = `#: src/hive.c:9
#, fuzzy, c-format
#| msgid "Move hive"
msgid "Move %s to %d%%"
msgstr "Przestaw %s na %d%%"
`
	nothing = `#. Shown in an empty list.
msgid "Nothing"
msgstr ""
`
	cloud = `#~ msgid "Cloud"
#~ msgstr "Chmura"
`
)

// joined is a catalogue of these entries.
func joined(entries ...string) string { return strings.Join(entries, "\n") }

// edited is an entry with texts replaced, given in pairs.
func edited(entry string, pairs ...string) string {
	return strings.NewReplacer(pairs...).Replace(entry)
}

var forwardResults = map[string]vfs.Files{
	"split_by_source": {
		"frame.po":        joined(header, cloud),
		"from_swarm.c.po": joined(shortHeader, split),
		"from_hive.c.po":  joined(shortHeader, hives, move),
		"from_misc.po":    joined(shortHeader, nothing),
		"order.csv":       "position,file\n1,from_swarm.c.po\n2,from_hive.c.po\n3,from_hive.c.po\n4,from_misc.po\n",
	},
	"plural_cases": {
		"plurals.po":   joined(shortHeader, hives),
		"singulars.po": joined(header, split, move, nothing, cloud),
		"plurals.csv":  "position,context,source\n2,,\"%d hive, %s\"\n",
		"plural_cases.csv": "n,form\n0,2\n1,0\n2,1\n3,1\n4,1\n5,2\n6,2\n7,2\n8,2\n9,2\n10,2\n11,2\n12,2\n" +
			"13,2\n14,2\n15,2\n16,2\n17,2\n18,2\n19,2\n20,2\n21,2\n22,1\n23,1\n24,1\n",
	},
	"review_queue": {"review.po": joined(header,
		"# review-seq: 3\n"+move, "# review-seq: 4\n"+nothing, "# review-seq: 2\n"+hives, "# review-seq: 1\n"+split, cloud)},
	"length_audit": {"lengths.po": joined(header,
		"#. len: 15/19 ratio 1.27 no 3\n"+move,
		edited(split, "#:", "#. len: 7/8 ratio 1.14 no 1\n#:"),
		edited(hives, "#:", "#. len: 11/9 ratio 0.82 no 2\n#:"),
		edited(nothing, "msgid", "#. len: 7/0 ratio 0.00 no 4\nmsgid"), cloud)},
	"release_order": {
		"release.po": joined(header, edited(move, "fuzzy, ", ""), hives,
			edited(split, "#. ", "#. [VERIFIED] "), edited(nothing, "#. ", "#. [VERIFIED] "), cloud),
		"release.json": `[
  {
    "context": "menu",
    "source": "Split\t…",
    "fuzzy": false
  },
  {
    "context": "",
    "source": "%d hive, %s",
    "fuzzy": false
  },
  {
    "context": "",
    "source": "Move %s to %d%%",
    "fuzzy": true
  },
  {
    "context": "",
    "source": "Nothing",
    "fuzzy": false
  }
]
`,
	},
	"reference_map": {
		"unreferenced.po": joined(header, edited(split, "#: src/swarm.c:34 ui/swarm.ui:2\n", ""),
			edited(hives, "#: src/hive.c:101\n", ""), edited(move, "#: src/hive.c:9\n", ""), nothing, cloud),
		"source_map.json": `[
  {
    "context": "menu",
    "source": "Split\t…",
    "references": [
      "src/swarm.c:34 ui/swarm.ui:2"
    ]
  },
  {
    "context": "",
    "source": "%d hive, %s",
    "references": [
      "src/hive.c:101"
    ]
  },
  {
    "context": "",
    "source": "Move %s to %d%%",
    "references": [
      "src/hive.c:9"
    ]
  }
]
`,
	},
	"translator_sheet": {
		"header.txt": header,
		"translations.csv": `no,status,context,source,plural,form_0,form_1,form_2,flags,references,extracted,notes,old
1,,menu,Split\t…,,Odkład\t…,,,,src/swarm.c:34 ui/swarm.ui:2,Verb.,,
2,,,"%d hive, %s","%d hives, %s","%d ul, %s","%d ule, %s","%d uli, %s",c-format,src/hive.c:101,,"JS: ul, nie rodzina",
3,,,Move %s to %d%%,,Przestaw %s na %d%%,,,"fuzzy, c-format",src/hive.c:9,,,"msgid ""Move hive"""
4,,,Nothing,,,,,,,Shown in an empty list.,,
5,obsolete,,Cloud,,Chmura,,,,,,,
`,
	},
	"placeholder_marks": {
		"marked.po": joined(header, split, edited(hives, "%d", "{1}", "%s", "{2}"),
			edited(move, "%s to %d%%", "{2} to {1}%%", "%s na %d%%", "{2} na {1}%%"), nothing, cloud),
		"placeholders.csv": "mark,placeholder,uses\n1,%d,7\n2,%s,7\n",
	},
}

// catalogueFile is that of the documents in these tests.
const catalogueFile = "pl.po"

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "translation1") }

func TestEditsHaveExactResults(t *testing.T) {
	t.Parallel()
	document := vfs.Files{catalogueFile: joined(header, split, hives, move, nothing, cloud)}
	domaintest.Results(t, demonstration(t), document, forwardResults, domaintest.ToTheLetter)
}

// TestOtherParameters has edits of another document than the built-in one.
func TestOtherParameters(t *testing.T) {
	t.Parallel()
	document := vfs.Files{"cs.po": joined(header, split, hives, nothing)}
	edits := domaintest.Making(t, New(), map[string]string{
		"split_by_source":  `{"document": "cs.po", "begins": "", "others": "none", "frame": "head.po", "table": "places.csv"}`,
		"split_plurals":    `{"document": "cs.po", "plurals": "p.po", "singulars": "s.po", "table": "t.csv", "cases": "c.csv", "most": 1}`,
		"queue_for_review": `{"document": "cs.po", "to": "queue.po", "mark": "was no."}`,
		"release":          `{"document": "cs.po", "to": "final.po", "mark": "OK", "list": "list.json"}`,
	})
	domaintest.Results(t, edits, document, map[string]vfs.Files{
		"split_by_source": {
			"head.po": header, "swarm.c.po": joined(shortHeader, split), "hive.c.po": joined(shortHeader, hives), "none.po": joined(shortHeader, nothing),
			"places.csv": "position,file\n1,swarm.c.po\n2,hive.c.po\n3,none.po\n",
		},
		"split_plurals": {
			"p.po": joined(shortHeader, hives), "s.po": joined(header, split, nothing),
			"t.csv": "position,context,source\n2,,\"%d hive, %s\"\n", "c.csv": "n,form\n0,2\n1,0\n",
		},
		"queue_for_review": {
			"queue.po": joined(header, "# was no.: 3\n"+nothing, "# was no.: 2\n"+hives, "# was no.: 1\n"+split),
		},
		"release": {
			"final.po": joined(header, hives, edited(split, "#. ", "#. OK "), edited(nothing, "#. ", "#. OK ")),
			"list.json": `[
  {
    "context": "menu",
    "source": "Split\t…",
    "fuzzy": false
  },
  {
    "context": "",
    "source": "%d hive, %s",
    "fuzzy": false
  },
  {
    "context": "",
    "source": "Nothing",
    "fuzzy": false
  }
]
`,
		},
	}, domaintest.ToTheLetter)
}

func TestBackwardStepsMakeDoWithDamage(t *testing.T) {
	t.Parallel()
	document := vfs.Files{catalogueFile: joined(header, split, hives, move, nothing, cloud)}
	for edit, c := range map[string]struct {
		file, was, is string // the damage to the forward state
		want          string // the document that the backward step makes of it
	}{
		"split_by_source":   {"from_hive.c.po", hives + "\n", "", joined(header, split, move, nothing, cloud)},
		"plural_cases":      {"plurals.po", hives, "", joined(header, split, move, nothing, cloud)},
		"review_queue":      {"review.po", "# review-seq: 1\n", "", joined(header, hives, move, nothing, split, cloud)},
		"length_audit":      {"lengths.po", "0.82 no 2", "about 0.8", joined(header, split, move, nothing, edited(hives, "#:", "#. len: 11/9 ratio about 0.8\n#:"), cloud)},
		"release_order":     {"release.po", hives + "\n", "", joined(header, split, move, nothing, cloud)},
		"reference_map":     {"unreferenced.po", "Nothing", "None", joined(header, split, hives, move, edited(nothing, "Nothing", "None"), cloud)},
		"translator_sheet":  {"translations.csv", "5,obsolete,,Cloud,,Chmura,,,,,,,\n", "", joined(header, split, hives, move, nothing)},
		"placeholder_marks": {"placeholders.csv", "2,%s,7\n", "", joined(header, split, edited(hives, "%s", "{2}"), edited(move, "%s", "{2}"), nothing, cloud)},
	} {
		t.Run(edit, func(t *testing.T) {
			t.Parallel()
			e := domaintest.Edit(t, demonstration(t), edit)
			state, err := e.Forward(document)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(state[c.file], c.was) {
				t.Fatalf("%s has no %q", c.file, c.was)
			}
			state[c.file] = strings.Replace(state[c.file], c.was, c.is, 1)
			got, err := e.Backward(state)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(vfs.Files{catalogueFile: c.want}, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestOraclesNameWhatIsMissing(t *testing.T) {
	t.Parallel()
	for _, edit := range demonstration(t).Edits() {
		state, err := edit.Forward(vfs.Files{catalogueFile: joined(header, split, hives)})
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range state.Names() {
			if name == "plural_cases.csv" || strings.HasPrefix(name, "from_") {
				continue // nothing is read from it, or it may have been empty
			}
			less := state.Clone()
			delete(less, name)
			if _, err := edit.Backward(less); err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("%s without %s: %v", edit.Name, name, err)
			}
		}
	}
}
