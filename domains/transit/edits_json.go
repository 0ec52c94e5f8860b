package transit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const jsonFile = "feed.json"

// jsonTable is a table in feed.json.
type jsonTable struct {
	Columns []string   `json:"columns"`
	Rows    [][]string `json:"rows"`
}

// toJSON puts all tables into one file.
func toJSON(files vfs.Files) (vfs.Files, error) {
	if _, err := stopTimes(files, stopTimesFile, "arrival_time", "departure_time"); err != nil {
		return nil, err
	}
	tables := map[string]jsonTable{}
	var gone []string
	for _, name := range files.Names() {
		if path.Ext(name) != ".txt" {
			continue
		}
		g, err := gridOf(files, name)
		if err != nil {
			return nil, err
		}
		tables[name] = jsonTable{g.header, g.rows}
		gone = append(gone, name)
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(tables); err != nil {
		return nil, fmt.Errorf("writing %s: %w", jsonFile, err)
	}
	return replaced(files, gone, vfs.Files{jsonFile: b.String()}), nil
}

func fromJSON(files vfs.Files) (vfs.Files, error) {
	var tables map[string]jsonTable
	if err := plain.JSON(files, jsonFile, &tables); err != nil {
		return nil, err
	}
	with := vfs.Files{}
	for name, t := range tables {
		with[name] = grid{header: t.Columns, rows: t.Rows}.text()
	}
	if len(with) == 0 {
		return nil, fmt.Errorf("%s has no tables", jsonFile)
	}
	return replaced(files, []string{jsonFile}, with), nil
}
