package models

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"agentd/internal/datafile"
	"agentd/internal/lazyregexp"
	"agentd/internal/usage"
	"agentd/internal/yamlsafe"
)

// Price is what a model costs, in USD per million tokens.
type Price struct {
	Input  float64 `yaml:"input" json:"input"`             // price of the prompt, in USD per million tokens, as all of these
	Cached float64 `yaml:"cached,omitempty" json:"cached"` // of prompt tokens read from the cache; 0 for Input
	// CacheWrite is the price of prompt tokens written to the cache; 0 for Input.
	CacheWrite float64 `yaml:"cache_write,omitempty" json:"cache_write,omitempty"`
	Output     float64 `yaml:"output" json:"output"` // of the completion
	// Source says where a price comes from; "" for the embedded table.
	Source string `yaml:"source,omitempty" json:"source,omitempty"`
	Date   string `yaml:"date,omitempty" json:"date,omitempty"` // when it was looked up
	// Fictitious marks the made-up price of a stand-in.
	Fictitious bool `yaml:"fictitious,omitempty" json:"fictitious,omitempty"`
}

// CachedInput returns the price of prompt tokens read from the cache, in USD per million.
func (p Price) CachedInput() float64 { return cmp.Or(p.Cached, p.Input) }

// Cost returns the cost of a usage in USD.
func (p Price) Cost(u Usage) float64 {
	written := cmp.Or(p.CacheWrite, p.Input)
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

// ListPrices returns the embedded table, with prices in the OverlayFile replacing those of the
// same models. A missing file is ignored.
func ListPrices() (Prices, error) {
	var p, over Prices
	if err := yamlsafe.Unmarshal(pricesFile, &p); err != nil {
		return p, fmt.Errorf("reading prices.yaml: %w", err)
	}
	file, err := OverlayFile()
	if err != nil {
		return p, nil // the file is optional
	}
	raw, err := datafile.Read(file, int64(yamlsafe.DefaultLimits().Bytes))
	if errors.Is(err, fs.ErrNotExist) {
		return p, nil
	}
	if err == nil {
		err = yamlsafe.Unmarshal(raw, &over)
	}
	if err != nil {
		return p, fmt.Errorf("reading prices of %s: %w", file, err)
	}
	maps.Copy(p.Models, over.Models)
	return p, nil
}

var versionDate = lazyregexp.New(`-(\d{4}-\d{2}-\d{2}|20\d{6})$`)

// Find returns the price of a model, also for dated versions of its name; nil if it is unknown.
func (p Prices) Find(model string) *Price {
	for _, name := range []string{model, versionDate.ReplaceAllString(model, "")} {
		if price, ok := p.Models[name]; ok {
			return &price
		}
	}
	return nil
}

// Names returns the models that have a list price, sorted.
func (p Prices) Names() []string { return slices.Sorted(maps.Keys(p.Models)) }

// PricesVariable is the environment variable that names the OverlayFile.
const PricesVariable = "AGENTD_PRICES"

// OverlayFile returns the path of the file whose prices replace embedded ones: the value of
// PricesVariable, or a file in the user's configuration folder.
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

// Overlay writes the prices to the OverlayFile, which ListPrices reads from then on, and
// returns its path. The file is replaced atomically.
func (p Prices) Overlay() (string, error) {
	file, err := OverlayFile()
	if err != nil {
		return "", err
	}
	raw, err := yaml.Marshal(p)
	if err != nil {
		return "", err
	}
	head := "# Laid over agentd's own prices by agentd models prices. " + LiteLLMLicence + ".\n"
	fresh := file + ".new"
	err = os.MkdirAll(filepath.Dir(file), 0o755)
	if err == nil {
		err = os.WriteFile(fresh, append([]byte(head), raw...), 0o644)
	}
	if err == nil {
		err = os.Rename(fresh, file)
	}
	if err != nil {
		return "", fmt.Errorf("keeping the prices: %w", err)
	}
	return file, nil
}

// LiteLLMLicence is the copyright notice of LiteLLM's table of prices.
const LiteLLMLicence = "LiteLLM's table of prices, MIT License, Copyright (c) 2023 Berri AI"

// maxPriceTable is the largest size of a table of prices, in bytes.
const maxPriceTable = 32 << 20

// ReadLiteLLM reads LiteLLM's table of prices, a JSON object with models' names as keys. Each
// price gets the given source and date. Entries without a price, or not of a language model,
// are ignored.
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
		if json.Unmarshal(entry, &e) != nil || e.Input == nil || e.Output == nil || e.Mode != "chat" && e.Mode != "responses" ||
			*e.Input < 0 || *e.Output < 0 || e.Read < 0 || e.Write < 0 {
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

// million converts a price per token to one per million tokens, without floating-point noise.
func million(one float64) float64 { return math.Round(one*1e12) / 1e6 }

// priceTableTimeout limits how long fetching a table of prices may take.
const priceTableTimeout = time.Minute

// FetchLiteLLM reads LiteLLM's table of prices from a file, or from an http or https address.
// The error is a usage.Error if the file cannot be read or the address is invalid.
func FetchLiteLLM(ctx context.Context, from, date string) (Prices, error) {
	if !strings.HasPrefix(from, "http://") && !strings.HasPrefix(from, "https://") {
		file, err := datafile.Open(from)
		if err != nil {
			return Prices{}, usage.Wrap(err)
		}
		defer file.Close()
		return ReadLiteLLM(file, from, date)
	}
	ctx, cancel := context.WithTimeout(ctx, priceTableTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, from, nil)
	if err != nil {
		return Prices{}, usage.Wrap(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return Prices{}, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		_, _ = io.CopyN(io.Discard, answer.Body, 1<<10)
		return Prices{}, fmt.Errorf("the server answers %s", answer.Status)
	}
	return ReadLiteLLM(answer.Body, from, date)
}
