package gateway

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"agentd/models"
	"agentd/models/wire"
)

// verbatimQuestion is a request in the dialect of the model's server. It goes on as it is
// written, and the server's answer goes back so.
type verbatimQuestion struct {
	question // writes what the server has not written in events
	ask      models.Request
	noUsage  bool // the client has not asked for the usage at the end of the stream
}

func (q *verbatimQuestion) request() models.Request {
	ask := q.ask
	q.ask = models.Request{}
	return ask
}

func (q *verbatimQuestion) answer(answer models.Response) any { return json.RawMessage(answer.Raw) }

func (q *verbatimQuestion) raw(answer models.Response) bool { return answer.Streamed }

func (q *verbatimQuestion) wanted(event []byte) bool { return !q.noUsage || !dropUsage(event) }

// decided are the members of a request that are not for a command to decide on, in any
// dialect: another model, another price, tools and storage at the maker's. Those that agentd
// says itself are laid over the request.
var decided = []string{
	"service_tier", "speed", "inference_geo", "models", "route", "fallbacks", "plugins", "search_parameters", "web_search_options",
	"mcp_servers", "container", "background", "conversation", "prompt", "previous_response_id",
}

// silently are those of which nothing is said, because they make no difference here.
var silently = []string{"n", "seed", "store", "model", "stream", "generationConfig.seed", "generationConfig.candidateCount"}

// theirs are the members of a request by which a command sets how a model answers: the
// experiment's settings hold, unless the policy says that the command's do.
var theirs = map[models.API][]string{
	models.Chat: {
		"temperature", "top_p", "top_k", "min_p", "max_tokens", "max_completion_tokens", "reasoning", "reasoning_effort", "verbosity",
		"presence_penalty", "frequency_penalty", "repetition_penalty", "thinking", "enable_thinking", "thinking_budget",
	},
	models.Responses: {"temperature", "top_p", "max_output_tokens", "reasoning.effort", "text.verbosity"},
	models.Messages:  {"temperature", "top_p", "top_k", "max_tokens", "thinking", "output_config.effort"},
	models.Gemini: {
		"generationConfig.temperature", "generationConfig.topP", "generationConfig.topK", "generationConfig.maxOutputTokens",
		"generationConfig.presencePenalty", "generationConfig.frequencyPenalty",
		"generationConfig.thinkingConfig.thinkingBudget", "generationConfig.thinkingConfig.thinkingLevel",
	},
}

// without removes a member, which may be one of an object's: a name with points. It reports
// whether it was there.
func (m members) without(name string) (was bool, err error) {
	name, rest, nested := strings.Cut(name, ".")
	value, there := m[name]
	if !there || !nested {
		delete(m, name)
		return there && given(value), nil
	}
	if value[0] != '{' {
		return false, nil
	}
	if len(value) > maxSetting {
		return false, fmt.Errorf("%s has more than %d bytes", name, maxSetting)
	}
	inside, err := split(name, value)
	if err != nil {
		return false, err
	}
	if was, err = inside.without(rest); !was || err != nil {
		return was, err
	}
	if m[name], err = encode(inside); len(inside) == 0 {
		delete(m, name)
	}
	return true, err
}

// verbatim returns the question of a request that goes on as it is: the members of asked
// less what is not the command's to decide on. in writes what the model's server does not
// write itself.
func (g *Gateway) verbatim(r *http.Request, api models.API, asked members, in question) (question, error) {
	q := &verbatimQuestion{question: in, ask: models.Request{Verbatim: true}}
	err := g.intake.decode(r.Context(), func() error {
		if err := g.answeredIn(api, asked); err != nil {
			return err
		}
		for _, name := range decided {
			if was, err := asked.without(name); err != nil {
				return err
			} else if was {
				g.leaveOut("the member " + name)
			}
		}
		names := silently
		if !g.options.OwnSettings {
			names = slices.Concat(silently, theirs[api])
		}
		for _, name := range names {
			if _, err := asked.without(name); err != nil {
				return err
			}
		}
		var options struct {
			Usage bool `json:"include_usage"`
		}
		_ = decode("stream_options", asked["stream_options"], &options) // what is no object says nothing
		q.noUsage = api == models.Chat && !options.Usage
		q.ask.Members = wire.Members(asked)
		return g.leaveOutHosted(asked)
	})
	if beta := r.Header.Values("Anthropic-Beta"); api == models.Messages && len(beta) > 0 {
		q.ask.Header = http.Header{"Anthropic-Beta": beta}
	}
	return q, err
}

// carriedOut are the types of tools that a command carries out itself, or that only help
// the model to choose among those. All others are run by the maker's server, which can
// reach what the command must not.
var carriedOut = []string{
	"", "function", "custom", "namespace", "tool_search", "local_shell", "apply_patch", "computer_use_preview",
	"bash_", "text_editor_", "computer_", "memory_", "tool_search_tool_", // with a date
}

