package policies

import (
	"strings"
	"testing"
)

func TestWhyAnInteractionFailedIsPlainEnglish(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		reason       Reason
		detail, want string
	}{
		"a context that is too long, with both numbers": {ModelError, "model m: context too long: status 400 Bad Request: prompt is too long: 12540 tokens > 8192 maximum", "model error: context too long (12,540 of 8,192 tokens)"},
		"a context that is too long, without numbers":   {ModelError, "model m: context too long: status 400 Bad Request: context_length_exceeded", "model error: context too long"},
		"a conversation that became too long":           {ContextBudget, "model m: context too long: prompt is too long: 12540 tokens > 8192 maximum", "budget: context too long (12,540 of 8,192 tokens)"},
		"another error of a model":                      {ModelError, "model m: request refused: status 400 Bad Request: no such tool\nmore", "model error: request refused: status 400 Bad Request: no such tool"},
		"an error of a command's model":                 {ModelError, "model m: server fault: status 503; the command ended with exit code 1; Traceback", "model error: server fault: status 503"},
		"an error that no model wrote":                  {ModelError, "it is broken", "model error: it is broken"},
		"turns":                                         {TurnBudget, "not finished after 25 turns", "budget: turns"},
		"tokens":                                        {TokenBudget, "500001 of 500000 tokens used after 9 turns", "budget: tokens"},
		"cost":                                          {CostBudget, "", "budget: cost"},
		"time":                                          {TimeBudget, "", "budget: time"},
		"an answer in words":                            {BadAnswer, NoBlocks + " (finish reason stop)", "no document in the answer"},
		"an answer that was cut off":                    {BadAnswer, NoBlocks + " (finish reason length)", "no document in the answer, which was cut off at the output limit"},
		"no picture":                                    {BadAnswer, NoPictures + " (finish reason stop)", "no picture in the answer"},
		"files that were not asked for":                 {BadAnswer, Unexpected + ": a, b", "a file too many in the answer"},
		"another answer":                                {BadAnswer, "the name a/../b is not allowed", "unusable answer: the name a/../b is not allowed"},
		"a target":                                      {MissingTarget, "hours.csv", "missing target"},
		"a stray":                                       {StrayFile, "notes.md", "a file too many"},
		"a command":                                     {CommandFailure, "exit code 1; KeyError: 'x'", "command failed: exit code 1; KeyError: 'x'"},
		"a long story":                                  {SandboxFailure, strings.Repeat("é", 200), "sandbox failed: " + strings.Repeat("é", 119) + "…"},
		"a reason that is not known":                    {"missing_target", "x", "missing_target"},
	} {
		if got := Why(c.reason, c.detail); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
