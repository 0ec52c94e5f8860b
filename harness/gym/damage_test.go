package gym

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"agentd/vfs"
)

// damage is a result with one thing wrong.
type damage struct {
	what  string
	files vfs.Files
}

// The reward falls with each damage, however small. With AGENTD_REWARDS=all every built-in edit is tried, and more damages of
// each file.
func TestDamageCosts(t *testing.T) {
	t.Parallel()
	places := 3
	if all {
		places = 12
	}
	var tried atomic.Int64
	each(t, allBuiltin(t), func(env, edit int) bool { return all || env%5 == 0 && edit == env/5%4 }, func(e *edited) {
		for _, name := range e.Expected.Names() {
			for _, d := range e.damages(name, places) {
				tried.Add(1)
				if g := e.Grade(e.WithDistractors(d.files)); g.Reward >= 1 {
					t.Errorf("%s: with %s %s the reward is %v, forward %v", e, name, d.what, g.Reward, g.Forward)
				}
			}
		}
		for _, name := range e.env.Distractors.Names() {
			tried.Add(1)
			damaged := e.Expected.Clone()
			damaged[name] = "gone"
			if r := e.reward(damaged); r >= 1 {
				t.Errorf("%s: with another %s the reward is %v", e, name, r)
			}
		}
	})
	t.Logf("%d damages were tried", tried.Load())
}

var (
	digits = regexp.MustCompile(`[0-9]`)
	words  = regexp.MustCompile(`\pL{4,}`)
)

// damages are those of one file: it is missing or empty, an element or a line is missing, a digit or a word is another one.
func (e *edited) damages(name string, places int) []damage {
	text := e.Expected[name]
	missing := e.Expected.Clone()
	delete(missing, name)
	list := []damage{{"missing", missing}}
	add := func(damaged, format string, arguments ...any) {
		files := e.Expected.Clone()
		files[name] = damaged
		list = append(list, damage{fmt.Sprintf(format, arguments...), files})
	}
	if vfs.Binary(name) || strings.TrimSpace(text) == "" {
		return list
	}
	add("", "empty")
	if fewer := e.domain.Without(vfs.Files{name: text}, func(n int) bool { return n == 0 }); fewer[name] != text {
		add(fewer[name], "without an element")
	}
	lines := slices.Collect(strings.Lines(text))
	for _, at := range linesOf(lines, places) {
		add(strings.Join(slices.Delete(slices.Clone(lines), at, at+1), ""), "without the line %q", lines[at])
	}
	for _, at := range spread(digits.FindAllStringIndex(text, -1), places) {
		other := string('0' + (text[at[0]]-'0'+3)%10)
		add(text[:at[0]]+other+text[at[1]:], "with %s in %q", other, around(text, at))
	}
	for _, at := range spread(words.FindAllStringIndex(text, -1), places) {
		add(text[:at[0]]+turned(text[at[0]:at[1]])+text[at[1]:], "with a word turned around in %q", around(text, at))
	}
	return list
}

// linesOf are the places of lines with content: some, and the last of each that has no letters.
func linesOf(lines []string, places int) []int {
	var full []int
	last := map[string]int{}
	for i, line := range lines {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		full = append(full, i)
		if !words.MatchString(line) && !digits.MatchString(line) {
			last[line] = i
		}
	}
	chosen := spread(full, places)
	for _, i := range last {
		if len(last) <= places && !slices.Contains(chosen, i) {
			chosen = append(chosen, i)
		}
	}
	return chosen
}

// spread are so many of a list, the first and the last among them.
func spread[T any](list []T, most int) []T {
	if len(list) <= most {
		return list
	}
	var some []T
	for k := range most {
		some = append(some, list[k*(len(list)-1)/(most-1)])
	}
	return some
}

func around(text string, at []int) string { return text[max(0, at[0]-20):min(len(text), at[1]+20)] }

// turned is a word from its end to its beginning, or another one if that is the same.
func turned(word string) string {
	letters := []rune(word)
	slices.Reverse(letters)
	if other := string(letters); !strings.EqualFold(other, word) {
		return other
	}
	return "damaged"
}
