// Package record is what is kept of a delegated edit's work. Policies fill its types in, results store
// them, and reports, exports and pages read them, so that a value has one field on its whole way.
//
// The tag db of a field names the column of the database that holds it, and results bind it by that.
// A text with the word "name" or "note" after the column is cut to the length of a name or of an error.
// A field without the tag is not stored.
package record

import (
	"strings"
	"time"
)

// Usage counts tokens and their price. Cached and CacheWrite are parts of Prompt, Reasoning of
// Completion.
type Usage struct {
	Prompt     int      `db:"prompt"`
	Cached     int      `db:"cached"`
	Completion int      `db:"completion"`
	Reasoning  int      `db:"reasoning"`
	CacheWrite int      `db:"cache_write"` // written to the server's cache
	Cost       *float64 `db:"cost"`        // USD, nil if unknown
}

// Turn is one completion.
type Turn struct {
	Usage
	Duration time.Duration `db:"duration"`
	Retries  int           `db:"retries"`
	// Finish is why the answer ended, as the server named it; after FailedFinish, why there is none.
	Finish string `db:"finish,name"`
	// Tokens of answers that could not be used and were asked for again, which the cost
	// includes; and attempts that may have been charged for, which it does not.
	WastedPrompt     int     `db:"wasted_prompt"`
	WastedCompletion int     `db:"wasted_completion"`
	UnknownAttempts  int     `db:"unknown_attempts"`
	Text             *string `db:"text"`         // what the model said in addition to its tool calls, nil if that was not kept
	Thought          *string `db:"thought"`      // its reasoning as far as its maker shows it, nil if that was not kept
	Without          string  `db:"without,note"` // settings that the server refused and that were left out, with commas
	// AsText says that the model wrote its tool calls as JSON in the text, from where they were read.
	AsText bool `db:"as_text"`
	// Changed counts files that changed after an answer without calls, as a command may take changes
	// from its text, and Way says how.
	Changed int    `db:"changed"`
	Way     string `db:"way"`
	// UserTurn is the number of the user turn that the completion belongs to, from 1.
	UserTurn int `db:"user_turn"`
	// Compacted says how the conversation was made shorter before the completion; empty if
	// it was not.
	Compacted string `db:"compacted"`
}

// FailedFinish begins the Finish of a Turn in which no completion could be had.
const FailedFinish = "error: "

// Answered reports whether the turn has a completion.
func (t *Turn) Answered() bool { return !strings.HasPrefix(t.Finish, FailedFinish) }
