package dbschema

import (
	"strings"
	"testing"
)

func TestDefaultsWithoutAValue(t *testing.T) {
	t.Parallel()
	const table = "CREATE TABLE berth (\n  `label` varchar(160) DEFAULT NULL,\n  depth numeric(4, 1) DEFAULT 2.5 NOT NULL,\n  note text DEFAULT NULL COMMENT 'by default'\n);\n" +
		"ALTER TABLE berth\n  ALTER COLUMN depth DROP DEFAULT,\n  ALTER COLUMN note SET NOT NULL;\n"
	for _, c := range []struct {
		was, is string
		slips   int
	}{
		{"", "", 0}, {"DEFAULT NULL,", "DEFAULT,", 1}, {"DEFAULT 2.5 NOT NULL", "DEFAULT NOT NULL", 1}, {"DEFAULT NULL COMMENT", "DEFAULT COMMENT", 1},
		{" DEFAULT NULL,", ",", 0},
	} {
		if slips := withoutDefault("", strings.Replace(table, c.was, c.is, 1)); len(slips) != c.slips {
			t.Errorf("%q for %q: %v", c.is, c.was, slips)
		}
	}
}
