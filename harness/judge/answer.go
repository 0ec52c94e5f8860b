package judge

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"
)

const (
	// maxAnswer is the maximum size of an answer in bytes. An answer should be a short object, and
	// it is stored.
	maxAnswer = 64 << 10
	// maxBraces is how many opening braces of an answer are tried.
	maxBraces = 500
)

// verdict is the JSON object that an answer to a prompt consists of, in a fence or
// not. If there are words around it, it is the only object among them that was not
// copied from the prompt: a document may hold objects in the judge's form, which a
// judge may quote. An answer that leaves open which object it means is an error.
func verdict(answer, prompt string) (map[string]any, error) {
	if len(answer) > maxAnswer {
		return nil, fmt.Errorf("it has %d bytes, more than %d", len(answer), maxAnswer)
	}
	var whole map[string]any
	if json.Unmarshal([]byte(unfenced(answer)), &whole) == nil && whole != nil {
		return whole, nil
	}
	said := squeezed(prompt)
	var own, copied []string
	for _, object := range objects(answer) {
		if strings.Contains(said, squeezed(object)) {
			copied = append(copied, object)
		} else {
			own = append(own, object)
		}
	}
	switch {
	case len(own) > 1:
		return nil, fmt.Errorf("it holds %d JSON objects", len(own))
	case len(own) == 0 && len(copied) > 0:
		return nil, errors.New("it only repeats a JSON object that it was asked about")
	case len(own) == 0:
		return nil, errors.New("it is no JSON object")
	}
	err := json.Unmarshal([]byte(own[0]), &whole)
	return whole, err
}

// unfenced returns a text without the code fence around it, if there is one.
func unfenced(text string) string {
	text = strings.TrimSpace(text)
	const fence = "```"
	inside, ok := strings.CutPrefix(text, fence)
	if inside, ok2 := strings.CutSuffix(inside, fence); ok && ok2 {
		return strings.TrimPrefix(inside, "json")
	}
	return text
}

// objects returns the outermost JSON objects in a text.
func objects(text string) (found []string) {
	for range maxBraces {
		start := strings.IndexByte(text, '{')
		if start < 0 {
			break
		}
		text = text[start:]
		decoder := json.NewDecoder(strings.NewReader(text))
		var raw json.RawMessage
		if decoder.Decode(&raw) != nil {
			text = text[1:]
			continue
		}
		found = append(found, string(raw))
		text = text[decoder.InputOffset():]
	}
	return found
}

// squeezed returns a text without white space.
func squeezed(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, text)
}
