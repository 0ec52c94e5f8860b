package models

import (
	"fmt"
	"net/http"
	"strings"
)

// dialect is a protocol of model servers: how requests are written, where they go
// and how answers are read. Retries, rate limits, recordings and the kinds of errors
// are the same for all dialects, and are the client's.
type dialect interface {
	// encode returns the body of a request.
	encode(Request) ([]byte, error)
	// endpoint returns the address that requests are posted to, and the headers that
	// they need, with the server's key. The key is empty if the server needs none.
	endpoint(key string) (address string, header http.Header)
	// decode reads the body of an answer whose status is one of success. With an
	// error, the response holds the usage as far as the server told it.
	decode(body []byte) (Response, error)
	// explain reads the body of an answer whose status is that of an error.
	explain(body []byte) (code, message string)
}

// serverError is an error that a server answered with.
type serverError struct {
	status  int    // of HTTP, or the one inside an answer whose own status is 200; 0 if there is none
	code    string // the server's word for the error; "" if it has none
	message string
}

func (e *serverError) Error() string {
	if e.status == 0 {
		return e.message
	}
	status := strings.TrimSpace(fmt.Sprint(e.status, " ", http.StatusText(e.status)))
	return fmt.Sprintf("status %s: %s", status, e.message)
}
