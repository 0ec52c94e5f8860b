package manual_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"agentd/internal/manual"
)

func TestEachCommandHasAPage(t *testing.T) {
	t.Parallel()
	run := func(*cobra.Command, []string) {}
	tree := func() *cobra.Command {
		root := &cobra.Command{Use: "tool", Short: "A tool", Run: run}
		child := &cobra.Command{
			Use: "cut *.txt [FILE...]", Short: "Cut *.txt and a_b_c", Long: "Names such as *.txt, accounting* and <b>, with a_b_c\nand C:\\new.", Example: "  tool cut 'a*' --deep",
			Run: run,
		}
		child.Flags().Bool("deep", false, "cut deep")
		child.AddCommand(&cobra.Command{Use: "off", Short: "Cut off", Run: run})
		root.AddCommand(child)
		return root
	}
	pages := func() map[string]string {
		folder := filepath.Join(t.TempDir(), "man1")
		if err := manual.Write(tree(), folder, "1.2.3", time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC)); err != nil {
			t.Fatal(err)
		}
		entries, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		all := map[string]string{}
		for _, entry := range entries {
			text, err := os.ReadFile(filepath.Join(folder, entry.Name()))
			if err != nil {
				t.Fatal(err)
			}
			all[entry.Name()] = string(text)
		}
		return all
	}
	first, second := pages(), pages()
	for _, name := range []string{"tool.1", "tool-cut.1", "tool-cut-off.1"} {
		if first[name] == "" || first[name] != second[name] {
			t.Errorf("%s has %d bytes, and %d the second time", name, len(first[name]), len(second[name]))
		}
	}
	page := first["tool-cut.1"]
	for _, want := range []string{`"Nov 2026"`, "tool 1.2.3", `Names such as *\&.txt, accounting* and <b>, with a_b_c`, `C:\\new`, `\fB--deep\fP`, "tool cut 'a*' --deep", "tool-cut-off(1)"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
	if strings.Contains(page, "spf13") || strings.Contains(page, "HISTORY") {
		t.Errorf("it says what wrote it:\n%s", page)
	}
}
