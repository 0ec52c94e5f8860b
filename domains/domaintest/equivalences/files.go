package equivalences

import (
	"path"
	"regexp"
	"strings"

	"pgregory.net/rapid"

	"agentd/domains/domaintest"
	"agentd/vfs"
)

// fileEquivalences are those of how a document is divided into files, and what these are called.
var fileEquivalences = map[string][]domaintest.Equivalence{
	"audiosyn": {divided("an orchestra in a file of its own", true, `(?s)(<CsInstruments>\n)(.*?)(</CsInstruments>)`,
		func(groups []string) (string, vfs.Files) {
			return groups[1] + "#include \"studio.orc\"\n" + groups[3], vfs.Files{"studio.orc": groups[2]}
		}),
		divided("an orchestra that is not there", false, `(?s)(<CsInstruments>\n)(.*?)(</CsInstruments>)`,
			func(groups []string) (string, vfs.Files) {
				return groups[1] + "#include \"studio.orc\"\n" + groups[3], nil
			}),
	},
	"fonteng": {
		divided("features in a file that sorts first", true, `(?s)\n(feature .*)`,
			func(groups []string) (string, vfs.Files) { return "\n", vfs.Files{"0_features.fea": groups[1]} }),
		domaintest.Swapped("features in another order", false, `(?s)\nfeature (?:ss01|onum|smcp|liga|frac) \{.*?\n\} \w+;`),
	},
	"latex": {
		{Name: "a bibliography of another name", Same: true, Apply: func(t *rapid.T, files vfs.Files) vfs.Files {
			to := rapid.SampledFrom([]string{"refs.bib", "a.bib", "works2.bib"}).Draw(t, "name")
			changed := vfs.Files{}
			for name, text := range files {
				if path.Ext(name) == ".bib" {
					name = to
				}
				changed[name] = text
			}
			return changed
		}},
		domaintest.Rewritten("another bibliography asked for", false, `\\(bibliography|addbibresource)\{`, `\${1}{x`),
	},
}

// divided takes the first match of a pattern out of a document of one file. parts returns what stays
// in its place, and the other files.
func divided(name string, same bool, pattern string, parts func(groups []string) (stays string, others vfs.Files)) domaintest.Equivalence {
	compiled := regexp.MustCompile(pattern)
	return domaintest.Equivalence{Name: name, Same: same, Needs: compiled, Apply: func(t *rapid.T, files vfs.Files) vfs.Files {
		rapid.Bool().Draw(t, "rapid wants something drawn")
		changed := vfs.Files{}
		for file, text := range files {
			groups := compiled.FindStringSubmatch(text)
			if groups == nil {
				changed[file] = text
				continue
			}
			stays, others := parts(groups)
			changed[file] = strings.Replace(text, groups[0], stays, 1)
			for other, text := range others {
				changed[other] = text
			}
		}
		return changed
	}}
}
