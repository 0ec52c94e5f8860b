package treebank

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"agentd/domains"
	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// treebanks says how treebanks, which are lists of sentences, are taken apart and put together.
var treebanks = exact.Format[[]sentence, sentence]{
	Patterns: []string{"*.conllu"},
	Read:     read,
	Print:    printAll,
	Parts:    func(sentences *[]sentence) *[]sentence { return sentences },
	Join:     interleave,
	Empty:    errors.New("no .conllu file with a token"),
	Counts:   func(s *sentence) bool { return len(s.tokens) > 0 },
}

func edits() []domains.Edit {
	return []domains.Edit{
		domains.Taking("split_by_comment", splitByComment),
		domains.Taking("split_by_type", splitByType),
		domains.Taking("sort_by_depth", sortByDepth),
		domains.Taking("offset_heads", offsetHeads),
		domains.Taking("columns_apart", columnsApart),
		domains.Taking("swap_tags", swapTags),
		domains.Taking("hide_names", hideNames),
		domains.Taking("json", inJSON),
	}
}

// eachToken calls do with every line of columns, to change it.
func eachToken(sentences []sentence, do func(*sentence, token)) {
	for i := range sentences {
		for _, t := range sentences[i].tokens {
			do(&sentences[i], t)
		}
	}
}

// split hands the sentences out, in order, to the files that fileOf names, and
// lists where they went.
func split(document, table string, fileOf func(*sentence) string) exact.Steps {
	forward := func(sentences []sentence) (vfs.Files, error) {
		rows := [][]string{{"sent_id", "file"}}
		made := treebanks.Divide(sentences, "", func(s *sentence) string {
			name := fileOf(s)
			rows = append(rows, []string{s.id(), name})
			return name
		})
		made[table] = plain.WriteCSV(rows)
		return made, nil
	}
	return treebanks.Whole(document, forward, func(files vfs.Files) ([]sentence, error) {
		rows, err := plain.Table(files, table, "sent_id", "file")
		if err != nil {
			return nil, err
		}
		for n := range rows {
			rows[n] = append(rows[n], strconv.Itoa(n))
		}
		listed := plain.NotesBy(rows, func(row []string) string { return row[0] + "\t" + row[1] })
		positions := map[exact.Place]int{}
		for name, text := range files.Match(treebanks.Patterns) {
			for i, s := range read(text) {
				if row := listed.Take(s.id() + "\t" + name); row != nil {
					positions[exact.Place{File: name, Number: i + 1}] = plain.LineNumber(row[2])
				}
			}
		}
		return treebanks.Merge(files, "", positions)
	})
}

// splitByComment makes a file of the sentences with each value of a comment.
func splitByComment(p struct{ Document, Comment, Others, Table string }) exact.Steps {
	return split(p.Document, p.Table, func(s *sentence) string {
		return exact.FileName(s.comment(p.Comment), ".conllu", p.Others)
	})
}

// splitByType tells questions, commands and statements apart.
func splitByType(p struct{ Document, Questions, Commands, Statements, Table string }) exact.Steps {
	return split(p.Document, p.Table, func(s *sentence) string {
		last, imperative := "", false
		for _, t := range s.tokens {
			if t.isWord() {
				last = t[colForm]
				imperative = imperative || slices.Contains(t.parts(colFeats), "Mood=Imp")
			}
		}
		switch {
		case last == "?":
			return p.Questions
		case imperative:
			return p.Commands
		}
		return p.Statements
	})
}

// sortByDepth notes the depth and the mean length of arcs of every sentence,
// and sorts by depth, then number of words.
func sortByDepth(p struct{ Document, To, Table string }) exact.Steps {
	change := func(sentences *[]sentence) (vfs.Files, error) {
		for i := range *sentences {
			s := &(*sentences)[i]
			t := treeOf(s)
			s.comments = append(s.comments, fmt.Sprintf("depth = %d", t.depth()), "mean_arc = "+t.meanArc())
		}
		rows := [][]string{{"sent_id", "position"}}
		for n, position := range treebanks.Sort(sentences, func(a, b *sentence) int {
			x, y := treeOf(a), treeOf(b)
			return cmp.Or(cmp.Compare(y.depth(), x.depth()), cmp.Compare(len(y.words), len(x.words)))
		}) {
			rows = append(rows, []string{(*sentences)[n].id(), strconv.Itoa(position)})
		}
		return vfs.Files{p.Table: plain.WriteCSV(rows)}, nil
	}
	return treebanks.Rewrite(p.Document, p.To, change, func(sentences *[]sentence, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, "sent_id", "position")
		listed := plain.NotesBy(rows, func(row []string) string { return row[0] })
		treebanks.SortByNumber(sentences, func(s *sentence) (int, bool) {
			s.comments = slices.DeleteFunc(s.comments, func(c string) bool {
				name, _ := cutComment(c)
				return name == "depth" || name == "mean_arc"
			})
			row := listed.Take(s.id())
			if row == nil {
				return 0, false
			}
			position, err := strconv.Atoi(row[1])
			return position, err == nil
		})
		return err
	})
}

