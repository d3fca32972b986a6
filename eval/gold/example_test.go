package gold_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/lshclust/lshclust/eval/gold"
	"github.com/lshclust/lshclust/internal/config"
)

func ExampleRead() {
	dir, err := os.MkdirTemp("", "gold")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "gold.tsv")
	rows := "https://www.sqlite.org/\tDatabases/Embedded\nHTTPS://duckdb.org/docs/../\tDatabases/Embedded\nno category\n"
	if err := os.WriteFile(path, []byte(rows), 0o666); err != nil {
		log.Print(err)
		return
	}
	c, err := config.Preset("web")
	if err != nil {
		log.Print(err)
		return
	}
	rules, err := c.Rules() // how URLs are made canonical
	if err != nil {
		log.Print(err)
		return
	}
	g, err := gold.Read(path, rules)
	if err != nil {
		log.Print(err)
		return
	}
	for _, l := range g.Labels {
		fmt.Println(l.URL, l.Path)
	}
	for _, s := range g.Skipped {
		fmt.Println(s.Count, s.Reason, s.Examples[0])
	}
	// Output:
	// https://sqlite.org [Databases Embedded]
	// https://duckdb.org [Databases Embedded]
	// 1 bad-row gold.tsv:3: "no category"
}
