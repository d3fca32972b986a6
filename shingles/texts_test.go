package shingles

import (
	"strings"
)

// prose makes ASCII text of about n bytes: words with lengths and frequencies as in English, sentences with
// punctuation, lines of some 70 bytes.
func prose(n int) []byte {
	state := uint64(42)
	vocabulary := make([]string, 4096)
	for i := range vocabulary {
		vocabulary[i] = coinWord(&state, "etaoinshrdlcumwfgypbvk")
	}
	return compose(n, &state, vocabulary)
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
	return compose(n, &state, vocabulary)
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

func compose(n int, state *uint64, vocabulary []string) []byte {
	var b strings.Builder
	for line := 0; b.Len() < n; {
		r := nextRandom(state)
		i := int(r % uint64(len(vocabulary)))
		i = i * int(r>>32%1024) / 1024 // the front of the list is more frequent
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
			b.WriteString(" ")
		}
	}
	return []byte(b.String())
}
