package transit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
)

// jsonTable is a table in feed.json.
type jsonTable struct {
	Columns []string   `json:"columns"`
	Rows    [][]string `json:"rows"`
}

// inJSON puts all tables into one file.
func inJSON(p struct{ To string }) exact.Steps {
	return steps(func(c *change) error {
		c.stopTimes() // a feed has some
		tables := map[string]jsonTable{}
		for _, name := range c.files.Names() {
			if path.Ext(name) == ".txt" {
				g := c.take(name)
				tables[name] = jsonTable{g.header, g.rows}
			}
		}
		var b bytes.Buffer
		encoder := json.NewEncoder(&b)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(tables); err != nil {
			return fmt.Errorf("writing %s: %w", p.To, err)
		}
		c.made[p.To] = b.String()
		return nil
	}, func(c *change) error {
		var tables map[string]jsonTable
		if err := plain.JSON(c.files, p.To, &tables); err != nil {
			return err
		}
		for name, t := range tables {
			c.put(name, grid{header: t.Columns, rows: t.Rows})
		}
		if len(tables) == 0 {
			return fmt.Errorf("%s has no tables", p.To)
		}
		c.gone = append(c.gone, p.To)
		return nil
	})
}
