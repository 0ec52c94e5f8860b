package treebank

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

// offer is a treebank of two sentences to see edits on.
var offer = tabbed(`
# sent_id = o-1
# text = Liv's off?
1-2 Liv's _ _ _ _ _ _ _ _
1 Liv Liv PROPN NNP _ 3 nsubj 3:nsubj _
2 's be AUX VBZ _ 3 cop _ _
3 off off ADV RB _ 0 root _ SpaceAfter=No
4 ? ? PUNCT . _ 3 punct _ _

# sent_id = o-2
# speaker = Old Liv
# text = Ask Liv!
1 Ask ask VERB VB VerbForm=Fin|Mood=Imp 0 root _ _
2 Liv Liv PROPN NNP _ 1 obj _ SpaceAfter=No
2.1 off off ADV RB _ _ _ 1:xcomp CopyOf=0
3 ! ! PUNCT . _ 1 punct _ _
`)

// offerWith is offer with passages replaced, both written with blanks.
func offerWith(t *testing.T, pairs ...string) string {
	t.Helper()
	text := strings.ReplaceAll(offer, "\t", " ")
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			t.Fatalf("offer has no %q", pairs[i])
		}
		text = strings.ReplaceAll(text, pairs[i], pairs[i+1])
	}
	return strings.TrimSuffix(tabbed(text), "\n")
}

// document is the file of the documents in these tests.
const document = "tilting_talk.conllu"

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "treebank1") }

func TestForwardResults(t *testing.T) {
	t.Parallel()
	at := strings.Index(offer, "# sent_id = o-2")
	first, second := offer[:at], offer[at:]
	domaintest.Results(t, demonstration(t), vfs.Files{document: offer}, map[string]vfs.Files{
		"json_sentences": nil, // TestForwardToJSON
		"speaker_split": {
			"no_speaker.conllu": first,
			"old_liv.conllu":    second,
			"order.csv":         "sent_id,file\no-1,no_speaker.conllu\no-2,old_liv.conllu\n",
		},
		"sentence_types": {
			"questions.conllu": first,
			"commands.conllu":  second,
			"order.csv":        "sent_id,file\no-1,questions.conllu\no-2,commands.conllu\n",
		},
		"depth_order": {
			"by_depth.conllu": offerWith(t,
				"off?\n", "off?\n# depth = 1\n# mean_arc = 1.33\n", "Liv!\n", "Liv!\n# depth = 1\n# mean_arc = 1.50\n"),
			"positions.csv": "sent_id,position\no-1,1\no-2,2\n",
		},
		"head_offsets": {
			"tilting_offsets.conllu": offerWith(t, "3 nsubj 3:", "+2 nsubj 3:", "3 cop", "+1 cop", "3 punct", "-1 punct",
				"0 root", "root root", "1 obj", "-1 obj", "_ 1 punct", "_ -2 punct"),
		},
		"annotation_layers": {
			"tilting_basic.conllu": offerWith(t, "VerbForm=Fin|Mood=Imp", "_", "3:nsubj", "_", "SpaceAfter=No", "_",
				"1:xcomp CopyOf=0", "_ _"),
			"layers.csv": "sent_id,id,feats,deps,misc\n" +
				"o-1,1-2,_,_,_\no-1,1,_,3:nsubj,_\no-1,2,_,_,_\no-1,3,_,_,SpaceAfter=No\no-1,4,_,_,_\n" +
				"o-2,1,VerbForm=Fin|Mood=Imp,_,_\no-2,2,_,_,SpaceAfter=No\no-2,2.1,_,1:xcomp,CopyOf=0\no-2,3,_,_,_\n",
		},
		"swapped_tags": {
			"tilting_penn.conllu": offerWith(t, "PROPN NNP", "NNP PROPN", "AUX VBZ", "VBZ AUX", "ADV RB", "RB ADV",
				"PUNCT .", ". PUNCT", "VERB VB", "VB VERB"),
			"tags.csv": "upos,xpos,words\nPROPN,NNP,2\nPUNCT,.,2\nADV,RB,1\nAUX,VBZ,1\nVERB,VB,1\n",
		},
		"anonymised": {
			"tilting_anonymous.conllu": strings.ReplaceAll(strings.ReplaceAll(offer, "Liv", "NAME1"), "Old NAME1", "Old Liv"),
			"names.json":               "{\n  \"NAME1\": {\n    \"form\": \"Liv\",\n    \"lemma\": \"Liv\"\n  }\n}\n",
		},
	}, domaintest.InMeaning)
}

func TestForwardToJSON(t *testing.T) {
	t.Parallel()
	text := "# sent_id = o-3\n# newpar\n1\tGå\tgå\tVERB\t_\tVerbForm=Fin|Mood=Imp\t0\troot\t_\tSpaceAfter=No\n"
	got, err := domaintest.Edit(t, demonstration(t), "json_sentences").Forward(vfs.Files{"offer.conllu": text})
	if err != nil {
		t.Fatal(err)
	}
	want := `[
 {
  "comments": [
   "sent_id = o-3",
   "newpar"
  ],
  "tokens": [
   {
    "id": "1",
    "form": "Gå",
    "lemma": "gå",
    "upos": "VERB",
    "feats": [
     "VerbForm=Fin",
     "Mood=Imp"
    ],
    "head": "0",
    "deprel": "root",
    "misc": [
     "SpaceAfter=No"
    ]
   }
  ]
 }
]
`
	if diff := cmp.Diff(vfs.Files{"tilting_talk.json": want}, got); diff != "" {
		t.Error(diff)
	}
}

