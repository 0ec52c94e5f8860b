package exact

import (
	"strconv"
	"testing"
)

func TestTableSaysMoreAboutEachValue(t *testing.T) {
	t.Parallel()
	codes := Codes{New: Counting("K1")}
	uses := map[string]int{}
	for _, value := range []string{"b, c", "a", "b, c"} {
		codes.Of(value)
		uses[value]++
	}
	got := codes.Table(func(value string) []string { return []string{strconv.Itoa(uses[value])} }, "code", "value", "uses")
	if want := "code,value,uses\nK1,\"b, c\",2\nK2,a,1\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestEachVisitsCodesInOrder(t *testing.T) {
	t.Parallel()
	codes := Codes{New: Counting("9")}
	codes.Of("b")
	codes.Of("a")
	codes.Of("b")
	var got string
	codes.Each(func(code, value string) { got += code + value + " " })
	if got != "9b 10a " {
		t.Error(got)
	}
}
