// Package tokens counts tokens as the sizes of environments are given: in the
// vocabulary o200k_base.
package tokens

import (
	"fmt"
	"sync"

	"github.com/tiktoken-go/tokenizer"

	"agentd/vfs"
)

// codec reads the vocabulary once; it takes a tenth of a second.
var codec = sync.OnceValues(func() (tokenizer.Codec, error) { return tokenizer.Get(tokenizer.O200kBase) })

// Count is the number of tokens of all files together.
func Count(files vfs.Files) (int, error) {
	c, err := codec()
	if err != nil {
		return 0, fmt.Errorf("counting tokens: %w", err)
	}
	total := 0
	for name, content := range files {
		n, err := c.Count(content)
		if err != nil {
			return 0, fmt.Errorf("counting the tokens of %s: %w", name, err)
		}
		total += n
	}
	return total, nil
}
