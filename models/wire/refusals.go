package wire

import (
	"net/http"

	"agentd/internal/lazyregexp"
)

// refusing matches the words with which servers refuse a member of a request.
var refusing = lazyregexp.New(`(?i)unsupported|not supported|not support|deprecated|unknown|unrecognized|cannot find field|` +
	`extra inputs|extra_forbidden|not permitted|only the default|only 1 is allowed|may only be set|must be verified|not allowed`)

// settingNames are the servers' names of settings that a client chooses itself. The order
// matters where one name is part of another.
var settingNames = []struct {
	setting string
	named   *lazyregexp.Regexp
}{
	{SettingSummary, lazyregexp.New(`(?i)reasoning[._]summary|reasoning summar|include_?thoughts`)},
	{SettingEncrypted, lazyregexp.New(`(?i)encrypted[_ ]content|\binclude\b`)},
	{SettingTemperature, lazyregexp.New(`(?i)\btemperature\b`)},
	{SettingParallel, lazyregexp.New(`(?i)parallel_tool_calls|disable_parallel_tool_use`)},
	{SettingFormat, lazyregexp.New(`(?i)response_format|text\.format|response_?mime_?type`)},
	{SettingUsage, lazyregexp.New(`(?i)stream_options|include_usage`)},
	{SettingSeed, lazyregexp.New(`(?i)\bseed\b`)},
}

// namedLimit matches the output limit that a server of chat completions refuses. The message
// often suggests the other name, too.
var namedLimit = lazyregexp.New(`(?i)(?:parameter|argument|field|input)[^.]*?\b(max_tokens|max_completion_tokens)\b`)

// RefusedSetting returns the setting that a server's refusal names, if the client chose it
// itself; otherwise "". chose reports whether the client's user chose a setting; such a setting
// is never omitted, because the experiment would then measure something else. limits says that
// the client also chose the name of the output limit.
func (e *Error) RefusedSetting(limits bool, chose func(setting string) bool) string {
	says := e.Code + " " + e.Message
	if e.Status != http.StatusBadRequest && e.Status != http.StatusUnprocessableEntity || !refusing.MatchString(says) {
		return ""
	}
	if found := namedLimit.FindStringSubmatch(says); found != nil && limits {
		return found[1]
	}
	for _, s := range settingNames {
		if s.named.MatchString(says) && !chose(s.setting) {
			return s.setting
		}
	}
	return ""
}
