package treebank

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	offsetsFile = "tilting_offsets.conllu"
	rootOffset  = "root"
)

// offsetHeads writes heads relative to the word, as in +3 and -1.
func offsetHeads(files vfs.Files) (vfs.Files, error) {
	sentences, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	eachToken(sentences, func(_ *sentence, t token) {
		id, isNumber := t.number(colID)
		head, ok := t.number(colHead)
		switch {
		case !ok || !isNumber:
		case head == 0:
			t[colHead] = rootOffset
		default:
			t[colHead] = fmt.Sprintf("%+d", head-id)
		}
	})
	return vfs.Files{offsetsFile: printAll(sentences)}, nil
}

func countHeads(files vfs.Files) (vfs.Files, error) {
	sentences, err := readNamed(files, offsetsFile)
	if err != nil {
		return nil, err
	}
	eachToken(sentences, func(_ *sentence, t token) {
		id, isNumber := t.number(colID)
		offset, ok := t.number(colHead)
		switch {
		case t[colHead] == rootOffset:
			t[colHead] = "0"
		case ok && isNumber:
			t[colHead] = strconv.Itoa(id + offset)
		}
	})
	return asDocument(sentences), nil
}

const (
	basicFile  = "tilting_basic.conllu"
	layersFile = "layers.csv"
)

// takeLayers moves features, enhanced dependencies and MISC into a table.
func takeLayers(files vfs.Files) (vfs.Files, error) {
	sentences, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	layers := [][]string{{"sent_id", "id", "feats", "deps", "misc"}}
	eachToken(sentences, func(s *sentence, t token) {
		layers = append(layers, []string{s.id(), t[colID], t[colFeats], t[colDeps], t[colMisc]})
		t[colFeats], t[colDeps], t[colMisc] = none, none, none
	})
	return vfs.Files{basicFile: printAll(sentences), layersFile: plain.WriteCSV(layers)}, nil
}

// addLayers gives each line the first row of its sentence and ID that is not
// yet taken.
func addLayers(files vfs.Files) (vfs.Files, error) {
	rows, err := plain.Table(files, layersFile, "sent_id", "id", "feats", "deps", "misc")
	if err != nil {
		return nil, err
	}
	sentences, err := readNamed(files, basicFile)
	if err != nil {
		return nil, err
	}
	type place struct{ sentence, id string }
	waiting := map[place][][]string{}
	for _, row := range rows {
		at := place{row[0], row[1]}
		waiting[at] = append(waiting[at], row)
	}
	eachToken(sentences, func(s *sentence, t token) {
		at := place{s.id(), t[colID]}
		if queue := waiting[at]; len(queue) > 0 {
			t[colFeats], t[colDeps], t[colMisc] = orNone(queue[0][2]), orNone(queue[0][3]), orNone(queue[0][4])
			waiting[at] = queue[1:]
		}
	})
	return asDocument(sentences), nil
}

const (
	pennFile = "tilting_penn.conllu"
	tagsFile = "tags.csv"
)

// swapTags exchanges the two tags of every line and counts their pairs.
func swapTags(files vfs.Files) (vfs.Files, error) {
	sentences, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	type tags struct{ upos, xpos string }
	counts := map[tags]int{}
	var pairs []tags
	eachToken(sentences, func(_ *sentence, t token) {
		pair := tags{t[colUPOS], t[colXPOS]}
		t[colUPOS], t[colXPOS] = t[colXPOS], t[colUPOS]
		if !t.isWord() {
			return
		}
		if counts[pair] == 0 {
			pairs = append(pairs, pair)
		}
		counts[pair]++
	})
	slices.SortFunc(pairs, func(a, b tags) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a.upos, b.upos), cmp.Compare(a.xpos, b.xpos))
	})
	table := [][]string{{"upos", "xpos", "words"}}
	for _, pair := range pairs {
		table = append(table, []string{pair.upos, pair.xpos, strconv.Itoa(counts[pair])})
	}
	return vfs.Files{pennFile: printAll(sentences), tagsFile: plain.WriteCSV(table)}, nil
}

func swapTagsAgain(files vfs.Files) (vfs.Files, error) {
	sentences, err := readNamed(files, pennFile)
	if err != nil {
		return nil, err
	}
	eachToken(sentences, func(_ *sentence, t token) { t[colUPOS], t[colXPOS] = t[colXPOS], t[colUPOS] })
	return asDocument(sentences), nil
}
