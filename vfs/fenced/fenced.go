// Package fenced writes files as text and reads them back, as the published harness
// does: each file is a block between two fences of backticks, and its name follows
// the opening fence.
//
// A model without tools answers in this form. The published harness also passes what
// an agent left in its workspace through it, so Parse decides in both modes which
// files a step has made. Parse follows the published reader even where that is
// plainly wrong: three backticks inside a file end it, and a line with a dot after a
// bare fence becomes a file name. Otherwise scores could not be compared with the
// published ones.
package fenced

import (
	"slices"
	"strings"
	"unicode"

	"agentd/internal/lazyregexp"
	"agentd/vfs"
)

// Fence returns a fence that nothing in the content can close: three backticks, or one
// more than the longest run of them in the content.
func Fence(content string) string {
	longest := 0
	for rest := content; ; {
		at := strings.IndexByte(rest, '`')
		if at < 0 {
			return strings.Repeat("`", max(3, longest+1))
		}
		after := strings.TrimLeft(rest[at:], "`")
		longest = max(longest, len(rest)-at-len(after))
		rest = after
	}
}

// Format writes the named files in the given order, with a blank line between two.
// The closing fence follows the content directly: a file without a newline at its end
// keeps none.
func Format(files vfs.Files, order []string) string {
	var b strings.Builder
	size := 0
	for _, name := range order {
		size += len(name) + len(files[name]) + 16
	}
	b.Grow(size)
	for i, name := range order {
		if i > 0 {
			b.WriteString("\n\n")
		}
		content := files[name]
		fence := Fence(content)
		b.WriteString(fence)
		b.WriteString(name)
		b.WriteByte('\n')
		b.WriteString(content)
		b.WriteString(fence)
	}
	return b.String()
}

// Parse returns the files that a text holds. A name may be any text of one line, the
// empty one included. Of several files with one name the first counts.
func Parse(text string) vfs.Files {
	files := vfs.Files{}
	for name, content := range blocks(normalized(text)) {
		if _, known := files[name]; !known {
			files[name] = content
		}
	}
	return files
}

// blocks goes through the blocks of a text from left to right. A block may begin
// anywhere in a line. It takes as many backticks for its fence as have a closing
// fence; those that are left over begin the name.
func blocks(text string) func(yield func(name, content string) bool) {
	return func(yield func(name, content string) bool) {
		last := lastRuns(text)
		for at := 0; ; {
			next := strings.Index(text[at:], "```")
			if next < 0 {
				return
			}
			at += next
			ticks := len(text) - at - len(strings.TrimLeft(text[at:], "`"))
			line, _, whole := strings.Cut(text[at:], "\n")
			if !whole {
				return
			}
			start := at + len(line) + 1 // of the content
			fence := min(ticks, len(last)-1)
			if len(line) == ticks { // there must be a name
				fence = min(fence, ticks-1)
			}
			for fence >= 3 && last[fence] < start {
				fence--
			}
			if fence < 3 {
				at += ticks
				continue
			}
			end := start + strings.Index(text[start:], line[:fence])
			if !yield(cleanName(line[fence:]), text[start:end]) {
				return
			}
			at = end + fence
		}
	}
}

// lastRuns returns, for each number of backticks, the last position at which that many stand in a
// row.
func lastRuns(text string) []int {
	last := make([]int, 3, 8)
	for at := strings.IndexByte(text, '`'); at >= 0; {
		ticks := len(text) - at - len(strings.TrimLeft(text[at:], "`"))
		for n := 3; n <= ticks; n++ {
			if n == len(last) {
				last = append(last, 0)
			}
			last[n] = at + ticks - n
		}
		at += ticks
		next := strings.IndexByte(text[at:], '`')
		if next < 0 {
			break
		}
		at += next
	}
	return last
}

// cleanName trims a name and takes off angle brackets, unless there is a slash in it.
func cleanName(name string) string {
	name = strings.TrimFunc(name, isSpace)
	if len(name) > 2 && name[0] == '<' && name[len(name)-1] == '>' && !strings.Contains(name, "/") {
		return name[1 : len(name)-1]
	}
	return name
}

