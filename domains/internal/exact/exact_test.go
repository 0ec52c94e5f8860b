package exact_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains/internal/exact"
	"agentd/vfs"
)

// shelf is a document of words below a title.
type shelf struct {
	title string
	words []string
}

func readShelf(text string) shelf {
	title, words, _ := strings.Cut(text, "\n")
	return shelf{title, strings.Fields(words)}
}

func (s shelf) print() string { return s.title + "\n" + strings.Join(s.words, " ") }

var errEmpty = errors.New("no word")

func shelves() *exact.Format[shelf, string] {
	return &exact.Format[shelf, string]{
		Patterns: []string{"*.txt"},
		Read:     readShelf,
		Print:    shelf.print,
		Parts:    func(s *shelf) *[]string { return &s.words },
		Empty:    errEmpty,
	}
}

var document = vfs.Files{"all.txt": "Fruit\npear apple plum apricot"}

func there(t *testing.T, steps exact.Steps, want vfs.Files) {
	t.Helper()
	made, err := steps.Forward(document)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, made); diff != "" {
		t.Errorf("forward: %s", diff)
	}
	back, err := steps.Backward(made)
	if diff := cmp.Diff(document, back); err != nil || diff != "" {
		t.Errorf("backward: %v %s", err, diff)
	}
}

func TestChangeLeadsThereAndBack(t *testing.T) {
	t.Parallel()
	change := func(s *shelf) { s.title = strings.ToUpper(s.title) }
	restore := func(s *shelf) { s.title = s.title[:1] + strings.ToLower(s.title[1:]) }
	there(t, shelves().Change("all.txt", "loud.txt", change, restore), vfs.Files{"loud.txt": "FRUIT\npear apple plum apricot"})
}

func TestSplitLeadsThereAndBack(t *testing.T) {
	t.Parallel()
	initial := func(word *string) string { return (*word)[:1] + ".txt" }
	withWord := func(word *string) (string, []string) { return initial(word), []string{*word} }
	there(t, shelves().Split("all.txt", "p.txt", "order.csv", withWord, "word"), vfs.Files{
		"p.txt":     "Fruit\npear plum",
		"a.txt":     "\napple apricot",
		"order.csv": "position,file,word\n1,p.txt,pear\n2,a.txt,apple\n3,p.txt,plum\n4,a.txt,apricot\n",
	})
	titled := shelves()
	titled.Shell = func(s shelf) shelf { return shelf{title: s.title} }
	there(t, titled.Split("all.txt", "", "order.csv", func(word *string) (string, []string) { return initial(word), nil }), vfs.Files{
		"p.txt":     "Fruit\npear plum",
		"a.txt":     "Fruit\napple apricot",
		"order.csv": "position,file\n1,p.txt\n2,a.txt\n3,p.txt\n4,a.txt\n",
	})
}

func TestPartsThatTheTableDoesNotPlaceComeLast(t *testing.T) {
	t.Parallel()
	got, err := shelves().MergeByTable(vfs.Files{
		"p.txt": "Fruit\npear plum", "a.txt": "\napple apricot", "order.csv": "position,file\n2,p.txt\n1,a.txt\n3,x.txt\n",
	}, "p.txt", "order.csv")
	if want := "Fruit\napple pear plum apricot"; err != nil || got.print() != want {
		t.Errorf("%q (%v), want %q", got.print(), err, want)
	}
}

func TestSortTellsFormerPositions(t *testing.T) {
	t.Parallel()
	s := readShelf(document["all.txt"])
	got := shelves().Sort(&s, func(a, b *string) int { return strings.Compare(*a, *b) })
	if diff := cmp.Diff([]int{2, 4, 1, 3}, got); diff != "" || s.print() != "Fruit\napple apricot pear plum" {
		t.Errorf("%s %q", diff, s.print())
	}
	shelves().SortByNumber(&s, func(*string) (int, bool) {
		next := got[0]
		got = got[1:]
		return next, next != 2
	})
	if want := "Fruit\npear plum apricot apple"; s.print() != want {
		t.Errorf("sorted back: %q, want %q", s.print(), want)
	}
}

func TestRewriteKeepsWhatItNeeds(t *testing.T) {
	t.Parallel()
	code := func(s *shelf) (vfs.Files, error) {
		codes := exact.Codes{New: exact.Counting("W09")}
		for i, word := range s.words {
			s.words[i] = codes.Of(word)
		}
		return vfs.Files{"words.csv": codes.CSV("code", "word")}, nil
	}
	restore := func(s *shelf, files vfs.Files) error {
		words, err := exact.ReadRegister(files, "words.csv", "code", "word")
		for i, word := range s.words {
			s.words[i] = words[word]
		}
		return err
	}
	steps := shelves().Rewrite("all.txt", "coded.txt", code, restore)
	there(t, steps, vfs.Files{
		"coded.txt": "Fruit\nW09 W10 W11 W12", "words.csv": "code,word\nW09,pear\nW10,apple\nW11,plum\nW12,apricot\n",
	})
	for want, files := range map[string]vfs.Files{
		"coded.txt is missing": document,
		"words.csv is missing": {"coded.txt": "Fruit\nW09"},
		"no word":              {"coded.txt": "Fruit", "words.csv": "code,word\n"},
	} {
		if _, err := steps.Backward(files); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

func TestAForwardStepRefusesWhatWouldNotLeadBack(t *testing.T) {
	t.Parallel()
	strict := shelves()
	strict.Says = shelf.print
	steps := strict.Rewrite("all.txt", "lower.txt",
		func(s *shelf) (vfs.Files, error) { s.title = strings.ToLower(s.title); return nil, nil },
		func(s *shelf, _ vfs.Files) error { s.title = strings.ToUpper(s.title); return nil })
	if got, err := steps.Forward(document); err == nil {
		t.Errorf("made %v", got)
	}
	if _, err := steps.Forward(vfs.Files{"all.txt": "FRUIT\npear"}); err != nil {
		t.Error(err)
	}
	for _, step := range []func(vfs.Files) (vfs.Files, error){exact.Refuse("no rate").Forward, exact.Refuse("no rate").Backward} {
		if _, err := step(document); err == nil || err.Error() != "no rate" {
			t.Errorf("error %v", err)
		}
	}
}

func TestAFaultNamesTheFile(t *testing.T) {
	t.Parallel()
	faulty := shelves()
	faulty.Fault = func(s *shelf) error {
		if s.title == "" {
			return errors.New("no title")
		}
		return nil
	}
	none := func(*shelf) (vfs.Files, error) { return nil, nil }
	steps := faulty.Rewrite("all.txt", "to.txt", none, func(*shelf, vfs.Files) error { return nil })
	untitled := vfs.Files{"to.txt": "\npear"}
	_, merge := faulty.Merge(untitled, "", nil)
	_, forward := steps.Forward(untitled)
	_, backward := steps.Backward(untitled)
	for _, err := range []error{forward, backward, merge} {
		if err == nil || err.Error() != "reading to.txt: no title" {
			t.Errorf("error %v", err)
		}
	}
}
