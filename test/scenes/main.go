// Scenes renders the pictures of the built-in environments of the domain image: six scenes
// with light, shadow, texture, things that people made, and lettering. The same program
// gives the same pictures:
//
//	go run ./test/scenes -to environments/pictures
package main

import (
	"flag"
	"log"
	"os"
	"path/filepath"

	"agentd/internal/picture"
)

func main() {
	to := flag.String("to", "environments/pictures", "folder of the environments")
	only := flag.String("only", "", "name of the one environment to render; empty for all")
	flag.Parse()
	for _, s := range scenes() {
		if *only != "" && s.name != *only {
			continue
		}
		content, err := picture.Encode(s.render())
		if err != nil {
			log.Fatal(err)
		}
		folder := filepath.Join(*to, s.name, "seed")
		if err := os.MkdirAll(folder, 0o755); err != nil {
			log.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "scene.png"), []byte(content), 0o644); err != nil {
			log.Fatal(err)
		}
		log.Printf("%s: %d bytes", s.name, len(content))
	}
}
