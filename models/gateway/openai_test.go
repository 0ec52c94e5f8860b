package gateway

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sashabaranov/go-openai"

	"agentd/models"
	"agentd/models/sim"
)

// noEditor knows no instruction.
type noEditor struct{}

func (noEditor) Find(string, []string, []string) (sim.Job, bool) { return sim.Job{}, false }

// heard is what go-openai's client makes of an answer.
type heard struct {
	Text   string
	Calls  []openai.ToolCall
	Reason openai.FinishReason
	Tokens bool // whether they were counted
}

// asks has go-openai's client ask for a chat completion, at once or in events.
func asks(ctx context.Context, url string, stream bool) (h heard, err error) {
	config := openai.DefaultConfig("key")
	config.BaseURL = url + Path
	client := openai.NewClientWithConfig(config)
	request := openai.ChatCompletionRequest{
		Model:    "sim:refuse",
		Messages: []openai.ChatCompletionMessage{{Role: "system", Content: "Be kind."}, {Role: "user", Content: "Go."}},
		Tools:    []openai.Tool{{Type: openai.ToolTypeFunction, Function: &openai.FunctionDefinition{Name: "f", Parameters: map[string]any{"type": "object"}}}},
	}
	if !stream {
		answer, err := client.CreateChatCompletion(ctx, request)
		if err != nil || len(answer.Choices) != 1 {
			return h, err
		}
		said := answer.Choices[0]
		return heard{said.Message.Content, said.Message.ToolCalls, said.FinishReason, answer.Usage.TotalTokens > 0}, nil
	}
	request.StreamOptions = &openai.StreamOptions{IncludeUsage: true}
	events, err := client.CreateChatCompletionStream(ctx, request)
	if err != nil {
		return h, err
	}
	defer events.Close()
	for {
		event, err := events.Recv()
		if errors.Is(err, io.EOF) {
			return h, nil
		}
		if err != nil {
			return h, err
		}
		h.Tokens = h.Tokens || event.Usage != nil && event.Usage.TotalTokens > 0
		for _, choice := range event.Choices {
			h.Text += choice.Delta.Content
			for _, piece := range choice.Delta.ToolCalls {
				for len(h.Calls) <= *piece.Index {
					h.Calls = append(h.Calls, openai.ToolCall{ID: piece.ID, Type: piece.Type, Function: openai.FunctionCall{Name: piece.Function.Name}})
				}
				h.Calls[*piece.Index].Function.Arguments += piece.Function.Arguments
			}
			if choice.FinishReason != "" {
				h.Reason = choice.FinishReason
			}
		}
	}
}

// go-openai's client, which is another project's, understands the stand-in, and the gateway
// whichever dialect the model's server speaks.
func TestAnotherProjectsClientUnderstandsTheAnswers(t *testing.T) {
	t.Parallel()
	standIns := sim.Handler(noEditor{}, sim.Options{})
	refused := heard{Text: "I would rather not change these documents.", Reason: openai.FinishReasonStop, Tokens: true}
	called := heard{Text: "See:", Reason: openai.FinishReasonToolCalls, Tokens: true, Calls: []openai.ToolCall{
		{ID: "1", Type: openai.ToolTypeFunction, Function: openai.FunctionCall{Name: "f", Arguments: `{"a":"<b>"}`}},
		{ID: "2", Type: openai.ToolTypeFunction, Function: openai.FunctionCall{Name: "g", Arguments: "{}"}},
	}}
	calling := models.Message{Content: "See:", ToolCalls: []models.ToolCall{{ID: "1", Name: "f", Arguments: `{"a":"<b>"}`}, {ID: "2", Name: "g", Arguments: "{}"}}}
	type server struct {
		http.Handler
		says heard
	}
	servers := map[string]server{
		"the stand-in":          {standIns, refused},
		"the gateway, of calls": {newDesk(t, &model{answer: calling, finish: "tool_calls"}).mux, called},
	}
	for _, api := range models.APIs() {
		servers["the gateway to "+string(api)] = server{newDesk(t, opened(t, standIns, models.Spec{API: api})).mux, refused}
	}
	for name, s := range servers {
		listening := httptest.NewServer(s)
		t.Cleanup(listening.Close)
		for _, stream := range []bool{false, true} {
			got, err := asks(t.Context(), listening.URL, stream)
			got.Text = strings.TrimSpace(got.Text)
			if diff := cmp.Diff(s.says, got); err != nil || diff != "" {
				t.Errorf("%s, streamed %v: %v %s", name, stream, err, diff)
			}
		}
	}
}
