package reconcile

import (
	"net/http"

	"github.com/lshclust/lshclust/serve/api"
)

// Service is the service of a run.
type Service struct {
	Run     *api.Run
	Server  string // scheme and host, such as "https://example.org"
	Path    string // of the endpoint on the server
	Version string // of the program
}

// Bounds of what one request may ask.
const (
	batchSize = 50  // queries
	mostIDs   = 200 // entities whose properties are asked for
	mostHits  = 50  // candidates of a query
	someHits  = 10  // candidates of a query that sets no limit
)

// Type is a kind of entity.
type Type struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Broader []Type `json:"broader,omitempty"`
}

var (
	anyDocument = Type{ID: "document", Name: "Document"}
	crawledPage = Type{ID: "page", Name: "Crawled page", Broader: []Type{anyDocument}}
)

// typesOf returns the types of a document, without those above them.
func typesOf(crawled bool) []Type {
	if crawled {
		return []Type{{ID: crawledPage.ID, Name: crawledPage.Name}, anyDocument}
	}
	return []Type{anyDocument}
}

// Manifest describes a service.
type Manifest struct {
	Versions        []string           `json:"versions"`
	Name            string             `json:"name"`
	IdentifierSpace string             `json:"identifierSpace"`
	SchemaSpace     string             `json:"schemaSpace"`
	ServiceVersion  string             `json:"serviceVersion"`
	DefaultTypes    []Type             `json:"defaultTypes"`
	BatchSize       int                `json:"batchSize"`
	View            View               `json:"view"`
	Preview         Preview            `json:"preview"`
	Suggest         map[string]Address `json:"suggest"`
	Extend          Extend             `json:"extend"`
}

// View tells where an entity is shown.
type View struct {
	URL string `json:"url"`
}

// Preview tells where an entity is shown in a small frame.
type Preview struct {
	URL    string `json:"url"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
}

// Address is the place of a part of the service.
type Address struct {
	URL  string `json:"service_url"`
	Path string `json:"service_path"`
}

// Extend tells what can be asked about entities.
type Extend struct {
	Propose  Address   `json:"propose_properties"`
	Settings []Setting `json:"property_settings"`
}

// Setting is a setting of a property.
type Setting struct {
	Name    string `json:"name"`
	Label   string `json:"label"`
	Type    string `json:"type"`
	Default int    `json:"default"`
	Help    string `json:"help_text"`
}

// Manifest returns the manifest.
func (s *Service) Manifest() *Manifest {
	at := func(path string) Address { return Address{s.Server, s.Path + path} }
	return &Manifest{
		Versions: []string{"0.2"}, Name: "lshclust: " + s.Run.Name,
		IdentifierSpace: "urn:lshclust:url:", SchemaSpace: "https://schema.org/WebPage", ServiceVersion: s.Version,
		DefaultTypes: []Type{anyDocument, crawledPage}, BatchSize: batchSize,
		View:    View{s.Server + s.Path + "/preview?id={{id}}"},
		Preview: Preview{s.Server + s.Path + "/preview?id={{id}}", 430, 300},
		Suggest: map[string]Address{"entity": at("/suggest/entity"), "property": at("/suggest/property"), "type": at("/suggest/type")},
		Extend: Extend{at("/properties"), []Setting{
			{limitSetting, "Number of values", "number", someRelated, "how many related documents are listed at most"},
		}},
	}
}

// bad returns the problem of a request that is wrong.
func bad(detail, todo string) *api.Problem {
	return api.NewProblem(http.StatusBadRequest, "bad-request", "The request is wrong", detail, todo)
}
