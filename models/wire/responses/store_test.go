package responses

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestConversationsThatAreKeptAreBounded(t *testing.T) {
	t.Parallel()
	said := func(size int) []map[string]any {
		return []map[string]any{{"type": message, "role": "assistant", "content": strings.Repeat("x", size)}}
	}
	var s Store
	for _, id := range []string{"1", "2", "3"} {
		s.keep(id, nil, nil, said(MaxStored/3))
	}
	if s.find("1") >= 0 {
		t.Error("the first has not made room")
	}
	if s.find("3") < 0 || len(s.list) != 2 {
		t.Errorf("%d are kept", len(s.list))
	}
	s.keep("4", nil, nil, said(MaxStored))
	if len(s.list) != 0 || s.size != 0 {
		t.Errorf("%d are kept, of %d bytes", len(s.list), s.size)
	}
}

// An item is kept as long as a conversation that has it.
func TestItemsGoWithTheirConversations(t *testing.T) {
	t.Parallel()
	var s Store
	item := json.RawMessage(`{"id":"fc_1","type":"function_call","call_id":"1","name":"f","arguments":"` + strings.Repeat("x", MaxStored/3) + `"}`)
	s.keep("1", nil, []json.RawMessage{item}, nil)
	s.keep("2", s.list[0].items, nil, nil)
	s.keep("3", nil, []json.RawMessage{json.RawMessage(`"` + strings.Repeat("x", MaxStored/3) + `"`)}, nil)
	if _, ok := s.items()["fc_1"]; !ok || s.find("1") >= 0 {
		t.Error("the item went with the first conversation, though a later one has it")
	}
	s.keep("4", nil, []json.RawMessage{json.RawMessage(`"` + strings.Repeat("x", MaxStored/3) + `"`)}, nil)
	if _, ok := s.items()["fc_1"]; ok {
		t.Error("the item is kept without a conversation")
	}
}
