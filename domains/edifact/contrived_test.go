package edifact

import (
	"testing"

	"agentd/domains/domaintest"
)

func BenchmarkContrived(b *testing.B) {
	domaintest.BenchmarkContrived(b, New(), domaintest.Seed(b, "edifact1"), contrived)
}

// contrived are documents made to be slow to compare.
var contrived = map[string]domaintest.Contrived{
	"bare":         {Record: "UNH+1+ORDRSP'UNT+2+1'"},
	"numbered":     {Record: "UNH+%d+ORDRSP'UNT+2+%d'"},
	"envelopes":    {Record: "UNB+UNOC:3+1+2+3:4+%d'UNZ+0+%d'"},
	"items":        {Before: "UNH+1+ORDRSP:D:96A:UN:EAN005'BGM+231'RFF+ON:4107732'", Record: "LIN'", After: "UNT+1+1'"},
	"numbers":      {Before: "UNH+1+ORDRSP:D:96A:UN:EAN005'BGM+231'RFF+ON:4107732'", Record: "LIN+%d'", After: "UNT+1+1'"},
	"articles":     {Before: "UNH+1+ORDRSP:D:96A:UN:EAN005'BGM+231'RFF+ON:4107732'", Record: "LIN+++%d:EN'", After: "UNT+1+1'"},
	"descriptions": {Before: "UNH+1+ORDRSP:D:96A:UN:EAN005'BGM+231'RFF+ON:4107732'", Record: "LIN'IMD+++:::ACER %d'", After: "UNT+1+1'"},
	"quantities":   {Before: "UNH+1+ORDRSP:D:96A:UN:EAN005'BGM+231'RFF+ON:4107732'LIN'", Record: "QTY+%d:1'", After: "UNT+1+1'"},
	"parties":      {Before: "UNH+1+ORDRSP:D:96A:UN:EAN005'BGM+231'RFF+ON:4107732'", Record: "NAD+%d'", After: "UNT+1+1'"},
	"contacts":     {Before: "UNH+1+ORDRSP:D:96A:UN:EAN005'BGM+231'", Record: "NAD+BY'CTA+%d'COM+1'", After: "UNT+1+1'"},
	"counts":       {Before: "UNH+1+ORDRSP:D:96A:UN:EAN005'BGM+231'", Record: "CNT+2:%d'", After: "UNT+1+1'"},
	"texts":        {Record: "text %d'\n"},
	"sized":        {Record: "UNH+1+O'LIN'LIN'UNT+2+1'UNH+2+O'LIN'UNT+2+1'"},
	"service":      {Record: "UNA:+.? '"},
}
