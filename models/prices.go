package models

import (
	_ "embed"
	"fmt"
	"maps"
	"regexp"
	"slices"

	"agentd/internal/yamlsafe"
)

// Price is what a model costs, in USD for a million tokens.
type Price struct {
	Input  float64 `yaml:"input" json:"input"`             // of the prompt, in USD for a million tokens, as all of these
	Cached float64 `yaml:"cached,omitempty" json:"cached"` // of the prompt's cached part; 0 means as Input
	// CacheWrite is of the prompt's part that is written to the cache; 0 means as Input.
	CacheWrite float64 `yaml:"cache_write,omitempty" json:"cache_write,omitempty"`
	Output     float64 `yaml:"output" json:"output"` // of the completion
	// Source is where a price is from; "" for the embedded table.
	Source string `yaml:"source,omitempty" json:"source,omitempty"`
	Date   string `yaml:"date,omitempty" json:"date,omitempty"` // when it was looked up
	// Fictitious marks the made-up price of a stand-in.
	Fictitious bool `yaml:"fictitious,omitempty" json:"fictitious,omitempty"`
}

// CachedInput is the price of the prompt's cached part.
func (p Price) CachedInput() float64 {
	if p.Cached == 0 {
		return p.Input
	}
	return p.Cached
}

// Cost returns the price of a usage in USD.
func (p Price) Cost(u Usage) float64 {
	written := p.CacheWrite
	if written == 0 {
		written = p.Input
	}
	return (float64(u.Prompt-u.Cached-u.CacheWrite)*p.Input + float64(u.Cached)*p.CachedInput() +
		float64(u.CacheWrite)*written + float64(u.Completion)*p.Output) / 1e6
}

// Prices is a dated table of list prices.
type Prices struct {
	Date   string           `yaml:"date"`
	Models map[string]Price `yaml:"models"`
}

//go:embed prices.yaml
var pricesFile []byte

// ListPrices returns the embedded table, with the prices of the OverlayFile over it.
func ListPrices() (Prices, error) {
	var p Prices
	if err := yamlsafe.Unmarshal(pricesFile, &p); err != nil {
		return Prices{}, fmt.Errorf("reading prices.yaml: %w", err)
	}
	return p.overlaid()
}

var versionDate = regexp.MustCompile(`-(\d{4}-\d{2}-\d{2}|20\d{6})$`)

// Find returns the price of a model, dated versions included; nil if it is
// unknown.
func (p Prices) Find(model string) *Price {
	for _, name := range []string{model, versionDate.ReplaceAllString(model, "")} {
		if price, ok := p.Models[name]; ok {
			return &price
		}
	}
	return nil
}

// Names returns the models with a list price in name order.
func (p Prices) Names() []string { return slices.Sorted(maps.Keys(p.Models)) }
