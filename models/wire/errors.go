package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Error is an error reported by a server.
type Error struct {
	Status  int    // the HTTP status, or that of an error inside an answer with status 200; 0 if there is none
	Code    string // the server's code for the error; "" if there is none
	Message string
	Wait    time.Duration // the wait that the body asks for; 0 if there is none
}

func (e *Error) Error() string {
	if e.Status == 0 {
		return e.Message
	}
	status := strings.TrimSpace(fmt.Sprint(e.Status, " ", http.StatusText(e.Status)))
	return fmt.Sprintf("status %s: %s", status, e.Message)
}

// MaxError is the largest part of an error's body that is read, in bytes.
const MaxError = 64 << 10

// DecodeError decodes an error's body as OpenAI, Anthropic and Google write it. Any other body
// becomes the message.
func DecodeError(body []byte) *Error {
	type detail struct {
		Message string          `json:"message"`
		Type    string          `json:"type"`   // OpenAI, Anthropic
		Code    any             `json:"code"`   // OpenAI: a word; Google: the status
		Status  string          `json:"status"` // Google: a word
		Details json.RawMessage `json:"details"`
		Prompt  int             `json:"n_prompt_tokens"` // llama.cpp
		Context int             `json:"n_ctx"`           // llama.cpp
	}
	var said struct {
		Error *detail `json:"error"`
	}
	raw := bytes.TrimSpace(body)
	if elements := Elements(raw); elements != nil { // Google's answer to a streamed request
		raw = elements
	}
	if json.Unmarshal(raw, &said) != nil || said.Error == nil {
		return &Error{Message: string(bytes.TrimSpace(body))}
	}
	d := said.Error
	e := &Error{Message: d.Message, Code: d.Type}
	if _, _, known := TokensSaid(d.Message); !known && d.Prompt > 0 && d.Context > 0 {
		e.Message += fmt.Sprintf(" (%d tokens > %d maximum)", d.Prompt, d.Context)
	}
	switch code := d.Code.(type) {
	case string:
		e.Code = code
		if status, err := strconv.Atoi(code); err == nil {
			e.Status = status
		}
	case float64:
		if code == math.Trunc(code) && code >= 400 && code < 600 {
			e.Status = int(code)
		}
	}
	if d.Status != "" {
		e.Code = d.Status
	}
	e.Wait = retryDelay(d.Details)
	if e.Status == 0 {
		e.Status = StatusOf(e.Code)
	}
	return e
}

// StatusOf returns the HTTP status for the code of an error inside an answer; 0 if the code is
// unknown.
func StatusOf(code string) int { return statuses[code] }

var statuses = map[string]int{
	"rate_limit_error": http.StatusTooManyRequests, "rate_limit_exceeded": http.StatusTooManyRequests, "RESOURCE_EXHAUSTED": http.StatusTooManyRequests,
	"overloaded_error": http.StatusServiceUnavailable, "UNAVAILABLE": http.StatusServiceUnavailable,
	"api_error": http.StatusInternalServerError, "server_error": http.StatusInternalServerError, "INTERNAL": http.StatusInternalServerError,
	"invalid_request_error": http.StatusBadRequest, "invalid_prompt": http.StatusBadRequest, "INVALID_ARGUMENT": http.StatusBadRequest,
	"authentication_error": http.StatusUnauthorized, "UNAUTHENTICATED": http.StatusUnauthorized,
	"permission_error": http.StatusForbidden, "PERMISSION_DENIED": http.StatusForbidden,
	"not_found_error": http.StatusNotFound, "NOT_FOUND": http.StatusNotFound,
}

// retryDelay returns the wait in Google's error details; 0 if there is none.
func retryDelay(raw json.RawMessage) time.Duration {
	var details []struct {
		RetryDelay string `json:"retryDelay"` // as 34.5s
	}
	if json.Unmarshal(raw, &details) != nil {
		return 0
	}
	for _, d := range details {
		if wait, err := time.ParseDuration(d.RetryDelay); err == nil && wait > 0 {
			return wait
		}
	}
	return 0
}

// ErrorInside decodes an error in an answer with a success status, as some gateways send it;
// nil if raw is empty or null.
func ErrorInside(raw []byte) error {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	raw = raw[:min(len(raw), MaxError)] // if cut off, it is shown as text
	var detail struct {
		Message any `json:"message"`
		Code    any `json:"code"`
	}
	if json.Unmarshal(raw, &detail) != nil || detail.Message == nil {
		return fmt.Errorf("the server answers with an error: %s", raw)
	}
	said := &Error{Message: fmt.Sprint(detail.Message)}
	if detail.Code != nil {
		said.Code = fmt.Sprint(detail.Code)
		said.Status, _ = strconv.Atoi(said.Code) // 0 if it is not a number
	}
	return said
}
