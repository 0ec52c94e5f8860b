package policies

import (
	"fmt"
	"strings"

	"agentd/internal/layout"
	"agentd/models"
	"agentd/models/wire"
)

// NoBlocks, NoPictures and Unexpected begin the detail of a BadAnswer without a usable
// document. cutOff ends it if the answer was cut off.
const (
	NoBlocks   = "no fenced block with a file name was found in the answer"
	NoPictures = "no picture was found in the answer"
	Unexpected = "unexpected files in the answer"
	cutOff     = "(finish reason length)"
)

// Why describes in one line why an interaction failed, from the recorded reason and detail. It
// omits file names, so that equal failures have equal descriptions.
func Why(reason Reason, detail string) string {
	switch reason {
	case ModelError:
		return "model error: " + ofModel(detail)
	case TooLong:
		return "too long for the model: " + ofModel(detail)
	case ContextBudget:
		return "budget: " + ofModel(detail)
	case TurnBudget:
		return "budget: turns"
	case TokenBudget:
		return "budget: tokens"
	case CostBudget:
		return "budget: cost"
	case TimeBudget:
		return "budget: time"
	case BadAnswer:
		return ofAnswer(detail)
	case MissingTarget:
		return "missing target"
	case StrayFile:
		return "a file too many"
	case NotRecorded:
		return "no recorded calls"
	case NoOracle:
		return shortened(detail)
	case CommandFailure:
		return "command failed: " + shortened(detail)
	case SandboxFailure:
		return "sandbox failed: " + shortened(detail)
	case PublishedCrash:
		return "the published harness would crash: " + shortened(detail)
	}
	return string(reason)
}

// ofModel describes a model's error, with the size of what is too long.
func ofModel(detail string) string {
	detail, _, _ = strings.Cut(detail, "; the command ended with exit code")
	kind, says, ok := models.ReadError(detail)
	if !ok {
		return shortened(detail)
	}
	if kind != models.ContextLength {
		return string(kind) + ": " + shortened(says)
	}
	asked, most, ok := wire.TokensSaid(says)
	if !ok {
		return string(kind)
	}
	return fmt.Sprintf("%s (%s of %s tokens)", kind, layout.Thousands(asked), layout.Thousands(most))
}

// ofAnswer describes a bad answer.
func ofAnswer(detail string) string {
	what := ""
	switch {
	case strings.HasPrefix(detail, NoBlocks):
		what = "no document in the answer"
	case strings.HasPrefix(detail, NoPictures):
		what = "no picture in the answer"
	case strings.HasPrefix(detail, Unexpected):
		return "a file too many in the answer"
	default:
		return "unusable answer: " + shortened(detail)
	}
	if strings.HasSuffix(detail, cutOff) {
		what += ", which was cut off at the output limit"
	}
	return what
}

// mostWords is the largest length of a quoted message, in characters.
const mostWords = 120

// shortened returns the first line of a text, shortened if it is long.
func shortened(text string) string {
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	if runes := []rune(text); len(runes) > mostWords {
		return strings.TrimSpace(string(runes[:mostWords-1])) + "…"
	}
	return text
}
