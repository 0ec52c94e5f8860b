package plain

import (
	"testing"

	"agentd/vfs"
)

func TestSparse(t *testing.T) {
	s := Sparse{Header: []string{"no"}}
	s.Add("1")
	s.Set("b", "x")
	if s.Set("b", "y") || s.Set("no", "2") {
		t.Error("a cell cannot be set twice")
	}
	s.Add("2")
	s.Set("c", "z")
	const want = "no,b,c\n1,x,\n2,,z\n"
	if got := s.CSV(); got != want {
		t.Fatalf("got %q, want %q", got, want)
	}
	read, err := ReadSparse(vfs.Files{"t.csv": "no, b\n1,x\n2\n"}, "t.csv", "no", "b")
	if err != nil || read.Cell(read.Rows[0], "b") != "x" || read.Cell(read.Rows[1], "b") != "" || read.Cell(read.Rows[0], "z") != "" {
		t.Errorf("got %v, %v", read, err)
	}
	for name, text := range map[string]string{"empty": "", "other": "no\n1\n"} {
		if _, err := ReadSparse(vfs.Files{"t.csv": text}, "t.csv", "b"); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := ReadSparse(vfs.Files{}, "t.csv"); err == nil {
		t.Error("a missing file: no error")
	}
}
