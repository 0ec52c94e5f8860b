// Package sim is a stand-in for a model: a program that answers through a real HTTP
// server in the dialects of OpenAI, Anthropic and Google.
//
// The stand-in knows only what a request contains: it reads the instruction and the files from
// the prompt or from tool results. An Editor replaces the understanding of language: it
// recognises an instruction and does the edit exactly. The profile sets how often the stand-in
// loses an element, alters a number or a word, edits by a script instead of write_file, and
// reads irrelevant files. Its results show what the harness measures, not what a model can do.
package sim

import (
	"fmt"
	"math/rand/v2"
)

// Editor recognises instructions.
type Editor interface {
	// Find returns the job that a prompt's text asks for. files are the names of the existing
	// files, and targets the names or patterns of those to produce. It returns false if the
	// text is not understood.
	Find(text string, files, targets []string) (Job, bool)
}

// Job is one direction of an edit.
type Job struct {
	// Sources and Targets are the names or patterns of the documents before and after the job.
	Sources, Targets []string
	// Exact says that Do without damage is the edit itself. Otherwise Do only copies the
	// documents to other names.
	Exact bool
	// Partial says that the text contains only the beginning of an instruction, so that nothing
	// can be done yet.
	Partial bool
	// IsDocument reports whether a file is a document.
	IsDocument func(name string) bool
	// Do returns the files to produce, damaged.
	Do func(files map[string]string, damage Damage) map[string]string
	// Renamed maps requested names to the files whose documents get them, for a job that
	// changes only names. files are the names of all files. left are the documents without a
	// requested name.
	Renamed func(files []string) (names map[string]string, left []string)
	// Program returns a Python script that does the job, with damage, on the binary files; "" if
	// the documents are text. above is the prefix of file names.
	Program func(files []string, above string, damage Damage) string
}

// Damage sets how much a job spoils. Rates are probabilities for each element, number and word
// of the document.
type Damage struct {
	Drop, Number, Text float64
	Random             *rand.Rand
}

// None reports whether nothing is spoilt.
func (d Damage) None() bool { return d.Drop == 0 && d.Number == 0 && d.Text == 0 }

// Profile describes a stand-in's behaviour.
type Profile struct {
	Name    string
	Summary string
	// Rates of damage in each interaction.
	Drop, Number, Text float64
	// Script is the share of interactions edited by a script. Both is the share edited by a
	// script and then by write_file. The others use only write_file.
	Script, Both float64
	// Distractor is the probability that an irrelevant file is read.
	Distractor float64
	// Controls, which a measurement must distinguish from work. Refuses refuses every edit.
	// Echoes returns the documents unchanged under the requested names. Cut ends answers after
	// a few characters.
	Refuses, Echoes, Cut bool
}

// Control reports whether the profile is a control.
func (p Profile) Control() bool { return p.Refuses || p.Echoes || p.Cut }

// Profiles lists the stand-ins, best first, then the controls. The rates also stand in each Summary and in docs/design.md.
func Profiles() []Profile {
	return []Profile{
		{Name: "perfect", Summary: "does every edit exactly", Script: 0.5, Both: 0.1},
		{Name: "frontier", Summary: "loses 0.1 % of elements, alters 0.05 % of numbers and words in each interaction",
			Drop: 0.001, Number: 0.0005, Text: 0.0005, Script: 0.45, Both: 0.1, Distractor: 0.1},
		{Name: "weak", Summary: "loses 1 % of elements, alters 0.3 % of numbers and words in each interaction",
			Drop: 0.01, Number: 0.003, Text: 0.003, Script: 0.2, Both: 0.05, Distractor: 0.4},
		{Name: "refuse", Summary: "a control: refuses every edit in words", Refuses: true},
		{Name: "echo", Summary: "a control: gives the documents back unchanged, under the names that are asked for", Echoes: true},
		{Name: "cut", Summary: fmt.Sprintf("a control: its answers end after %d characters", cutAfter), Cut: true, Script: 0.5, Both: 0.1},
	}
}

// ProfileNamed returns the named profile. It returns false if there is none.
func ProfileNamed(name string) (Profile, bool) {
	for _, p := range Profiles() {
		if p.Name == name {
			return p, true
		}
	}
	return Profile{}, false
}
