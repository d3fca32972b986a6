package reconcile

import (
	"bytes"
	"context"
	_ "embed"
	"html/template"
	"net/url"
	"strings"

	"github.com/lshclust/lshclust/internal/harmless"
	"github.com/lshclust/lshclust/serve/api"
)

//go:embed preview.html
var previewText string

var previewPage = template.Must(template.New("preview").Funcs(template.FuncMap{"line": harmless.Line}).Parse(previewText))

// Preview returns a small page about a document.
func (s *Service) Preview(ctx context.Context, id string) ([]byte, error) {
	m, err := api.OperationByID("page").AskWith(ctx, s.Run, url.Values{"url": {id}})
	if err != nil {
		return nil, err
	}
	page := m.(api.Page)
	at, err := s.Run.Lookup(id)
	if err != nil {
		return nil, err
	}
	d := s.Run.Document(at)
	shown := struct {
		api.Page
		Name  string
		Link  bool
		Topic []string
	}{Page: page, Name: s.name(at, &d), Link: strings.HasPrefix(d.URL, "http")}
	if page.Topical != nil {
		shown.Topic = page.Topical.Label
	}
	var out bytes.Buffer
	err = previewPage.Execute(&out, shown)
	return out.Bytes(), err
}
