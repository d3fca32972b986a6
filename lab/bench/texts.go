package bench

import (
	"bufio"
	"flag"
	"fmt"
	"os"

	"github.com/lshclust/lshclust/lab/workload"
)

// writeTexts writes the texts of generated pages as JSON Lines to standard output: documents without links, as many as
// one likes, of which nothing is stored.
func writeTexts(args []string) error {
	c := workload.Config{Planted: 0.05}
	flags := flag.NewFlagSet("texts", flag.ExitOnError)
	flags.Int64Var(&c.Pages, "documents", 100000, "number of documents")
	flags.Float64Var(&c.Planted, "planted", c.Planted, "share of the documents that are in families of near-duplicates")
	flags.Uint64Var(&c.Seed, "seed", 1, "another seed makes other documents")
	flags.Int64Var(&c.Template, "template", 0, "more documents, of one host, that have 300 words in common and 10 of their own")
	flags.Int64Var(&c.Long, "long", 0, "one more document, of this number of words")
	flags.BoolVar(&c.Common, "common", false, "one sentence in every document")
	most := flags.Int("bytes", 1<<30, "cut the texts after this number of bytes")
	if err := flags.Parse(args); err != nil {
		return err
	}
	world, err := workload.New(c)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	var page workload.Page
	var text []byte
	for i := range world.Pages() {
		world.Page(i, &page)
		text = page.AppendText(text[:0])
		if _, err := fmt.Fprintf(out, "{\"url\":%q,\"text\":%q}\n", page.URL, text[:min(len(text), *most)]); err != nil {
			return err
		}
	}
	return out.Flush()
}
