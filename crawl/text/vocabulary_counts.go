package text

import "github.com/lshclust/lshclust/bags"

// Counts calls word, in no particular order, for each word counted since the last call of Counts or Drain. Unlike
// Drain, it keeps the words, so that they need not be stemmed again.
func (v *Vocabulary) Counts(word func(t bags.Term, word string, count uint64) error) error {
	v.cool()
	for i := range v.slots {
		s := &v.slots[i]
		if s.term == 0 || s.count == 0 {
			continue
		}
		if err := word(s.term, string(v.words[s.from:s.to]), uint64(s.count)); err != nil {
			return err
		}
		s.count = 0
	}
	return nil
}
