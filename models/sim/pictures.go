package sim

import (
	"encoding/base64"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"strings"

	"agentd/models/wire"
	wirechat "agentd/models/wire/chat"
	wireimages "agentd/models/wire/images"
)

// shown are the pictures that the user shows, as their bytes.
func (r *request) shown() []string {
	var all []string
	for i := range r.Messages {
		if r.Messages[i].Role != user {
			continue
		}
		for _, address := range r.Messages[i].Shown() {
			_, data, _ := address.Data()
			raw, err := base64.StdEncoding.DecodeString(data)
			if err == nil {
				all = append(all, string(raw))
			}
		}
	}
	return all
}

// What a prompt for pictures says before the names of those that it shows, and before the one
// that is wanted. A prompt may leave out either where there is one picture only.
const (
	attachedMark = "The pictures are attached, in this order:"
	wantedMark   = "Answer with one picture: "
)

// drawn answers with the one picture that the prompt wants, made of those that it shows. It
// depends on the pictures, too, since the prompt of a step is always the same.
func drawn(r *request, profile Profile, text string, shown []string, editor Editor) message {
	before, after, asked := strings.Cut(text, wantedMark)
	_, list, named := strings.Cut(before, attachedMark+"\n")
	var files, targets []string
	wanted := ""
	if named {
		files = listed("- ", strings.Split(list, "\n"))
	}
	if asked {
		var rest string
		wanted, rest, _ = strings.Cut(after, "\n")
		wanted = strings.TrimSpace(wanted)
		targets = []string{wanted}
		if _, all, several := strings.Cut(rest, ":\n"); several {
			targets = listed("- ", strings.Split(all, "\n"))
		}
	}
	job, ok := editor.Find(text, files, targets)
	if !ok {
		return say("I do not know this instruction.")
	}
	if !named {
		files = job.Sources
	}
	if !asked && len(job.Targets) == 1 {
		wanted = job.Targets[0]
	}
	switch {
	case wanted == "" || len(files) == 0 || !named && len(files) > 1:
		return say("I do not know what the pictures are called.")
	case len(files) != len(shown):
		return say(fmt.Sprintf("I see %d pictures, not %d.", len(shown), len(files)))
	}
	if profile.Echoes {
		return message{Role: assistant, Pictures: []wire.Picture{imageOf(shown[0])}}
	}
	hash := fnv.New64a()
	contents := map[string]string{}
	for i, name := range files {
		contents[name] = shown[i]
		_, _ = io.WriteString(hash, shown[i]) // it has no error
	}
	random := rand.New(rand.NewPCG(stream(r, "damage "+profile.Name).Uint64(), hash.Sum64()))
	made := job.Do(contents, Damage{Drop: profile.Drop, Number: profile.Number, Text: profile.Text, Random: random})
	content, ok := made[wanted]
	if !ok {
		return say("I could not make " + wanted + ".")
	}
	return message{Role: assistant, Pictures: []wire.Picture{imageOf(content)}}
}

func imageOf(content string) wire.Picture {
	kind := "image/png"
	if strings.HasPrefix(content, "BM") {
		kind = "image/bmp"
	}
	return wire.Picture{Type: kind, Data: []byte(content)}
}

// images is the codec of OpenAI's images/edits: a form, answered with a picture. Errors are those
// of chat completions.
type images struct{ wirechat.Codec }

// EncodeAnswer implements wire.Codec.
func (images) EncodeAnswer(r *wire.Request, a *answer) any {
	return wireimages.Codec{}.EncodeAnswer(r, a)
}