// offsetHeads writes heads relative to the word, as in +3 and -1, and a word for the root.
func offsetHeads(p struct{ Document, To, Root string }) exact.Steps {
	change := func(sentences *[]sentence) {
		eachToken(*sentences, func(_ *sentence, t token) {
			id, isNumber := t.number(colID)
			head, ok := t.number(colHead)
			switch {
			case !ok || !isNumber:
			case head == 0:
				t[colHead] = p.Root
			default:
				t[colHead] = fmt.Sprintf("%+d", head-id)
			}
		})
	}
	return treebanks.Change(p.Document, p.To, change, func(sentences *[]sentence) {
		eachToken(*sentences, func(_ *sentence, t token) {
			id, isNumber := t.number(colID)
			offset, ok := t.number(colHead)
			switch {
			case t[colHead] == p.Root:
				t[colHead] = "0"
			case ok && isNumber:
				t[colHead] = strconv.Itoa(id + offset)
			}
		})
	})
}

// columnsApart moves features, enhanced dependencies and MISC into a table. On the way back
// each line gets the first row of its sentence and ID that is not yet taken.
func columnsApart(p struct{ Document, To, Table string }) exact.Steps {
	columns := []string{"sent_id", "id", "feats", "deps", "misc"}
	change := func(sentences *[]sentence) (vfs.Files, error) {
		rows := [][]string{columns}
		eachToken(*sentences, func(s *sentence, t token) {
			rows = append(rows, []string{s.id(), t[colID], t[colFeats], t[colDeps], t[colMisc]})
			t[colFeats], t[colDeps], t[colMisc] = none, none, none
		})
		return vfs.Files{p.Table: plain.WriteCSV(rows)}, nil
	}
	return treebanks.Rewrite(p.Document, p.To, change, func(sentences *[]sentence, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, columns...)
		waiting := plain.NotesBy(rows, func(row []string) string { return row[0] + "\t" + row[1] })
		eachToken(*sentences, func(s *sentence, t token) {
			if row := waiting.Take(s.id() + "\t" + t[colID]); row != nil {
				t[colFeats], t[colDeps], t[colMisc] = orNone(row[2]), orNone(row[3]), orNone(row[4])
			}
		})
		return err
	})
}

// swapTags exchanges the two tags of every line and counts their pairs.
func swapTags(p struct{ Document, To, Table string }) exact.Steps {
	swap := func(t token) { t[colUPOS], t[colXPOS] = t[colXPOS], t[colUPOS] }
	change := func(sentences *[]sentence) (vfs.Files, error) {
		type tags struct{ upos, xpos string }
		counts := map[tags]int{}
		eachToken(*sentences, func(_ *sentence, t token) {
			if t.isWord() {
				counts[tags{t[colUPOS], t[colXPOS]}]++
			}
			swap(t)
		})
		pairs := slices.SortedFunc(maps.Keys(counts), func(a, b tags) int {
			return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a.upos, b.upos), cmp.Compare(a.xpos, b.xpos))
		})
		rows := [][]string{{"upos", "xpos", "words"}}
		for _, pair := range pairs {
			rows = append(rows, []string{pair.upos, pair.xpos, strconv.Itoa(counts[pair])})
		}
		return vfs.Files{p.Table: plain.WriteCSV(rows)}, nil
	}
	return treebanks.Rewrite(p.Document, p.To, change, func(sentences *[]sentence, _ vfs.Files) error {
		eachToken(*sentences, func(_ *sentence, t token) { swap(t) })
		return nil
	})
}

// tree is the basic dependencies of a sentence.
type tree struct {
	words []token
	heads map[int]int
}

func treeOf(s *sentence) tree {
	t := tree{heads: map[int]int{}}
	for _, line := range s.tokens {
		if !line.isWord() {
			continue
		}
		t.words = append(t.words, line)
		id, ok := line.number(colID)
		if head, hasHead := line.number(colHead); ok && hasHead && head != 0 {
			t.heads[id] = head
		}
	}
	return t
}

// depth is the largest number of arcs between the root and a word. Where heads
// go in a circle, it is the number of words.
func (t tree) depth() int {
	deepest := 0
	for _, word := range t.words {
		at, _ := word.number(colID)
		arcs := 0
		for t.heads[at] != 0 && arcs < len(t.words) {
			at = t.heads[at]
			arcs++
		}
		deepest = max(deepest, arcs)
	}
	return deepest
}

// meanArc is the mean distance of words from their heads, to two decimals,
// rounded half up.
func (t tree) meanArc() string {
	sum := 0
	for id, head := range t.heads {
		sum += max(id-head, head-id)
	}
	hundredths := 0
	if n := len(t.heads); n > 0 {
		hundredths = (200*sum + n) / (2 * n)
	}
	return fmt.Sprintf("%d.%02d", hundredths/100, hundredths%100)
}
