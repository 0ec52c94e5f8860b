package tools

import (
	"fmt"

	"agentd/internal/picture"
)

// describeBinary is what a model is shown of a binary file in place of its content.
func describeBinary(name, content string) string {
	return fmt.Sprintf("%s is a binary file: %s. Its content is not shown; open it with %s, for example with Pillow where that is installed.",
		name, picture.Describe(content), RunPython)
}

// noText refuses to write text into a binary file.
func noText(name string) error {
	return problemf("%s is a picture by its name, and this tool writes text only; write the picture with %s", name, RunPython)
}
