package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/internal/harmless"
	"github.com/lshclust/lshclust/query"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// relatedBeyond is the flags of related for answers that do not come from the stored lists.
type relatedBeyond struct {
	exact bool
	words string
}

func (b *relatedBeyond) bind(f *pflag.FlagSet) {
	f.BoolVar(&b.exact, "exact", false, "compare with the bags of all documents, by the inverted lists of the run")
	f.StringVar(&b.words, "words", "", "list the documents that the web calls by these `WORDS`, instead of those related to a URL")
}

// check reports flags that exclude each other. urls reports whether there are URLs to ask about.
func (b *relatedBeyond) check(c *cobra.Command, l *relatedList, urls bool) error {
	rounds := c.Flags().Changed("rounds") || c.Flags().Changed("width")
	switch words := c.Flags().Changed("words"); {
	case words && (urls || l.all):
		return usage(errors.New("--words asks about words: leave out the URLs, --urls and --all, or --words"))
	case words && (b.exact || l.deep || rounds || l.Apart):
		return usage(errors.New("--words always compares with all documents: leave out --exact, --deep, --rounds, --width and --apart"))
	case words && strings.TrimSpace(b.words) == "":
		return usage(errors.New("--words: give some words"))
	case b.exact && (l.deep || rounds):
		return usage(errors.New("--exact compares with all documents: leave out --deep, --rounds and --width, or --exact"))
	case b.exact && l.all:
		return usage(errors.New("--exact compares some URLs only: leave out --all or --exact"))
	}
	return nil
}

// search returns the neighbours of documents, by the index of the run or exactly.
func (l *relatedList) search(ctx context.Context, r *query.Run, ids []uint32) ([][]query.Neighbour, error) {
	if l.exact {
		var wanted func(id, other uint32) bool
		if l.Apart {
			wanted = func(id, other uint32) bool { return r.Together(id, other) == 0 }
		}
		return r.Exact(ctx, ids, l.Top, wanted)
	}
	top := l.Top
	if l.Apart {
		top = math.MaxInt
	}
	lists, err := r.Search(ctx, ids, top)
	for i, near := range lists {
		if l.Apart {
			near = slices.DeleteFunc(near, func(n query.Neighbour) bool { return n.Together > 0 })
		}
		lists[i] = near[:min(l.Top, len(near))]
	}
	return lists, err
}

// writeWords lists the documents that fit the words.
func (l *relatedList) writeWords(w io.Writer, r *query.Run) error {
	words, err := r.Words(l.words)
	if err != nil && !errors.Is(err, query.ErrNoWords) {
		return err
	}
	tellWords("the run knows no such word", words.Unknown)
	tellWords("left out, since bags hold no stop words", words.Stop)
	if err != nil {
		return fmt.Errorf("%s: %w", harmless.Line(l.words), err)
	}
	found := r.Matching(words, l.Top)
	if l.format == formatTable {
		wordsTable(w, words, found)
		return nil
	}
	out := l.rows(w, "words", "document", "score", "matched")
	for _, m := range found {
		if err := out.row(strings.Join(words.Known, " "), m.URL, m.Score, m.Words); err != nil {
			return err
		}
	}
	return out.close()
}

// tellWords names words on standard error, if there are any.
func tellWords(what string, words []string) {
	if len(words) > 0 {
		fmt.Fprintf(os.Stderr, "%s: %s\n", what, harmless.Line(strings.Join(words, " ")))
	}
}

func wordsTable(w io.Writer, words *query.Words, found []query.WordMatch) {
	fmt.Fprintln(w, whole(strings.Join(words.Known, " ")))
	urls, matched := make([]string, len(found)), make([]string, len(found))
	for i, m := range found {
		urls[i], matched[i] = m.URL, strings.Join(m.Words, " ")
	}
	const before = 13 // columns of rank and score
	for i, row := range stdout().urlsAndWords(urls, matched, before) {
		fmt.Fprintln(w, joined(fmt.Sprintf("%4d  %.3f  ", i+1, found[i].Score), row))
	}
}
