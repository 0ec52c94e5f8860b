package judge

import (
	"embed"

	"agentd/internal/opinion"
	"agentd/vfs"
)

//go:embed prompts
var prompts embed.FS

// Edit asks how far an instruction without an exact program was carried out: how true each
// statement is of the documents that were left, from 0 to opinion.MostRating. Errors are those of
// Ask.
func (t *Session) Edit(instruction string, statements []string, before, after vfs.Files) ([]int, error) {
	prompt, err := opinion.Prompt(prompts, "prompts/edit.md", map[string]any{
		"Instruction": opinion.FramedText("the instruction", instruction),
		"Before":      opinion.Framed("the documents", before),
		"After":       opinion.Framed("the documents that were left", after),
	})
	if err != nil {
		return nil, err
	}
	return opinion.Asker(t.Ask).Rate(prompt, statements)
}
