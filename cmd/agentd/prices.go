package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"agentd/internal/printable"
	"agentd/internal/usage"
	"agentd/models"
)

func pricesCommand() *cobra.Command {
	var from, date string
	c := &cobra.Command{
		Use: "prices", Short: "Lay prices of LiteLLM's table over the built-in ones",
		Long: "Read the table of prices that LiteLLM keeps (model_prices_and_context_window.json) and lay it\n" +
			"over the built-in prices. They are kept in agentd/prices.yaml in the user's folder of settings,\n" +
			"or in the file that " + models.PricesVariable + " names; delete that file to have the built-in ones again.",
		Example: "  agentd models prices --from model_prices_and_context_window.json\n" +
			"  agentd models prices --from https://raw.githubusercontent.com/BerriAI/litellm/main/model_prices_and_context_window.json",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if from == "" {
				return usage.Errorf("--from: name a file or an address of LiteLLM's table of prices")
			}
			if _, err := time.Parse(time.DateOnly, date); err != nil {
				return usage.Errorf("--date %q is not a date such as 2026-11-23", date)
			}
			prices, err := models.FetchLiteLLM(c.Context(), from, date)
			if err != nil {
				return fmt.Errorf("reading prices from %s: %w", from, err)
			}
			file, err := prices.Overlay()
			if err != nil {
				return err
			}
			_, err = printable.Fprintf(c.OutOrStdout(), "%d prices of %s from %s are in %s (%s)\n", len(prices.Models), date, from, file, models.LiteLLMLicence)
			return err
		},
	}
	c.Flags().StringVar(&from, "from", "", "file or address of LiteLLM's table of prices")
	c.Flags().StringVar(&date, "date", time.Now().UTC().Format(time.DateOnly), "date of the table (default today)")
	c.Flags().Lookup("date").DefValue = "" // today
	return c
}