// leaveOutHosted takes the tools out of a request that the maker's server runs.
func (g *Gateway) leaveOutHosted(asked members) error {
	if !given(asked["tools"]) {
		return nil
	}
	var kept [][]byte
	left := false
	err := each("tools", asked["tools"], func(i int, raw json.RawMessage) error {
		tool, err := split(fmt.Sprintf("tools[%d]", i), raw)
		if err != nil {
			return err
		}
		kind, err := tool.word("tools", "type")
		if err != nil {
			return err
		}
		_, declares := tool["functionDeclarations"]
		for _, hosted := range []string{"googleSearch", "googleSearchRetrieval", "codeExecution", "urlContext", "googleMaps", "fileSearch", "computerUse", "enterpriseWebSearch", "mcpServers"} {
			if given(tool[hosted]) {
				kind, declares = hosted, false
			}
		}
		if !declares && !slices.ContainsFunc(carriedOut, func(own string) bool {
			return kind == own || strings.HasSuffix(own, "_") && strings.HasPrefix(kind, own)
		}) {
			g.leaveOut("a tool of type " + kind)
			left = true
			return nil
		}
		kept = append(kept, raw)
		return nil
	})
	switch {
	case err != nil || !left:
		return err
	case len(kept) == 0:
		delete(asked, "tools")
		delete(asked, "tool_choice")
	default:
		asked["tools"] = slices.Concat([]byte("["), bytes.Join(kept, []byte(",")), []byte("]"))
	}
	return nil
}

// answeredIn notes the command's answers to the model's calls, as answered does, in a
// request of any dialect.
func (g *Gateway) answeredIn(api models.API, asked members) error {
	if api == models.Chat {
		return g.answered(asked["messages"])
	}
	name := map[models.API]string{models.Responses: "input", models.Messages: "messages", models.Gemini: "contents"}[api]
	value := asked[name]
	switch {
	case !given(value) || string(value) == "[]":
		return errNoMessages
	case api == models.Responses && value[0] == '"':
		return nil
	}
	var found []CallAnswer
	err := each(name, value, func(i int, raw json.RawMessage) error {
		it, err := split(fmt.Sprintf("%s[%d]", name, i), raw)
		if err != nil {
			return err
		}
		switch api {
		case models.Responses:
			found = append(found, it.outputOf()...)
		case models.Messages:
			if it["content"] == nil || it["content"][0] != '[' {
				return nil
			}
			return each("content", it["content"], func(_ int, raw json.RawMessage) error {
				block, err := split("content", raw)
				if string(block["type"]) == `"tool_result"` {
					found = append(found, CallAnswer{ID: plain(block["tool_use_id"]), Text: block["content"]})
				}
				return err
			})
		default:
			if string(it["role"]) == `"model"` {
				found = nil // what comes later answers this turn
			}
			answers, err := geminiAnswers(it["parts"])
			found = append(found, answers...)
			return err
		}
		return nil
	})
	if err != nil {
		return err
	}
	g.observer.Returned(found)
	return nil
}

// outputOf is the answer to a call that an item of Responses is, if it is one.
func (m members) outputOf() []CallAnswer {
	if !strings.HasSuffix(plain(m["type"]), "_output") {
		return nil
	}
	return []CallAnswer{{ID: plain(m["call_id"]), Text: m["output"]}}
}

// geminiAnswers are the answers to calls among the parts of a content. A file that a part
// names must be one that the model's server may fetch.
func geminiAnswers(parts json.RawMessage) (all []CallAnswer, err error) {
	if !given(parts) {
		return nil, nil
	}
	err = each("parts", parts, func(_ int, raw json.RawMessage) error {
		part, err := split("parts", raw)
		if err != nil {
			return err
		}
		if given(part["fileData"]) {
			file, err := split("fileData", part["fileData"])
			if err != nil {
				return err
			}
			for _, name := range []string{"fileUri", "file_uri"} {
				if given(file[name]) {
					if err := checkAddress(file[name]); err != nil {
						return fmt.Errorf("fileData.%s: %w", name, err)
					}
				}
			}
		}
		if given(part["functionResponse"]) {
			response, err := split("functionResponse", part["functionResponse"])
			if err != nil {
				return err
			}
			all = append(all, CallAnswer{plain(response["id"]), plain(response["name"]), response["response"]})
		}
		return nil
	})
	return all, err
}

// plain is a short text; "" if the value is none.
func plain(value json.RawMessage) (text string) {
	if len(value) <= maxWord {
		_ = json.Unmarshal(value, &text)
	}
	return text
}

var errNoMessages = errors.New("the request has no messages")

// answered tells of the client's answers to the model's calls. It returns an error if the
// messages cannot be read.
func (g *Gateway) answered(messages json.RawMessage) error {
	var answers []CallAnswer
	number := 0
	err := each("messages", messages, func(i int, raw json.RawMessage) error {
		number++
		var m struct {
			Role       string `json:"role"`
			ToolCallID string `json:"tool_call_id"`
		}
		if err := jsonv2.Unmarshal(raw, &m, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)); err != nil {
			return fmt.Errorf("messages[%d] cannot be read: %w", i, err)
		}
		if m.Role != string(models.ToolRole) {
			return nil
		}
		all, err := split("messages", raw)
		answers = append(answers, CallAnswer{ID: m.ToolCallID, Text: all["content"]})
		return err
	})
	switch {
	case err != nil:
		return err
	case number == 0:
		return errNoMessages
	}
	g.observer.Returned(answers)
	return nil
}
