package pipeline_test

import (
	"fmt"
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
