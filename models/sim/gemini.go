package sim

import (
	"net/http"
	"slices"
	"strings"

	codec "agentd/models/wire/gemini"
)

// gemini is Google's generateContent.
type gemini struct{ spoken }

func newGemini() gemini { return gemini{spoken{codec.Codec{}}} }

func (d gemini) read(h *http.Request, body []byte) (*request, *refusal) {
	model, method := codec.Method(h.PathValue("call"))
	if method != codec.Generate && method != codec.Stream {
		return nil, &refusal{http.StatusNotFound, "not_found", "there is no method " + h.PathValue("call")}
	}
	asked, refused := d.decode(body)
	if refused != nil {
		return nil, refused
	}
	asked.Model, asked.Stream, asked.Reasons = model, method == codec.Stream, true
	return asked, d.inTurns(asked.Messages)
}

// inTurns looks at the order of calls and their answers, and at the signatures of calls.
func (d gemini) inTurns(all []message) *refusal {
	const number = "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn."
	for i := range all {
		m := &all[i]
		if len(m.ToolCalls) == 0 {
			continue
		}
		if refused := d.signedWell(i, m); refused != nil {
			return refused
		}
		answers := all[i+1 : min(i+1+len(m.ToolCalls), len(all))]
		if len(answers) < len(m.ToolCalls) {
			return refusedf(number)
		}
		for k, call := range m.ToolCalls {
			if answers[k].ToolCallID != call.ID {
				return refusedf(number)
			}
		}
	}
	return nil
}

// signedWell looks at the signature of a turn with calls.
func (gemini) signedWell(i int, m *message) *refusal {
	switch m.Signature {
	case codec.Unsigned:
		return nil
	case "":
		return refusedf("Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly. Function call `%s`, position %d.", m.ToolCalls[0].Name, i)
	}
	if plainBase64(m.Signature) != plainBase64(signature(thoughts(m), m.Content, m.ToolCalls)) {
		return refusedf("Thought signature is not valid.")
	}
	return nil
}

// plainBase64 is base64 in one of the alphabets that Google's servers read: its package for
// Python writes the other.
func plainBase64(text string) string {
	return strings.NewReplacer("-", "+", "_", "/", "=", "").Replace(text)
}

func (gemini) temperatureRefused() string {
	return `Invalid JSON payload received. Unknown name "temperature" at 'generation_config': Cannot find field.`
}

// signed is an answer with a signature at its first call, and calls without identifiers.
func (gemini) signed(a answer) answer {
	m := &a.Message
	m.ToolCalls = slices.Clone(wholeCalls(m))
	m.Signature = signature(m.Reasoning, m.Content, m.ToolCalls)
	for i := range m.ToolCalls {
		m.ToolCalls[i].ID = ""
	}
	return a
}

func (d gemini) whole(r *request, a answer) any { return d.spoken.whole(r, d.signed(a)) }

func (d gemini) events(r *request, a answer) []event { return d.spoken.events(r, d.signed(a)) }
