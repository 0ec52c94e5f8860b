package treebank

import (
	"errors"
	"slices"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// document is the file that every backward step leaves.
const document = "tilting_talk.conllu"

func edits() []domains.Edit {
	return []domains.Edit{
		{Name: "speaker_split", Forward: splitBySpeaker, Backward: mergeFiles},
		{Name: "sentence_types", Forward: splitByType, Backward: mergeFiles},
		{Name: "depth_order", Forward: orderByDepth, Backward: orderByPosition},
		{Name: "head_offsets", Forward: offsetHeads, Backward: countHeads},
		{Name: "annotation_layers", Forward: takeLayers, Backward: addLayers},
		{Name: "swapped_tags", Forward: swapTags, Backward: swapTagsAgain},
		{Name: "anonymised", Forward: hideNames, Backward: showNames},
		{Name: "json_sentences", Forward: toJSON, Backward: fromJSON},
	}
}

var errNoToken = errors.New("no .conllu file with a token")

// readDocument reads the CoNLL-U files that a forward step is given, as one.
func readDocument(files vfs.Files) ([]sentence, error) {
	files = files.Match([]string{"*.conllu"})
	if len(files) == 0 {
		return nil, errNoToken
	}
	return withTokens(interleaved(files))
}

// readNamed reads the CoNLL-U file that a backward step needs.
func readNamed(files vfs.Files, name string) ([]sentence, error) {
	text, err := plain.File(files, name)
	if err != nil {
		return nil, err
	}
	return withTokens(read(text))
}

func withTokens(sentences []sentence) ([]sentence, error) {
	if !slices.ContainsFunc(sentences, func(s sentence) bool { return len(s.tokens) > 0 }) {
		return nil, errNoToken
	}
	return sentences, nil
}

func asDocument(sentences []sentence) vfs.Files { return vfs.Files{document: printAll(sentences)} }

// eachToken calls do with every line of columns, to change it.
func eachToken(sentences []sentence, do func(*sentence, token)) {
	for i := range sentences {
		for _, t := range sentences[i].tokens {
			do(&sentences[i], t)
		}
	}
}
