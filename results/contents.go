package results

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	lru "github.com/hashicorp/golang-lru/v2"
)

// content is a text as it is stored.
type content struct {
	hash [sha256.Size]byte
	zstd []byte
}

// pack returns the hashes of texts, and the contents of those that are not known to be
// stored. It runs before the transaction, because other transactions wait for that one.
// The contents are in the order of their hashes, so that two transactions never deadlock.
// A text that is too large to be read again is an error.
func (s *Store) pack(texts []string) (contents []content, hashes map[string]string, err error) {
	hashes = make(map[string]string, len(texts))
	for _, text := range texts {
		if _, twice := hashes[text]; twice {
			continue
		}
		if len(text) > mostContentBytes {
			return nil, nil, fmt.Errorf("%w: a text of %d bytes cannot be stored, %d are the most", ErrTooLarge, len(text), mostContentBytes)
		}
		raw := []byte(text)
		hash := sha256.Sum256(raw)
		hashes[text] = hex.EncodeToString(hash[:])
		if !s.stored.has(hash) {
			contents = append(contents, content{hash, s.zip.EncodeAll(raw, nil)})
		}
	}
	slices.SortFunc(contents, func(a, b content) int { return bytes.Compare(a.hash[:], b.hash[:]) })
	return contents, hashes, nil
}

const insertContent = "INSERT INTO contents (hash, zstd) VALUES ($1, $2) ON CONFLICT DO NOTHING"

// putContents stores the contents that are not stored yet.
func putContents(ctx context.Context, tx Tx, contents []content) error {
	for i := range contents {
		if _, err := tx.Exec(ctx, insertContent, contents[i].hash[:], contents[i].zstd); err != nil {
			return err
		}
	}
	return nil
}

// stored caches the hashes of contents that this process has stored. This works because contents
// are never removed; it pays because many interactions leave the same documents.
type stored struct {
	hashes *lru.Cache[[sha256.Size]byte, struct{}]
}

// mostStored is the size of the cache, about 5 MB.
const mostStored = 1 << 15

func newStored() stored {
	hashes, err := lru.New[[sha256.Size]byte, struct{}](mostStored)
	if err != nil {
		panic(err) // it only fails for a size below 1
	}
	return stored{hashes}
}

func (s stored) has(hash [sha256.Size]byte) bool {
	_, known := s.hashes.Get(hash)
	return known
}

func (s stored) add(contents []content) {
	for i := range contents {
		s.hashes.Add(contents[i].hash, struct{}{})
	}
}
