package tools

import (
	"fmt"

	"agentd/internal/picture"
)

// describeBinary describes a binary file. A model sees this in place of the content.
func describeBinary(name, content string) string {
	return fmt.Sprintf("%s is a binary file: %s. Its content is not shown; open it with %s, for example with Pillow where that is installed.",
		name, picture.Describe(content), RunPython)
}

// noText is the error of a tool that cannot write text into a binary file.
func noText(name string) error {
	return problemf("%s is a picture by its name, and this tool writes text only; write the picture with %s", name, RunPython)
}
