package text

// A third of a first pass over new words is stemming. Many new words are numbers, names and identifiers that the stemmer
// returns as they are, after it has looked for every suffix.

// ownStem reports whether a word is its own stem in English: it is made of ASCII letters and digits, and none of the
// suffixes that the stemmer removes or changes ends in its last letter. If it returns false, the word may still be its
// own stem.
func ownStem(word string) bool {
	if word == "" || !lastOfStem[word[len(word)-1]] {
		return false
	}
	for i := range len(word) {
		if plain[word[i]] != word[i] {
			return false
		}
	}
	return true
}

// lastOfStem has the characters in which no suffix ends, of those that words are made of.
var lastOfStem = func() (t [256]bool) {
	for _, c := range "0123456789abfhjkopquvwxz" {
		t[c] = true
	}
	return t
}()
