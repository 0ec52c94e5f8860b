package sim

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"agentd/internal/lazyregexp"
)

// Critic is an Editor that can also answer a judge's questions.
type Critic interface {
	Editor
	// Opinion answers a question. It returns false if it has no answer.
	Opinion(q Question) (Opinion, bool)
}

// Question is a judge's question.
type Question struct {
	// Texts are the texts framed by lines of dashes in the prompt. The first key is the title
	// in these lines, the second the text's name.
	Texts map[string]map[string]string
	// Categories are the names of the categories to choose from. If there are none, a number is
	// wanted.
	Categories []string
}

// Opinion is an answer.
type Opinion struct {
	Category string  // the head of a category
	Share    float64 // position in a number's range, from 0 to 1
	Why      string  // in a sentence
}

// judgement answers as a judge. All profiles answer alike. The prompt's last line is the form
// of the answer: an object whose values are ranges, such as "0..5", or stand for words. The
// editor's opinion decides numbers and categories, if it has one. Otherwise the stand-in counts
// words.
func judgement(editor Editor, r *request) message {
	prompt := readPrompt(r).text
	lines := strings.Split(strings.TrimSpace(prompt), "\n")
	if strings.HasPrefix(lines[len(lines)-1], `{"messages": [`) {
		return inMessages(framedTexts(lines))
	}
	var form map[string]string
	if json.Unmarshal([]byte(lines[len(lines)-1]), &form) != nil {
		return say("I do not know this form.")
	}
	q := Question{Texts: framedTexts(lines), Categories: categoriesOf(lines, form)}
	opinion, known := Opinion{}, false
	if critic, ok := editor.(Critic); ok && len(q.Texts) > 0 {
		opinion, known = critic.Opinion(q)
	}
	place := slices.Index(q.Categories, opinion.Category)
	if known && len(q.Categories) > 0 && place < 0 {
		return say("There is no category " + opinion.Category + ".")
	}
	answers, ranges := map[string]any{}, 0
	for i, question := range slices.Sorted(maps.Keys(form)) {
		var least, most int
		if n, _ := fmt.Sscanf(form[question], "%d..%d", &least, &most); n < 2 {
			if answers[question] = noReason; opinion.Why != "" {
				answers[question] = "A stand-in: " + opinion.Why
			}
			continue
		}
		ranges++
		share := opinion.Share
		if !known {
			share = richness(prompt, i)
		}
		if answers[question] = least + int(math.Round(share*float64(most-least))); place >= 0 {
			answers[question] = least + place
		}
	}
	if ranges == 0 {
		return say("I do not know this form.")
	}
	raw, _ := json.Marshal(answers) // numbers and words by names
	return say(string(raw))
}

// richness counts the different words of a prompt and returns their share of a vocabulary,
// which grows with the question's index n, from 0. The same text always gets the same value,
// and a text with fewer words a lower one.
func richness(prompt string, n int) float64 {
	words := map[string]bool{}
	for _, word := range strings.Fields(strings.ToLower(prompt)) {
		words[word] = true
	}
	return min(1, float64(len(words))/float64(smallVocabulary+n*moreVocabulary))
}

// Lines that frame texts, as in "----- the copy, a.txt 0123456789abcdef -----".
var (
	frameBegins = lazyregexp.New(`^-{5} ([a-z ]+), (.+) ([0-9a-f]{16}) -{5}$`)
	frameEnds   = lazyregexp.New(`^-{5} end of ([a-z ]+) ([0-9a-f]{16}) -{5}$`)
)

// framedTexts returns the texts between such lines. Only a line with the number of the frame's
// first line starts the next text of the frame, or ends the frame.
func framedTexts(lines []string) map[string]map[string]string {
	texts := map[string]map[string]string{}
	title, name, number := "", "", ""
	var text []string
	for _, line := range lines {
		begins, ends := frameBegins.FindStringSubmatch(line), frameEnds.FindStringSubmatch(line)
		next := begins != nil && (number == "" || begins[3] == number)
		last := ends != nil && (number == "" || ends[2] == number)
		if !next && !last {
			text = append(text, line)
			continue
		}
		if number != "" {
			texts[title][name] = strings.Join(text, "\n")
		}
		text, title, name, number = nil, "", "", ""
		if next {
			title, name, number = begins[1], begins[2], begins[3]
		} else {
			title = ends[1]
		}
		if texts[title] == nil { // a frame without files has only its last line
			texts[title] = map[string]string{}
		}
	}
	return texts
}

// categoriesOf returns the names of the categories that a form offers, in order. Each is on a
// line of its own directly before the form, as in "1: all of it: nothing is missing".
func categoriesOf(lines []string, form map[string]string) []string {
	var most int
	if n, _ := fmt.Sscanf(form["category"], "1..%d", &most); n < 1 || most < 1 || most > len(lines) {
		return nil
	}
	heads := make([]string, most)
	n := most
	for _, line := range slices.Backward(lines) {
		if head, ok := strings.CutPrefix(line, fmt.Sprintf("%d: ", n)); ok && n > 0 {
			n--
			heads[n], _, _ = strings.Cut(head, ": ")
		}
	}
	return heads
}

// inMessages splits the framed text of a prompt into messages of one or two sentences.
func inMessages(framed map[string]map[string]string) message {
	text := ""
	for _, texts := range framed {
		text += strings.TrimSpace(texts["text"])
	}
	if text == "" {
		return say("I see no text.")
	}
	sentences := strings.SplitAfter(text, ". ")
	if len(sentences) == 1 {
		at := strings.LastIndex(text, " ")
		sentences = []string{text[:max(at, 0)], text[max(at, 0):]}
	}
	const most = 4
	messages := make([]string, min(len(sentences), most))
	for i, sentence := range sentences {
		messages[i*len(messages)/len(sentences)] += sentence
	}
	for i := range messages {
		messages[i] = strings.TrimSpace(messages[i])
	}
	return say(string(written(map[string]any{"messages": messages})))
}

// noReason is the stand-in's answer where words are wanted.
const noReason = "A stand-in has no reasons."

// Number of different words that count as a full vocabulary: for the first question, and the
// increase with each further one.
const (
	smallVocabulary = 400
	moreVocabulary  = 100
)
