package domains

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// fenceMark begins the lines above and below a document that an answer quotes.
const fenceMark = "```"

// document is what Strict reads of a candidate, whose elements are given. Where any text is a document,
// that is all of it.
func (a *against[T]) document(candidate vfs.Files, elements []Element) (vfs.Files, []Element) {
	if a.fenced || a.spec.Info.AnyText {
		return candidate, elements
	}
	if files, ok := withoutRemarks(candidate); ok {
		return files, a.spec.Elements(files)
	}
	return candidate, elements
}

// withoutRemarks returns a candidate without the sentences that an answer wrote above and below
// a code fence: what stands outside of the fence is no part of the document. The fence stays,
// since it is for each format to say what it means there. ok is false, and the files are not
// changed, if there is nothing to leave out.
func withoutRemarks(candidate vfs.Files) (files vfs.Files, ok bool) {
	for name, content := range candidate {
		if vfs.Binary(name) || !strings.Contains(content, fenceMark) {
			continue
		}
		if fenced, found := fencedPart(content); found {
			if files == nil {
				files = candidate.Clone()
			}
			files[name] = fenced
		}
	}
	return files, files != nil
}

// mostRemarks is how many sentences may stand outside of a fence.
const mostRemarks = 6

// fencedPart cuts the only code fence out of a text, where nothing but sentences stands outside.
func fencedPart(text string) (fenced string, ok bool) {
	lines := strings.SplitAfter(pytext.UniversalNewlines(strings.TrimPrefix(text, "\ufeff")), "\n")
	var fences []int
	for n, line := range lines {
		if strings.HasPrefix(strings.TrimSpace(line), fenceMark) {
			fences = append(fences, n)
		}
	}
	if len(fences) != 2 || strings.TrimSpace(lines[fences[1]]) != fenceMark {
		return "", false
	}
	remarks := 0
	for n, line := range lines {
		line = strings.TrimSpace(line)
		if line == "" || n >= fences[0] && n <= fences[1] {
			continue
		}
		if remarks++; remarks > mostRemarks || !isSentence(line) {
			return "", false
		}
	}
	return strings.Join(lines[fences[0]:fences[1]+1], ""), remarks > 0 && fences[1]-fences[0] > remarks
}

// isSentence reports whether a line begins with a capital letter, has two words or more and ends as a
// sentence does.
func isSentence(line string) bool {
	first, _ := utf8.DecodeRuneInString(line)
	return unicode.IsUpper(first) && strings.Contains(line, " ") && strings.ContainsRune(".:!?", rune(line[len(line)-1]))
}

// hasFence reports whether one of the files has a code fence.
func hasFence(files vfs.Files) bool {
	for name, content := range files {
		if !vfs.Binary(name) && strings.Contains(content, fenceMark) {
			return true
		}
	}
	return false
}
