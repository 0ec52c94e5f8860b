package wire

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// decided are the members that a client must not set in any dialect, because they select
// another model, another price, or tools and storage of the maker. agentd itself sets some of
// them.
var decided = []string{
	"service_tier", "speed", "inference_geo", "models", "route", "fallbacks", "plugins", "search_parameters", "web_search_options",
	"mcp_servers", "container", "background", "conversation", "prompt", "previous_response_id",
}

// silently are members whose removal is not reported, because it makes no difference.
var silently = []string{"n", "seed", "store", "model", "stream", "generationConfig.seed", "generationConfig.candidateCount"}

// Strip removes members that the client must not set, tools that the maker's server runs, and
// the members named in sampling. It returns what to report of it; members in sampling are not
// reported.
func (m Members) Strip(sampling []string) (left []string, err error) {
	for _, name := range decided {
		if was, err := m.Without(name); err != nil {
			return nil, err
		} else if was {
			left = append(left, "the member "+name)
		}
	}
	for _, name := range slices.Concat(silently, sampling) {
		if _, err := m.Without(name); err != nil {
			return nil, err
		}
	}
	tools, err := m.stripHosted()
	return append(left, tools...), err
}

// carriedOut are the types of tools that a client runs itself, or that only help the model to
// choose a tool. All others run at the maker's server, which can reach what the client must
// not.
var carriedOut = []string{
	"", "function", "custom", "namespace", "tool_search", "local_shell", "apply_patch", "computer_use_preview",
	"bash_", "text_editor_", "computer_", "memory_", "tool_search_tool_", // with a date
}

// hosted are the tools that Google's server runs. They are identified by a member instead of a
// type.
var hosted = []string{
	"googleSearch", "googleSearchRetrieval", "codeExecution", "urlContext", "googleMaps", "fileSearch", "computerUse", "enterpriseWebSearch", "mcpServers",
}

// stripHosted removes the tools that the maker's server runs.
func (m Members) stripHosted() (left []string, err error) {
	var kept [][]byte
	err = EachKind("tools", m["tools"], func(_, kind string, raw json.RawMessage) error {
		members := Pick(raw, append(hosted, "functionDeclarations")...)
		declares := members[len(hosted)] != nil
		for i, name := range hosted {
			if Given(members[i]) {
				kind, declares = name, false
			}
		}
		if !declares && !slices.ContainsFunc(carriedOut, func(own string) bool {
			return kind == own || strings.HasSuffix(own, "_") && strings.HasPrefix(kind, own)
		}) {
			left = append(left, "a tool of type "+kind)
			return nil
		}
		kept = append(kept, raw)
		return nil
	})
	switch {
	case err != nil || len(left) == 0:
		return left, err
	case len(kept) == 0:
		delete(m, "tools")
		delete(m, "tool_choice")
	default:
		m["tools"] = slices.Concat([]byte("["), bytes.Join(kept, []byte(",")), []byte("]"))
	}
	return left, nil
}
