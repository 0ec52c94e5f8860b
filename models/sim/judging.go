package sim

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
)

// asksForJudgement reports whether a request wants a JSON object and offers no
// tools, as a judge is asked.
func asksForJudgement(r *request) bool {
	return r.ResponseFormat.Type == "json_object" && len(r.Tools) == 0
}

// judgement answers as a judge, all profiles alike. The prompt's last line is the
// form of the answer, an object whose values are ranges such as "0..5", or stand for words. A
// stand-in has no taste: it counts the different words of the prompt and gives
// each question its share of a vocabulary, a larger one from question to
// question. So the same text always gets the same, and a poorer one less.
func judgement(r *request) message {
	prompt := readPrompt(r).text
	lines := strings.Split(strings.TrimSpace(prompt), "\n")
	if strings.HasPrefix(lines[len(lines)-1], `{"messages": [`) {
		return inMessages(prompt)
	}
	var form map[string]string
	if json.Unmarshal([]byte(lines[len(lines)-1]), &form) != nil {
		return say("I do not know this form.")
	}
	words := map[string]bool{}
	for _, word := range strings.Fields(strings.ToLower(prompt)) {
		words[word] = true
	}
	answers, ranges := map[string]any{}, 0
	for i, question := range slices.Sorted(maps.Keys(form)) {
		var least, most int
		if n, _ := fmt.Sscanf(form[question], "%d..%d", &least, &most); n < 2 {
			answers[question] = noReason
			continue
		}
		ranges++
		share := min(1, float64(len(words))/float64(smallVocabulary+i*moreVocabulary))
		answers[question] = least + int(math.Round(share*float64(most-least)))
	}
	if ranges == 0 {
		return say("I do not know this form.")
	}
	raw, _ := json.Marshal(answers) // numbers and words by names
	return say(string(raw))
}

// framed is a text that a prompt has put between two lines of its own.
var framed = regexp.MustCompile(`(?s)\n-{5} [a-z]+, text [0-9a-f]+ -{5}\n(.*)\n-{5} end of `)

// inMessages writes the text that a prompt frames as several messages: a sentence or two each.
func inMessages(prompt string) message {
	found := framed.FindStringSubmatch(prompt)
	if found == nil {
		return say("I see no text.")
	}
	text := strings.TrimSpace(found[1])
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

// noReason is what a stand-in says where words are asked for.
const noReason = "A stand-in has no reasons."

// What a stand-in takes for a full vocabulary, in different words: for the first
// question, and more for each further.
const (
	smallVocabulary = 400
	moreVocabulary  = 100
)
