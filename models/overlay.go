package models

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"

	"go.yaml.in/yaml/v3"

	"agentd/internal/datafile"
	"agentd/internal/yamlsafe"
)

// PricesVariable names the environment variable of the file whose prices are laid over
// the embedded ones.
const PricesVariable = "AGENTD_PRICES"

// OverlayFile is where prices are that are laid over the embedded ones: what
// PricesVariable says, otherwise a file in the user's folder of settings.
func OverlayFile() (string, error) {
	if file := os.Getenv(PricesVariable); file != "" {
		return file, nil
	}
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("finding the folder of settings: %w; set %s to a file", err, PricesVariable)
	}
	return filepath.Join(dir, "agentd", "prices.yaml"), nil
}

// overlaid returns the prices with those of a file over them. A file that is not there
// has none.
func (p Prices) overlaid() (Prices, error) {
	file, err := OverlayFile()
	if err != nil {
		return p, nil // there are no other prices
	}
	raw, err := datafile.Read(file, int64(yamlsafe.DefaultLimits().Bytes))
	if errors.Is(err, fs.ErrNotExist) {
		return p, nil
	}
	if err != nil {
		return p, fmt.Errorf("reading prices: %w", err)
	}
	var over Prices
	if err := yamlsafe.Unmarshal(raw, &over); err != nil {
		return p, fmt.Errorf("reading prices of %s: %w", file, err)
	}
	maps.Copy(p.Models, over.Models)
	return p, nil
}

// Overlay lays prices over the embedded ones from now on, and returns the file that they
// are kept in. The file is replaced as a whole, so that it is never read half written.
func (p Prices) Overlay() (string, error) {
	file, err := OverlayFile()
	if err != nil {
		return "", err
	}
	raw, err := yaml.Marshal(p)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return "", fmt.Errorf("keeping the prices: %w", err)
	}
	head := "# Laid over agentd's own prices by agentd models prices. " + LiteLLMLicence + ".\n"
	fresh := file + ".new"
	if err := os.WriteFile(fresh, append([]byte(head), raw...), 0o644); err != nil {
		return "", fmt.Errorf("keeping the prices: %w", err)
	}
	if err := os.Rename(fresh, file); err != nil {
		return "", fmt.Errorf("keeping the prices: %w", err)
	}
	return file, nil
}

// LiteLLMLicence says whose table LiteLLM's is.
const LiteLLMLicence = "LiteLLM's table of prices, MIT License, Copyright (c) 2023 Berri AI"

// maxPriceTable bounds a table of prices, in bytes.
const maxPriceTable = 32 << 20

// ReadLiteLLM reads LiteLLM's table of prices, a JSON object by models' names. Each price
// says the source and the date that are given. Entries that are no language model's, or
// have no price, are left out.
func ReadLiteLLM(table io.Reader, source, date string) (Prices, error) {
	raw, err := io.ReadAll(io.LimitReader(table, maxPriceTable+1))
	if err != nil {
		return Prices{}, err
	}
	if len(raw) > maxPriceTable {
		return Prices{}, fmt.Errorf("it has more than %d bytes", maxPriceTable)
	}
	var entries map[string]json.RawMessage
	if err := json.Unmarshal(raw, &entries); err != nil {
		return Prices{}, fmt.Errorf("it is no table of prices: %w", err)
	}
	prices := Prices{Date: date, Models: map[string]Price{}}
	for name, entry := range entries {
		var e struct { // USD for a token
			Mode   string   `json:"mode"`
			Input  *float64 `json:"input_cost_per_token"`
			Output *float64 `json:"output_cost_per_token"`
			Read   float64  `json:"cache_read_input_token_cost"`
			Write  float64  `json:"cache_creation_input_token_cost"`
		}
		if json.Unmarshal(entry, &e) != nil || e.Input == nil || e.Output == nil || e.Mode != "chat" && e.Mode != "responses" {
			continue
		}
		if *e.Input < 0 || *e.Output < 0 || e.Read < 0 || e.Write < 0 {
			continue
		}
		prices.Models[name] = Price{
			Input: million(*e.Input), Cached: million(e.Read), CacheWrite: million(e.Write), Output: million(*e.Output), Source: source, Date: date,
		}
	}
	if len(prices.Models) == 0 {
		return Prices{}, errors.New("it has no price of a language model (mode chat or responses, input_cost_per_token, output_cost_per_token)")
	}
	return prices, nil
}

// million is the price of a million tokens, without the digits that are of floating point.
func million(one float64) float64 { return math.Round(one*1e12) / 1e6 }
