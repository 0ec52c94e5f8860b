package models

import (
	"context"
	"time"
)

// Limiter enforces rate limits that clients in one or many processes share.
type Limiter interface {
	// Take takes an amount from the budget named what, and returns how long to wait before
	// using it. The budget is refilled at perMinute units a minute. A negative amount is given
	// back.
	Take(ctx context.Context, what string, perMinute, amount float64) (wait time.Duration, err error)
}

// bytesPerToken estimates the tokens of a request before the server has counted them.
const bytesPerToken = 4

// keepRates waits until the model's rate limits allow a request of the given number of tokens.
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

// settle takes the tokens that a request used beyond the estimate.
func (c *client) settle(ctx context.Context, tokens int) error {
	if c.spec.TokensPerMinute <= 0 {
		return nil
	}
	// The tokens count even if the interaction is being interrupted.
	_, err := c.limiter.Take(context.WithoutCancel(ctx), c.spec.Name+" tokens", c.spec.TokensPerMinute, float64(tokens))
	return err
}
