package catalog_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"agentd/domains/catalog"
	"agentd/domains/domaintest"
	"agentd/domains/domaintest/equivalences"
	"agentd/environments"
	"agentd/vfs"
)

const builtins = "../../environments/builtin"

// closings are tokens by which something is closed, of formats that have some. The last one in the seed is lost.
var closings = map[string]string{
	"audiosyn": "</CsScore>", "calendar": "END:VEVENT", "chess": "}", "circuit": ".ends", "crystal": "\n;\n", "dbschema": ");\n",
	"dns": ")", "edifact": "UNZ", "fonteng": "}", "genealogy": "0 TRLR", "geodata": "}", "geotrack": "</gpx>",
	"graphviz": "}", "hamradio": "<EOR>", "infra": "}", "json": "}", "landmarks": "</kml>", "latex": "\\end{document}",
	"libcatalog": "</record>", "makefile": "endif", "malware": "}", "mathlean": ")", "molecule": "M  END", "musicsheet": "}",
	"playlist": "</track>", "protein": "END", "python": ")", "quantum": ";", "robotics": "</link>", "satellite": "\n2 ",
	"slides": "\n---\n", "spreadsheet": "\"", "starcatalog": "</TR>", "subtitles": "\n\n", "translation": "\"",
	"treebank": "\n\n", "vector": "</g>", "weaving": "]",
}

// endless are those of them of which every part that ends with a line can be a document.
var endless = []string{"dns", "makefile", "python", "satellite", "slides", "subtitles"}

// notItsForm are edits that lead, on purpose, to what the tools of the format do not read.
// Each has its reason.
var notItsForm = map[string]string{
	"accounting2 bank_check":      "its files are parts of a journal",
	"chess1 board_files":          "its files are parts of the games",
	"chess1 longest_first":        "the game with the unended comment is last no more",
	"dns1 address_codes":          "codes stand for addresses",
	"emails1 masked_addresses":    "codes stand for addresses",
	"makefile2 block_tree":        "a tree in JSON takes the name of the file",
	"mathlean1 golf_piles":        "its files begin without what stands above",
	"mathlean1 kind_files":        "its files begin without what stands above",
	"mathlean1 longest_first":     "declarations come before what they stand in",
	"obj3d1 survey_sheet":         "codes stand for coordinates",
	"quantum1 longest_first":      "the version is the first statement no more",
	"subtitles1 countdown_leader": "the times have a point for the comma",
	"weaving1 alphabetical":       "[WIF] is the first section no more",
	"weaving1 section_sizes":      "a heading has a note after it",
	"weaving1 warp_and_weft":      "its files are parts of a draft",
}

// The form of seeds is right, and stays right where a change is free by the format's rules.
func TestNoFormIsLostByWhatIsFree(t *testing.T) {
	t.Parallel()
	// What Strict forgives and tools of the format do not read.
	lost := map[string]bool{"subtitles: a dot for the comma": true, "subtitles: another number": true, "translation: references carried on": true}
	for _, d := range catalog.All() {
		name := d.Info().Name
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if d.Info().Binary {
				t.Skip("pictures have no lines")
			}
			seed := domaintest.Seed(t, name+"1")
			for _, s := range d.Slips(seed) {
				t.Errorf("the seed: %s: %s", s.File, s)
			}
			reference := d.Against(seed)
			for _, e := range equivalences.All()[name] {
				if !e.Same || strings.Contains(e.Name, "fence") {
					continue
				}
				for n, candidate := range e.Candidates(seed, 0, 3) {
					if broken := reference.Broken(candidate); len(broken) > 0 != lost[name+": "+e.Name] {
						t.Errorf("%s, trial %d: %v", e.Name, n, broken)
					}
				}
			}
		})
	}
}

// What the oracles of the built-in edits make has the form of its file names, and so has what they lead back to.
func TestNoFormIsLostByEdits(t *testing.T) {
	t.Parallel()
	folders, err := os.ReadDir(builtins)
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		t.Run(folder.Name(), func(t *testing.T) {
			t.Parallel()
			found, err := environments.Load(filepath.Join(builtins, folder.Name()))
			if err != nil {
				t.Fatal(err)
			}
			env := found[0]
			d, ok := catalog.Lookup(env.Domain)
			if !ok || d.Info().Binary {
				t.Skip("it has no text")
			}
			reference := d.Against(env.Seed)
			for _, edit := range env.Edits {
				made, ok := env.OracleFor(edit, d)
				if !ok {
					continue
				}
				there, err := made.Forward(env.Seed)
				if err != nil {
					t.Fatal(err)
				}
				back, err := made.Backward(there)
				if err != nil {
					t.Fatal(err)
				}
				for label, files := range map[string]vfs.Files{"forward": there, "backward": back} {
					broken, away := reference.Broken(files), label == "forward" && notItsForm[folder.Name()+" "+edit.Name] != ""
					if len(broken) > 0 != away {
						t.Errorf("%s %s: %v", edit.Name, label, broken[:min(3, len(broken))])
					}
				}
			}
		})
	}
}

// What breaks a file for the tools of its format is found in every domain.
func TestFormThatIsLost(t *testing.T) {
	t.Parallel()
	for _, d := range catalog.All() {
		name := d.Info().Name
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if d.Info().Binary {
				t.Skip("pictures have no lines")
			}
			seed := domaintest.Seed(t, name+"1")
			file := largest(seed)
			text := seed[file]
			damages := map[string]string{
				"a code fence":                 "```\n" + text + "```\n",
				"a code fence with a language": "```" + name + "\n" + strings.TrimRight(text, "\n") + "\n```",
				"a remark on top":              "Here is the updated file:\n\n" + text,
				"an answer around it":          "Sure! Here's the restored document:\n```\n" + text + "```\nLet me know if you need anything else!\n",
				"a remark at the end":          text + "\nLet me know if you would like any other changes.\n",
			}
			if token, ends := closings[name]; ends {
				at := strings.LastIndex(text, token)
				if at < 0 {
					t.Fatalf("the seed has no %q", token)
				}
				damages["a closing token lost"] = text[:at] + strings.Repeat("\n", min(1, strings.Count(token, "\n"))) + text[at+len(token):]
				if !slices.Contains(endless, name) {
					damages["cut in the middle"] = text[:len(text)/2]
				}
			}
			reference := d.Against(seed)
			for label, damaged := range damages {
				candidate := seed.Clone()
				candidate[file] = damaged
				if broken := reference.Broken(candidate); len(broken) == 0 {
					t.Errorf("%s: nothing is found", label)
				} else if slices.Contains([]string{"a remark on top"}, label) && broken[0].Line > 3 {
					t.Errorf("%s: %v", label, broken)
				}
			}
		})
	}
}

// largest is the name of the longest file.
func largest(files vfs.Files) string {
	return slices.MaxFunc(files.Names(), func(a, b string) int { return len(files[a]) - len(files[b]) })
}
