package charset

import "fmt"

// Encodings are those of files that are not in UTF-8, by the names of the files.
type Encodings map[string]Encoding

// Bytes are the contents of files, given in UTF-8, as their encodings write them. A letter that the encoding of its file does not have
// is an error that names both.
func (e Encodings) Bytes(texts map[string]string) (map[string]string, error) {
	contents := make(map[string]string, len(texts))
	for name, text := range texts {
		content, err := e.BytesOf(name, text)
		if err != nil {
			return nil, err
		}
		contents[name] = content
	}
	return contents, nil
}

// BytesOf is Bytes of one file.
func (e Encodings) BytesOf(name, text string) (string, error) {
	as := e[name]
	content, err := as.Encode(text)
	if err == nil {
		return content, nil
	}
	for _, c := range text {
		if _, err := as.Encode(string(c)); err != nil {
			return "", fmt.Errorf("%s is in %s, which does not have the letter %q (%U)", name, as, c, c)
		}
	}
	return "", fmt.Errorf("writing %s in %s: %w", name, as, err)
}
