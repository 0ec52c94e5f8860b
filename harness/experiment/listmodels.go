package experiment

import (
	"fmt"
	"io"
	"strings"

	"agentd/internal/layout"
	"agentd/internal/printable"
	"agentd/models"
	"agentd/models/sim"
)

// WriteModels prints the models that have a list price, and how to ask each.
func WriteModels(w io.Writer) error {
	prices, err := models.ListPrices()
	if err != nil {
		return err
	}
	profiles, err := models.KnownProfiles()
	if err != nil {
		return err
	}
	screen := layout.ScreenOf(w)
	paragraph := func(text string) {
		printable.Fprintf(w, "%s", printable.Block(screen.Paragraph(text, 0)))
	}
	paragraph(fmt.Sprintf("List prices of %s, USD for a million tokens; what models take, as known on %s.", prices.Date, profiles.Date))
	var list layout.List
	for _, name := range prices.Names() {
		p := prices.Models[name]
		profile, _ := profiles.Find(name)
		note := profile.How()
		if p.Fictitious {
			profile, _ := sim.ProfileNamed(strings.TrimPrefix(name, sim.Prefix))
			note = "stand-in, price made up: " + profile.Summary
		}
		if p.Source != "" {
			note += fmt.Sprintf("; price of %s from %s", p.Date, p.Source)
		}
		list.Add(name, fmt.Sprintf("%.3f in, %.3f cached, %.3f out; %s", p.Input, p.CachedInput(), p.Output, note))
	}
	if err := list.Write(w); err != nil {
		return err
	}
	paragraph("Any other model runs too, with the defaults of its server's dialect: name it with --base-url, or in an experiment file " +
		"with its base_url, and with a price if its cost is to be known. replay:FILE are the models of a recording (agentd run --record FILE).")
	return nil
}
