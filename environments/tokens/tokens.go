// Package tokens counts tokens as the sizes of environments are given: in the
// vocabulary o200k_base.
package tokens

import (
	"fmt"
	"sync"

	"github.com/tiktoken-go/tokenizer/codec"

	"agentd/vfs"
)

// o200k reads the vocabulary once; it takes a tenth of a second. The program has no
// other vocabulary, which are some megabytes each.
var o200k = sync.OnceValue(codec.NewO200kBase)

// Count is the number of tokens of all files together.
func Count(files vfs.Files) (int, error) {
	total := 0
	for name, content := range files {
		n, err := o200k().Count(content)
		if err != nil {
			return 0, fmt.Errorf("counting the tokens of %s: %w", name, err)
		}
		total += n
	}
	return total, nil
}
