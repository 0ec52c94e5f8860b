package models

import (
	"context"
	"time"
)

// Limiter keeps rates that many clients share, of one process or many.
type Limiter interface {
	// Take takes an amount from what a model may use at a rate for each minute and
	// returns how long to wait before using it. What is put back is negative.
	Take(ctx context.Context, what string, perMinute, amount float64) (wait time.Duration, err error)
}

// bytesPerToken is what a request's tokens are guessed by before they are
// counted.
const bytesPerToken = 4

// keepRates waits until the model's rates allow a request of so many tokens.
func (c *client) keepRates(ctx context.Context, tokens int) error {
	var wait time.Duration
	for _, limit := range []struct {
		what              string
		perMinute, amount float64
	}{
		{"requests", c.spec.RequestsPerMinute, 1},
		{"tokens", c.spec.TokensPerMinute, float64(tokens)},
	} {
		if limit.perMinute <= 0 {
			continue
		}
		w, err := c.limiter.Take(ctx, c.spec.Name+" "+limit.what, limit.perMinute, limit.amount)
		if err != nil {
			return err
		}
		wait = max(wait, w)
	}
	if wait == 0 {
		return nil
	}
	return c.pause(ctx, wait)
}

// settle takes what a request used beyond the guess.
func (c *client) settle(ctx context.Context, tokens int) error {
	if c.spec.TokensPerMinute <= 0 {
		return nil
	}
	// What was answered counts even if the interaction is being interrupted.
	_, err := c.limiter.Take(context.WithoutCancel(ctx), c.spec.Name+" tokens", c.spec.TokensPerMinute, float64(tokens))
	return err
}