func TestDepthGoesBeforeLengthBeforePlace(t *testing.T) {
	t.Parallel()
	sentence := func(id string, heads ...string) string {
		text := "# sent_id = " + id + "\n"
		for n, head := range heads {
			text += strings.Join([]string{string(rune('1' + n)), id, id, "X", "_", "_", head, "dep", "_", "_"}, "\t") + "\n"
		}
		return text + "\n"
	}
	text := sentence("flat", "0", "1") + sentence("chain", "2", "3", "0") + sentence("longer", "0", "1", "1") +
		sentence("alone", "0") + sentence("long", "0", "1", "1") + sentence("circle", "2", "1")
	got, err := domaintest.Edit(t, demonstration(t), "depth_order").Forward(vfs.Files{"a.conllu": text})
	if err != nil {
		t.Fatal(err)
	}
	want := "sent_id,position\nchain,2\ncircle,6\nlonger,3\nlong,5\nflat,1\nalone,4\n"
	if diff := cmp.Diff(want, got["positions.csv"]); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(got["by_depth.conllu"], "# sent_id = alone\n# depth = 0\n# mean_arc = 0.00\n") {
		t.Errorf("a sentence without arcs has other figures in\n%s", got["by_depth.conllu"])
	}
}

func TestNamesAreReplacedAsWholeWordsInOrder(t *testing.T) {
	t.Parallel()
	words := []replacement{{1, "An", "NAME1"}, {2, "also", "also"}, {3, "Al", "NAME2"}, {4, "Gone", "NAME3"}, {5, "An", "NAME4"}}
	for text, want := range map[string]string{
		"An also Al, An.":   "NAME1 also NAME2, NAME4.",
		"Any An also Alan.": "Any NAME1 also Alan.",
		"Al and An's":       "Al and NAME1's",
		"":                  "",
	} {
		if got := replaceInOrder(text, words); got != want {
			t.Errorf("replaceInOrder(%q) = %q, want %q", text, got, want)
		}
	}
}

// TestOraclesTakeDamagedDocuments removes a passage from a forward state, or
// changes it, and expects the differences that this leaves and no others.
func TestOraclesTakeDamagedDocuments(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		edit, file, was, is string
		want                string
	}{
		"a sentence that is not listed comes last": {
			"sentence_types", "order.csv", "o-1,questions.conllu\n", "",
			"sentence o-1: moved",
		},
		"a sentence of another name comes last": {
			"speaker_split", "no_speaker.conllu", "# sent_id = o-1\n", "# sent_id = o-9\n",
			"sentence o-1, sent_id: o-1 -> o-9; sentence o-1: moved",
		},
		"a sentence without a position comes last": {
			"depth_order", "positions.csv", "o-1,1\n", "o-1,first\n",
			"sentence o-1: moved",
		},
		"a head that is no number stays": {
			"head_offsets", "tilting_offsets.conllu", "+2\tnsubj", "up\tnsubj",
			"o-1: 1 Liv, head: 3 -> up",
		},
		"a line without a row has no layers": {
			"annotation_layers", "layers.csv", "o-2,2.1,_,1:xcomp,CopyOf=0\n", "",
			"o-2: 2.1 off, deps: 1:xcomp -> (nothing); o-2: 2.1 off, misc: CopyOf=0 -> (nothing)",
		},
		"a name that is not given stays hidden": {
			"anonymised", "names.json", "NAME1", "NAME2",
			"sentence o-1, text: Liv's off? -> NAME1's off?; sentence o-2, text: Ask Liv! -> Ask NAME1!",
		},
		"what JSON lacks is nothing": {
			"json_sentences", "tilting_talk.json", `"deprel": "cop"`, `"rel": "cop"`,
			"o-1: 2 's, deprel: cop -> (nothing)",
		},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			files, err := domaintest.Edit(t, demonstration(t), c.edit).Forward(vfs.Files{document: offer})
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(files[c.file], c.was) {
				t.Fatalf("%s has no %q:\n%s", c.file, c.was, files[c.file])
			}
			files[c.file] = strings.Replace(files[c.file], c.was, c.is, 1)
			got, err := domaintest.Edit(t, demonstration(t), c.edit).Backward(files)
			if err != nil {
				t.Fatal(err)
			}
			var found []string
			for _, d := range New().Differences(vfs.Files{document: offer}, got) {
				// With a sentence its words move; they need no list of their own.
				text, _, _ := strings.Cut(d.String(), " from place")
				if strings.HasPrefix(text, "sentence") || !strings.HasPrefix(c.want, "sentence") {
					found = append(found, text)
				}
			}
			if diff := cmp.Diff(c.want, strings.Join(found, "; ")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestBackwardSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files vfs.Files
		want  string
	}{
		"speaker_split":     {vfs.Files{"una.conllu": offer}, "order.csv is missing"},
		"sentence_types":    {vfs.Files{"order.csv": "sent_id,file\n"}, "no .conllu file with a token"},
		"depth_order":       {vfs.Files{"positions.csv": "sent_id,position\n"}, "by_depth.conllu is missing"},
		"annotation_layers": {vfs.Files{"tilting_basic.conllu": offer, "layers.csv": "sent_id,id\n"}, `reading layers.csv: no column "feats" among sent_id, id`},
		"anonymised":        {vfs.Files{"tilting_anonymous.conllu": offer, "names.json": "{"}, "reading names.json: unexpected end of JSON input"},
		"json_sentences":    {vfs.Files{"tilting_talk.json": "[]"}, "no .conllu file with a token"},
	} {
		if _, err := domaintest.Edit(t, demonstration(t), name).Backward(c.files); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
