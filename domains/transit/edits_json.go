package transit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
)

// inJSON puts all tables into one file.
func inJSON(p struct{ To string }) exact.Steps {
	return steps(func(c *change) error {
		c.stopTimes() // a feed has some
		tables := map[string]grid{}
		for _, name := range c.files.Names() {
			if path.Ext(name) == ".txt" {
				tables[name] = c.take(name)
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
		var tables map[string]grid
		if err := plain.JSON(c.files, p.To, &tables); err != nil {
			return err
		}
		for name, t := range tables {
			c.put(name, t)
		}
		if len(tables) == 0 {
			return fmt.Errorf("%s has no tables", p.To)
		}
		c.gone = append(c.gone, p.To)
		return nil
	})
}
