// Package wire is what a model's client, the gateway for commands and the stand-in say to
// each other, and how the makers of models write it down.
//
// The package has one vocabulary for all makers: a Request is a conversation with tools
// and settings, an Answer is what a model says, calls and uses. Each maker's protocol is
// a dialect, and each dialect has one Codec, in a package of its own: wire/chat,
// wire/responses, wire/messages, wire/gemini, and for pictures wire/images, which is a form
// and has the half of a codec. No other package knows what a dialect calls
// its members. A codec works in both directions:
//
//	                 who writes it           who reads it
//	request          client: Encode,         gateway, stand-in: Decode
//	                 Overlay
//	answer           gateway, stand-in:      client: DecodeAnswer
//	                 EncodeAnswer
//	streamed answer  gateway, stand-in:      client: Reader
//	                 Writer
//	error            gateway, stand-in:      client: DecodeError
//	                 EncodeError
//
// # A new dialect
//
// A dialect is a folder with four files, of which chat is the example:
//
//   - request.go: Encode, and Overlay for a request that another client wrote in the same
//     dialect;
//   - decode.go: Decode and Results, with the bounds of what others write;
//   - answer.go: EncodeAnswer, DecodeAnswer and the errors;
//   - stream.go: a Writer, which makes events of the Deltas of an answer, and a Reader, which
//     puts events together to the body that the server would have sent at once, so that
//     DecodeAnswer reads both.
//
// Encode writes what a Request says and decides nothing: the client has put the settings of
// its experiment, of its caller and its own together before. Decode is the gateway's and
// the stand-in's. It is lenient where a maker is, and refuses what has no meaning; rules
// that only one maker's servers have are the stand-in's. What has no place in the
// vocabulary is left out, and named in Request.LeftOut.
//
// # Byte for byte
//
// A turn goes back to its server as the server sent it: Message.Replay is its raw JSON. A
// request that a client wrote in the dialect of the model's server is not decoded and
// written again: Overlay lays settings over its Members, whose values stay as they are.
// Members are slices of the request, and Decode copies each text once, because requests
// can be as long as a command likes.
package wire

import (
	"net/http"
)

// API names a dialect: the protocol that a model's server speaks.
type API string

// The dialects.
const (
	Chat      API = "chat"      // OpenAI's chat completions, which most servers speak
	Responses API = "responses" // OpenAI's Responses
	Messages  API = "messages"  // Anthropic's Messages
	Gemini    API = "gemini"    // Google's generateContent
	Images    API = "images"    // OpenAI's images/edits: one instruction with pictures, answered with pictures
)

// Codec encodes and decodes one dialect. It has no state of its own, and is safe for concurrent
// use.
type Codec interface {
	// API returns the dialect's name.
	API() API

	// Encode encodes a request. Each message is encoded once and keeps the result.
	Encode(*Request) ([]byte, error)
	// Overlay writes a request that another client wrote in this dialect, with the settings
	// that are given laid over its members. The members are not changed.
	Overlay(*Request, Members) ([]byte, error)
	// Decode decodes a request. The error says what is wrong, and where.
	Decode(Members) (*Request, error)
	// Results finds the answers to tool calls in a request, as they are written. It looks at
	// nothing else. Of calls that are answered in turn, it has the last turn's alone.
	Results(Members) ([]Result, error)
	// Sampling names the members by which a client says how the model is to answer, those of
	// an object after a point: its temperature, its limits, its effort.
	Sampling() []string

	// EncodeAnswer returns the answer to a request, to be encoded as JSON.
	EncodeAnswer(*Request, *Answer) any
	// Writer returns what writes the answer to a request as events. Of the answer it knows
	// what is known when it begins: identifier and model, perhaps usage and signature.
	Writer(*Request, *Answer, func(Event)) Writer
	// DecodeAnswer decodes an answer with a success status. If it returns an error, the answer
	// still holds the usage that the server reported.
	DecodeAnswer(body []byte) (Answer, error)
	// Reader returns a reader of streamed answers.
	Reader() Reader

	// EncodeError returns an error in the dialect's format, to be encoded as JSON.
	EncodeError(*Error) any
}

// Writer writes an answer as events, as it arrives.
type Writer interface {
	// Delta writes what the answer has more than before. Calls come one after the other; it
	// is ErrOutOfOrder if one goes on after another began.
	Delta(Delta) error
	// End writes the end of an answer. Delta must have received all of it.
	End(*Answer)
	// Broken reports to the client that the answer was interrupted.
	Broken(error)
}

// Reader assembles a streamed answer into the body that the server would have sent without
// streaming.
type Reader interface {
	// Add reads the next event. data is valid only during the call. An error sent within the
	// stream is an *Error.
	Add(event string, data []byte) error
	// Deltas returns what the last event added. It is valid until the next call of Add. Calls
	// that are known only at the end have no deltas.
	Deltas() []Delta
	// Ended reports whether the answer is complete. Only its usage may follow.
	Ended() bool
	// Whole returns the body. It returns an error if the stream ended before the answer.
	Whole() ([]byte, error)
}

// KeyHeader returns the headers of a JSON request with a key in the named header. There is no
// such header if the key is empty.
func KeyHeader(name, key string) http.Header {
	header := http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json"}}
	if key != "" {
		header.Set(name, key)
	}
	return header
}