// isSpace is Python's str.isspace for one character.
func isSpace(r rune) bool { return unicode.IsSpace(r) || 0x1c <= r && r <= 0x1f }

// normalized rewrites the other ways in which models name a file into the form that blocks reads.
// The rules apply everywhere, even inside files.
func normalized(text string) string {
	if strings.Contains(text, openTag) {
		text = withoutTags(text)
	}
	if !strings.Contains(text, "```") {
		return text
	}
	lines := strings.SplitAfter(text, "\n")
	before := len(lines)
	for _, rule := range []func([]string) (name string, used int){nameInBlock, nameAfterBareFence, nameAfterLanguage} {
		lines = rewritten(lines, rule)
	}
	if len(lines) == before {
		return text
	}
	return strings.Join(lines, "")
}

const openTag = "<file_name>"

var (
	tagAtLineStart  = lazyregexp.New(`(?m)^<file_name>([^\n]+)$`)
	tagAfterFence   = lazyregexp.New("```<file_name>[\\s\\v\\x1c-\\x1f\\x{85}\\p{Z}]*")
	fenceAtLineEnd  = lazyregexp.New("(?m)^(```[^\n]+?)```$")
	bareOrLanguage  = lazyregexp.New("^(`{3,})([a-z]*)[ \t]*\n$")
	nameAloneInLine = lazyregexp.New(`^[ \t]*([^\s\v\x1c-\x1f\x{85}\p{Z}]+\.[^\s\v\x1c-\x1f\x{85}\p{Z}]+)[ \t]*\n$`)
)

// withoutTags turns <file_name> tags into opening fences.
func withoutTags(text string) string {
	text = tagAtLineStart.ReplaceAllString(text, "```$1")
	text = tagAfterFence.ReplaceAllString(text, "```")
	text = strings.ReplaceAll(text, "</file_name>", "")
	return fenceAtLineEnd.ReplaceAllString(text, "$1")
}

// rewritten replaces the lines that a rule finds by one: the fence of the first with
// the name after it. A rule returns how many lines it uses, 0 if it does not apply to
// their beginning.
func rewritten(lines []string, rule func([]string) (opener string, used int)) []string {
	at := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "```") })
	if at < 0 {
		return lines
	}
	out := slices.Clone(lines[:at])
	for at < len(lines) {
		if strings.HasPrefix(lines[at], "```") {
			if opener, used := rule(lines[at:]); used > 0 {
				out = append(out, opener)
				at += used
				continue
			}
		}
		out = append(out, lines[at])
		at++
	}
	return out
}

// nameInBlock finds a block that holds nothing but a name: the content follows it.
func nameInBlock(lines []string) (string, int) {
	opener, used := nameAfterBareFence(lines)
	if used == 0 || len(lines) < 3 {
		return "", 0
	}
	fence, language := fenceOf(lines[0])
	closing, other := fenceOf(strings.TrimSuffix(lines[2], "\n") + "\n")
	if language+other != "" || closing != fence {
		return "", 0
	}
	return opener, 3
}

// nameAfterBareFence finds a name on the line after a fence that has none.
func nameAfterBareFence(lines []string) (string, int) { return nameAfter(lines, false) }

// nameAfterLanguage finds a name on the line after a fence with a word, which is lost.
func nameAfterLanguage(lines []string) (string, int) { return nameAfter(lines, true) }

func nameAfter(lines []string, withLanguage bool) (string, int) {
	fence, language := fenceOf(lines[0])
	if fence == "" || len(lines) < 2 || withLanguage != (language != "") {
		return "", 0
	}
	name := nameAloneInLine.FindStringSubmatch(lines[1])
	if name == nil {
		return "", 0
	}
	return fence + name[1] + "\n", 2
}

// fenceOf returns the backticks of a line that holds a fence, with the word after it;
// "" if the line holds anything else.
func fenceOf(line string) (fence, language string) {
	found := bareOrLanguage.FindStringSubmatch(line)
	if found == nil {
		return "", ""
	}
	return found[1], found[2]
}
