// Package record is what is kept of a delegated edit's work. Policies fill its types in, results store
// them, and reports, exports and pages read them, so that a value has one field on its whole way. What a file or a page shows
// of it is named there again: report/export/rows.go has the public names.
//
// The tag db of a field names the column of the database that holds it, and package results binds it by that.
// After a comma stands the form of the column: a "name" or a "note" is cut to the length of a name or of an
// error, as "names" in a list are, "text" is made fit for any database, and "json" is JSON, with a text after
// another comma that stands for the zero value. A pointer to a text is stored by its hash, up to the length of
// a document or "whole". The fields of a struct with the tag "*" are columns too, as those of an embedded one.
// A field without the tag is not stored.
package record

import (
	"strings"
	"time"
)

// Tokens counts tokens as a codec does (wire.Usage): both have the same fields in the same order, so that one is converted
// to the other as a whole. Cached and CacheWrite are parts of Prompt, Reasoning of Completion.
type Tokens struct {
	Prompt     int `db:"prompt"`
	Cached     int `db:"cached"`
	CacheWrite int `db:"cache_write"` // written to the server's cache
	Completion int `db:"completion"`
	Reasoning  int `db:"reasoning"`
}

// Usage is tokens and their price.
type Usage struct {
	Tokens
	Cost *float64 `db:"cost"` // USD, nil if unknown
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
	Changed int `db:"changed"`
	Way     Way `db:"way"`
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

// Call is one call of a tool.
type Call struct {
	Turn     int           `db:"turn"` // the completion that asked for it, from 1; 0 if none did
	Tool     string        `db:"tool,name"`
	ArgNames []string      `db:"arguments,names"` // names of the arguments that were given
	In       int           `db:"bytes_in"`        // of the arguments
	Out      int           `db:"bytes_out"`       // of the answer
	Changed  int           `db:"changed"`         // files it wrote, altered or deleted
	Way      Way           `db:"way"`             // how it changed them; empty if it did not, or if that is not known
	Error    string        `db:"error,note"`      // empty if it succeeded
	Duration time.Duration `db:"duration"`
	// Arguments and Answer are what went in and out, as it was; nil if that was not kept.
	Arguments *string `db:"arguments_text"`
	Answer    *string `db:"answer"`
}

// Read is one reading of a file.
type Read struct {
	File     string `db:"file,text"`
	Origin   string `db:"origin"`    // as vfs.Origin names it
	Tool     string `db:"tool"`      // that read it
	ByScript bool   `db:"by_script"` // it was read from inside of a script or a command
}

// Way is how files were changed. It is empty of a change which tells nothing of how it was made.
type Way string

// The ways.
const (
	ByScript  Way = "script"  // a program did it: a script, a shell
	ByWriting Way = "writing" // the model wrote the whole text
	ByEditing Way = "editing" // the model wrote what takes the place of a part of the text, or goes between
	ByPatch   Way = "patch"   // likewise, as a patch with lines before and after the change
)
