package shingles

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"html"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/internal/shareddata"
)

// prose makes ASCII text of about n bytes: words with lengths and frequencies as in English, sentences with
// punctuation, lines of some 70 bytes.
func prose(n int) []byte {
	state := uint64(42)
	vocabulary := make([]string, 4096)
	for i := range vocabulary {
		vocabulary[i] = coinWord(&state, "etaoinshrdlcumwfgypbvk")
	}
	return compose(n, &state, vocabulary, " ")
}

// mixedProse makes text in Latin with accents, Cyrillic, Chinese and Japanese.
func mixedProse(n int) []byte {
	state := uint64(43)
	var vocabulary []string
	for _, letters := range []string{"etaoinéàüßrdlc", "оеаинтсрвлкмдпуяыьгзб", "的一是不了人我在有他这中大来上", "のにはをたがでてとしれさある"} {
		for range 512 {
			vocabulary = append(vocabulary, coinWord(&state, letters))
		}
	}
	return compose(n, &state, vocabulary, " ")
}

func coinWord(state *uint64, letters string) string {
	runes := []rune(letters)
	length := 2 + int(nextRandom(state)%4+nextRandom(state)%4+nextRandom(state)%3)
	word := make([]rune, length)
	for i := range word {
		word[i] = runes[nextRandom(state)%uint64(len(runes))]
	}
	return string(word)
}

func compose(n int, state *uint64, vocabulary []string, space string) []byte {
	var b strings.Builder
	for line := 0; b.Len() < n; {
		r := nextRandom(state)
		i := int(r % uint64(len(vocabulary)))
		i = i * int(r>>32%1024) / 1024 // the front of the list comes more often
		word := vocabulary[i]
		if r>>48%16 == 0 {
			word = strings.ToUpper(word[:1]) + word[1:]
		}
		b.WriteString(word)
		if r>>52%12 == 0 {
			b.WriteString(",")
		} else if r>>52%12 == 1 {
			b.WriteString(".")
		}
		if line += len(word) + 1; line > 70 {
			b.WriteString("\n")
			line = 0
		} else {
			b.WriteString(space)
		}
	}
	return []byte(b.String())
}

// document is a line of the shared test data.
type document struct{ URL, HTML, Text string }

// realDocuments reads a folder of the shared data, or skips the test if there is none; under CI that is a failure.
func realDocuments(t testing.TB, folder string) (docs map[string][]byte, dir string) {
	dir = shareddata.Dir(t, folder)
	f, err := os.Open(filepath.Join(dir, "docs.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(bufio.NewReaderSize(f, 1<<20))
	if err != nil {
		t.Fatal(err)
	}
	docs = make(map[string][]byte)
	for d := json.NewDecoder(z); d.More(); {
		var doc document
		if err := d.Decode(&doc); err != nil {
			t.Fatal(err)
		}
		docs[doc.URL] = []byte(doc.Text + stripTags(doc.HTML))
	}
	return docs, dir
}

// stripTags is a rough substitute for package text.
func stripTags(page string) string {
	var b strings.Builder
	for page != "" {
		text, rest, _ := strings.Cut(page, "<")
		b.WriteString(text)
		b.WriteByte(' ')
		end := ">"
		for _, raw := range []string{"script", "style"} {
			if strings.HasPrefix(rest, raw) {
				end = "</" + raw + ">"
			}
		}
		_, page, _ = strings.Cut(rest, end)
	}
	return html.UnescapeString(b.String())
}
