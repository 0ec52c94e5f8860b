package treebank

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// jsonSentence is a sentence as it is written in JSON; what is "_" is left
// out.
type jsonSentence struct {
	Comments []string    `json:"comments"`
	Tokens   []jsonToken `json:"tokens"`
	Other    []string    `json:"other,omitempty"` // foreign lines
}

type jsonToken struct {
	ID     string   `json:"id"`
	Form   string   `json:"form,omitempty"`
	Lemma  string   `json:"lemma,omitempty"`
	UPOS   string   `json:"upos,omitempty"`
	XPOS   string   `json:"xpos,omitempty"`
	Feats  []string `json:"feats,omitempty"`
	Head   string   `json:"head,omitempty"`
	Deprel string   `json:"deprel,omitempty"`
	Deps   []string `json:"deps,omitempty"`
	Misc   []string `json:"misc,omitempty"`
}

// inJSON makes an array of the sentences.
func inJSON(p struct{ Document, To string }) exact.Steps {
	forward := func(sentences []sentence) (vfs.Files, error) {
		out := make([]jsonSentence, len(sentences))
		for i, s := range sentences {
			out[i] = jsonSentence{Comments: append([]string{}, s.comments...), Tokens: []jsonToken{}, Other: s.foreign}
			for _, t := range s.tokens {
				out[i].Tokens = append(out[i].Tokens, jsonToken{
					t[colID], t.value(colForm), t.value(colLemma), t.value(colUPOS), t.value(colXPOS), t.parts(colFeats),
					t.value(colHead), t.value(colDeprel), t.parts(colDeps), t.parts(colMisc),
				})
			}
		}
		text, err := json.MarshalIndent(out, "", " ")
		if err != nil {
			return nil, fmt.Errorf("writing %s: %w", p.To, err)
		}
		return vfs.Files{p.To: string(text) + "\n"}, nil
	}
	return treebanks.Whole(p.Document, forward, func(files vfs.Files) ([]sentence, error) {
		var in []jsonSentence
		err := plain.JSON(files, p.To, &in)
		sentences := make([]sentence, len(in))
		for i, s := range in {
			sentences[i] = sentence{comments: s.Comments, foreign: s.Other}
			for _, t := range s.Tokens {
				sentences[i].tokens = append(sentences[i].tokens, token{
					orNone(t.ID), orNone(t.Form), orNone(t.Lemma), orNone(t.UPOS), orNone(t.XPOS), orNone(t.Feats...),
					orNone(t.Head), orNone(t.Deprel), orNone(t.Deps...), orNone(t.Misc...),
				})
			}
		}
		return sentences, err
	})
}

// value is a column's text, empty for none.
func (t token) value(column int) string {
	if t[column] == none {
		return ""
	}
	return t[column]
}

// parts are the members of a column with a list.
func (t token) parts(column int) []string {
	if t[column] == none {
		return nil
	}
	return strings.Split(t[column], "|")
}

// orNone is the reverse of value and parts.
func orNone(parts ...string) string { return cmp.Or(strings.Join(parts, "|"), none) }
