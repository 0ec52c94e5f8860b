package models

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"agentd/internal/datafile"
	"agentd/internal/usage"
)

// priceTableTimeout bounds fetching a table of prices.
const priceTableTimeout = time.Minute

// FetchLiteLLM reads LiteLLM's table of prices from a file, or from an http or https
// address. A file that cannot be read, and an address that is none, are a usage.Error.
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
