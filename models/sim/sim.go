// Package sim is a stand-in for a model: a program that answers through a real HTTP
// server in the dialects of OpenAI, Anthropic and Google.
//
// It knows only what a request holds: it reads the instruction and the files from the
// prompt or from tool results. An Editor takes the place of language: it recognises
// an instruction and does the edit exactly. The profile says how often the stand-in
// leaves out an element, alters a number or a word, edits by a script instead of
// write_file, and reads files that have nothing to do with the task. It shows what
// the harness measures, not what a model can do.
package sim

import (
	"fmt"
	"math/rand/v2"
)

// Editor recognises instructions.
type Editor interface {
	// Find returns the job that a prompt's text asks for. files are the names
	// of the files there are, targets the names or patterns of those to be
	// produced. False if nothing can be made of it.
	Find(text string, files, targets []string) (Job, bool)
}

// Job is one direction of an edit.
type Job struct {
	// Sources and Targets are names, or patterns of names, of the documents that the job is
	// done on, and of those that it makes.
	Sources, Targets []string
	// Exact says that Do without damage is the edit itself. If not, Do only copies the
	// documents to other names.
	Exact bool
	// Partial says that the text has the beginning of an instruction alone; nothing can be
	// done yet.
	Partial bool
	// IsDocument tells the documents among the files.
	IsDocument func(name string) bool
	// Do returns the files to produce, damaged.
	Do func(files map[string]string, damage Damage) map[string]string
	// Renamed gives the documents the names of the files to produce, and changes nothing else:
	// the names that are asked for, each with the name that its document has among all files.
	// left are the documents for which there is no name.
	Renamed func(files []string) (names map[string]string, left []string)
	// Program is a Python script that does the job, damaged, on those of the files that
	// are binary; "" if the documents are text. above begins the names of files.
	Program func(files []string, above string, damage Damage) string
}

// Damage says how much a job is to spoil. Rates are probabilities for each
// counted element, number and word of the document.
type Damage struct {
	Drop, Number, Text float64
	Random             *rand.Rand
}

// None reports whether nothing is to be spoilt.
func (d Damage) None() bool { return d.Drop == 0 && d.Number == 0 && d.Text == 0 }

// Profile is how a stand-in behaves.
type Profile struct {
	Name    string
	Summary string
	// Rates of damage in each interaction.
	Drop, Number, Text float64
	// Script is the share of interactions edited by a script, Both of those
	// edited by a script and then by write_file as well; the rest is edited by
	// write_file alone.
	Script, Both float64
	// Distractor is the probability that a file which has nothing to do with
	// the task is read.
	Distractor float64
	// Controls, which a measurement must tell from work: one refuses every edit, one
	// gives the documents back unchanged, under the names that are asked for, and the
	// answers of one end after a few characters.
	Refuses, Echoes, Cut bool
}

// Control reports whether the profile is a control.
func (p Profile) Control() bool { return p.Refuses || p.Echoes || p.Cut }

// Profiles lists the stand-ins there are, best first, then the controls.
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

// ProfileNamed returns the profile of that name; false if there is none.
func ProfileNamed(name string) (Profile, bool) {
	for _, p := range Profiles() {
		if p.Name == name {
			return p, true
		}
	}
	return Profile{}, false
}
