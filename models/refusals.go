package models

import (
	"net/http"
	"regexp"

	"agentd/models/wire"
)

// refusing are the words with which servers refuse a member of a request.
var refusing = regexp.MustCompile(`(?i)unsupported|not supported|not support|deprecated|unknown|unrecognized|cannot find field|` +
	`extra inputs|extra_forbidden|not permitted|only the default|only 1 is allowed|may only be set|must be verified|not allowed`)

// settingNames are how servers call the settings that agentd sends on its own account.
// The order matters where one name is part of another.
var settingNames = []struct {
	setting string
	named   *regexp.Regexp
}{
	{wire.SettingSummary, regexp.MustCompile(`(?i)reasoning[._]summary|reasoning summar|include_?thoughts`)},
	{wire.SettingEncrypted, regexp.MustCompile(`(?i)encrypted[_ ]content|\binclude\b`)},
	{wire.SettingTemperature, regexp.MustCompile(`(?i)\btemperature\b`)},
	{wire.SettingParallel, regexp.MustCompile(`(?i)parallel_tool_calls|disable_parallel_tool_use`)},
	{wire.SettingFormat, regexp.MustCompile(`(?i)response_format|text\.format|response_?mime_?type`)},
	{wire.SettingUsage, regexp.MustCompile(`(?i)stream_options|include_usage`)},
	{wire.SettingSeed, regexp.MustCompile(`(?i)\bseed\b`)},
}

// namedLimit is the output limit that a server of chat completions refuses; it often
// names the other one as well, as the one to use.
var namedLimit = regexp.MustCompile(`(?i)(?:parameter|argument|field|input)[^.]*?\b(max_tokens|max_completion_tokens)\b`)

// refusedSetting returns the setting that a server's refusal names; "" if it names none
// that agentd has sent on its own account. What an experiment sets itself is never left
// out: without it, the experiment would measure something else than it says.
func (c *client) refusedSetting(err *wire.Error) string {
	if err.Status != http.StatusBadRequest && err.Status != http.StatusUnprocessableEntity {
		return ""
	}
	says := err.Code + " " + err.Message
	if !refusing.MatchString(says) {
		return ""
	}
	if found := namedLimit.FindStringSubmatch(says); found != nil && c.spec.API == Chat && c.spec.MaxOutputField == "" {
		return found[1]
	}
	for _, s := range settingNames {
		if s.named.MatchString(says) && !c.spec.chose(s.setting) {
			return s.setting
		}
	}
	return ""
}

// chose reports whether the spec itself sets a setting, so that it is part of what an
// experiment measures.
func (s *Spec) chose(setting string) bool {
	_, inBody := s.Body[setting]
	switch setting {
	case wire.SettingTemperature:
		return s.Temperature != nil || inBody
	case wire.SettingSeed, wire.SettingUsage:
		return inBody
	case wire.SettingParallel:
		return s.ParallelTools != nil || inBody
	}
	return false
}

// leaveOut notes that the server refused a setting of a request that had those left out
// that are given. It reports false if there is nothing to leave out.
func (c *client) leaveOut(setting string, given wire.Omissions) bool {
	if setting == "" || given.Has(setting) {
		return false // without it, the request fared no better
	}
	c.leaving.Lock()
	defer c.leaving.Unlock()
	if !c.left.Has(setting) {
		c.left = c.left.With(setting)
	}
	return true
}

// leftOut are the settings that the server has refused so far.
func (c *client) leftOut() wire.Omissions {
	c.leaving.Lock()
	defer c.leaving.Unlock()
	return c.left
}
