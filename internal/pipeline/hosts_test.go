package pipeline_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/internal/pipeline"
)

// TestHosts checks that a page whose language its words do not show has the language of most pages of its host, if that is
// a likely one, and its words the stems of that language.
func TestHosts(t *testing.T) {
	const undecided = "<title>Servidores</title><p>Servidores nuevos: carpeta con registros" // "con" is Italian and Galician, too
	var pages []page
	for i := range 6 {
		spanish := fmt.Sprintf("<p>El servidor escribe sus registros en una carpeta que se indica en la configuración, y los borra después de una semana. Número %d de la lista.", i)
		pages = append(pages, page{URL: fmt.Sprintf("https://es.example/%d", i), HTML: spanish}, page{URL: fmt.Sprintf("https://en.example/%d", i), HTML: prose})
		if i < 2 { // fewer pages
			pages = append(pages, page{URL: fmt.Sprintf("https://es.example/en%d", i), HTML: prose})
		}
	}
	for _, host := range []string{"es", "en", "other"} {
		pages = append(pages, page{URL: "https://" + host + ".example/short", HTML: undecided})
	}
	dir, _ := cluster(t, preset(t, "web"), pipeline.Options{Workers: 2}, write(t, jsonl(t, pages...)...))
	of := rows(t, dir)
	for host, want := range map[string]string{"es": "spanish", "en": "", "other": ""} {
		if got := of["https://"+host+".example/short"].Language; got != want {
			t.Errorf("%s: %q, want %q", host, got, want)
		}
	}
}

// TestFoot checks that words at the end of most pages of a host are not content of its pages, however they are marked up, but
// stay so on a host with few pages.
func TestFoot(t *testing.T) {
	c := preset(t, "web")
	c.MinDF, c.MaxDF = 1, 1
	var pages []page
	for i := range 12 {
		subject := "<p>" + []string{"The tulips of this year bloom in all of our gardens", "The trains leave all of the stations at the same time", "The oceans carry a current that is as warm as the air"}[i%3]
		html := fmt.Sprintf("%s<div>Zanzibar Holding, registered quorum</div>", subject)
		if i == 0 {
			html = subject + "<p>a quorum of islands"
		}
		pages = append(pages, page{URL: fmt.Sprintf("https://many.example/%d", i), HTML: html})
		if i < 9 {
			pages = append(pages, page{URL: fmt.Sprintf("https://few.example/%d", i), HTML: subject + "<p>Cooperative xylophone"})
		}
	}
	dir, _ := cluster(t, c, pipeline.Options{Workers: 2}, write(t, jsonl(t, pages...)...))
	for url, want := range map[string]string{
		"https://many.example/1": "leave stations time trains",
		"https://many.example/0": "bloom gardens islands tulips year",
		"https://few.example/1":  "cooperative leave stations time trains xylophone",
	} {
		if got := wordsOf(t, dir, url); got != want {
			t.Errorf("%s: %s, want %s", url, got, want)
		}
	}
}

// wordsOf returns the words of the bag of a page, in alphabetical order.
func wordsOf(t *testing.T, dir, url string) string {
	t.Helper()
	docs, terms, bags := openBags(t, dir)
	id, ok := docs.Find(url)
	if !ok {
		t.Fatalf("no %s", url)
	}
	var words []string
	for _, term := range bags.At(id).Terms {
		words = append(words, terms.Word(term))
	}
	slices.Sort(words)
	return strings.Join(words, " ")
}
