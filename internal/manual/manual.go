// Package manual writes manual pages (man 1), one for each command of a program.
package manual

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// Write writes a page for a command, and for each below it, into a folder, which is made if it is
// not there. date is what the pages show; version is that of the program.
func Write(root *cobra.Command, folder, version string, date time.Time) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("writing manual pages: %w", err)
	}
	plain(root)
	header := doc.GenManHeader{Section: "1", Source: root.Name() + " " + version, Manual: root.Name(), Date: &date}
	if err := doc.GenManTree(root, &header, folder); err != nil {
		return fmt.Errorf("writing manual pages: %w", err)
	}
	return nil
}

// plain has the texts of a command, and of all below it, mean what they say: the library takes
// them for Markdown, in which a * or a _ can begin something else. The line about what wrote the
// page is left out.
func plain(c *cobra.Command) {
	c.DisableAutoGenTag = true
	escape := strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "`", "\\`", "<", `\<`)
	c.Short, c.Long = escape.Replace(c.Short), escape.Replace(c.Long)
	for _, child := range c.Commands() {
		plain(child)
	}
}
