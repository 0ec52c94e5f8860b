package sim

import (
	"net/http"
	"strings"

	codec "agentd/models/wire/responses"
)

// responses is OpenAI's Responses API. Nothing is stored.
type responses struct{ spoken }

func newResponses() responses { return responses{spoken{codec.Codec{}}} }

// reasoned begins the identifiers of answers that came with reasoning, which they need when
// they come back.
const reasoned = "r"

func (d responses) read(_ *http.Request, body []byte) (*request, *refusal) {
	asked, refused := d.decode(body)
	switch {
	case refused != nil:
		return nil, refused
	case asked.Reasons && asked.Temperature != nil:
		return nil, &refusal{http.StatusBadRequest, "unsupported_parameter", d.temperatureRefused()}
	case len(asked.LeftOut) > 0:
		return nil, refusedf("%s cannot be had here", asked.LeftOut[0])
	}
	open := map[string]bool{} // calls without an output
	for i := range asked.Messages {
		m := &asked.Messages[i]
		for _, call := range m.ToolCalls {
			open[call.ID] = true
		}
		delete(open, m.ToolCallID)
		if refused := d.reasonedWell(m); refused != nil {
			return nil, refused
		}
	}
	for id := range open {
		return nil, refusedf("No tool output found for function call %s.", id)
	}
	return asked, nil
}

// reasonedWell looks at the reasoning of a turn.
func (responses) reasonedWell(m *message) *refusal {
	switch {
	case !m.Reasoned && strings.HasPrefix(m.ID, "fc_"+reasoned):
		return refusedf("Item '%s' of type 'function_call' was provided without its required 'reasoning' item.", m.ID)
	case !m.Reasoned:
		return nil
	case !m.Says():
		return refusedf("Item '%s' of type 'reasoning' was provided without its required following item.", m.ID)
	case m.Signature == "":
		return refusedf("Item with id '%s' not found. Items are not persisted when `store` is set to false.", m.ID)
	case m.Signature != signature(thoughts(m), m.Content, m.ToolCalls):
		return &refusal{http.StatusBadRequest, "invalid_encrypted_content", "The encrypted content for item " + m.ID + " could not be verified."}
	}
	return nil
}

func (responses) temperatureRefused() string {
	return "Unsupported parameter: 'temperature' is not supported with this model."
}

// signed is an answer whose reasoning, if it has some, is signed.
func (responses) signed(a answer) answer {
	if m := &a.Message; m.Reasoning != "" {
		a.ID, m.Signature = reasoned+a.ID, signature(m.Reasoning, m.Content, m.ToolCalls)
	}
	return a
}

func (d responses) whole(r *request, a answer) any { return d.spoken.whole(r, d.signed(a)) }

func (d responses) events(r *request, a answer) []event { return d.spoken.events(r, d.signed(a)) }
