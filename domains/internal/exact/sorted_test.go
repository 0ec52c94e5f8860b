package exact_test

import (
	"cmp"
	"testing"

	"agentd/vfs"
)

func TestSortedDivisionLeadsThereAndBack(t *testing.T) {
	t.Parallel()
	s := shelves()
	steps := s.Whole("all.txt", func(d shelf) (vfs.Files, error) {
		files := make([]string, len(d.words))
		for i, word := range d.words {
			files[i] = word[:1] + ".txt"
		}
		byLength := func(a, b int) int { return cmp.Compare(len(d.words[a]), len(d.words[b])) }
		return s.DivideSorted(d, "p.txt", "order.csv", files, byLength), nil
	}, func(files vfs.Files) (shelf, error) { return s.MergeSorted(files, "p.txt", "order.csv") })
	there(t, steps, vfs.Files{
		"p.txt":     "Fruit\npear plum",
		"a.txt":     "\napple apricot",
		"order.csv": "position,file,place\n1,p.txt,1\n2,a.txt,1\n3,p.txt,2\n4,a.txt,2\n",
	})
	unlisted := vfs.Files{"p.txt": "Fruit\npear plum", "order.csv": "position,file,place\n1,p.txt,2\n"}
	if back, err := steps.Backward(unlisted); err != nil || back["all.txt"] != "Fruit\nplum pear" {
		t.Error(back, err)
	}
}
