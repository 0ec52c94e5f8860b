package sim

import (
	"encoding/json"
	"testing"

	"agentd/models/wire"
)

// Where an argument is a choice, the stand-in chooses what the call is for.
func TestArgumentsThatAreChoices(t *testing.T) {
	t.Parallel()
	const parameters = `{"type":"object","properties":{"command":{"type":"string","enum":["view","create","str_replace"]},"path":{"type":"string"},
		"risk":{"type":"string","enum":["LOW","HIGH"]},"old_str":{"type":"string"},"new_str":{"type":"string"},"why":{"type":"string"}},"required":["command","path","risk","why"]}`
	r := &request{Request: wire.Request{Tools: make([]wire.Tool, 2)}}
	shell, editor := &r.Tools[0], &r.Tools[1]
	shell.Name, shell.Parameters = "terminal", json.RawMessage(`{"properties":{"command":{"type":"string"},"risk":{"enum":["LOW"]}},"required":["command","risk"]}`)
	editor.Name, editor.Parameters = "file_editor", json.RawMessage(parameters)
	h, ok := handsOf(r)
	if got, want := h.shell.call("command", "ls").Arguments, `{"command":"ls","risk":"LOW"}`; !ok || got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := h.edit.call("path", "a").Arguments, `{"command":"str_replace","path":"a","risk":"LOW","why":"edits the documents"}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
