package exact_test

import (
	"strings"
	"testing"

	"agentd/domains/internal/exact"
	"agentd/vfs"
)

func TestJSONLeadsThereAndBack(t *testing.T) {
	t.Parallel()
	steps := exact.JSON(shelves(), "all.txt", "all.json", func(s shelf) (map[string][]string, error) {
		return map[string][]string{s.title: s.words}, nil
	}, func(content map[string][]string) (s shelf, err error) {
		for s.title, s.words = range content {
		}
		return s, nil
	})
	text := "{\n  \"Fruit\": [\n    \"pear\",\n    \"apple\",\n    \"plum\",\n    \"apricot\"\n  ]\n}\n"
	there(t, steps, vfs.Files{"all.json": text})
	for content, want := range map[string]string{"{}": errEmpty.Error(), "[": "reading all.json: "} {
		if _, err := steps.Backward(vfs.Files{"all.json": content}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", content, err, want)
		}
	}
}

func TestKeepingLeadsThereAndBack(t *testing.T) {
	t.Parallel()
	steps := exact.Keeping(shelves(), "all.txt", "rest.txt", "last.json", func(s *shelf) (string, error) {
		last := len(s.words) - 1
		word := s.words[last]
		s.words = s.words[:last]
		return word, nil
	}, func(s *shelf, word string) error {
		s.words = append(s.words, word)
		return nil
	})
	there(t, steps, vfs.Files{"rest.txt": "Fruit\npear apple plum", "last.json": "\"apricot\"\n"})
	_, err := steps.Backward(vfs.Files{"rest.txt": "Fruit\npear"})
	if err == nil || err.Error() != "last.json is missing" {
		t.Error(err)
	}
}
