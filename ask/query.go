package ask

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/internal/ask/texts"
	"github.com/lshclust/lshclust/internal/runs"
)

// QueryAnswer lists the pages that contain a text or a part of it.
type QueryAnswer struct {
	URL       string    `json:"url,omitempty" doc:"canonical URL of the page, or name of the file, that was asked about" row:"of"`
	Items     []Holder  `json:"items" doc:"most similar first; by host, grouped by host, largest part of the text first"`
	Hosts     int       `json:"hosts,omitempty" doc:"by host: number of hosts with such a page, listed or not"`
	Total     int       `json:"total" doc:"number of such pages, listed or not, without copies on a host"`
	Copies    int       `json:"copies,omitempty" doc:"by host: number of pages that equal another one of their host"`
	Certainty Certainty `json:"certainty" doc:"what the answer may miss"`
	Estimated bool      `json:"estimated" doc:"whether the run keeps sketches, so that figures are estimates"`
	Unread    string    `json:"unread,omitempty" doc:"why there are no passages"`
}

// Certainty says what a search by text may miss.
type Certainty struct {
	Shingles   int     `json:"shingles" doc:"distinct shingles of the document; 0 if it has too few words"`
	Candidates int     `json:"candidates" doc:"pages that share a shingle of the index"`
	Compared   int     `json:"compared" doc:"number of candidates that were compared exactly"`
	Stripped   int     `json:"stripped,omitempty" doc:"pages that would be listed too if they were compared with the boilerplate of their hosts"`
	Charset    string  `json:"charset,omitempty" doc:"of the document, if it was guessed"`
	Exact      bool    `json:"exact" doc:"whether no page is missed"`
	Half       float64 `json:"half" doc:"probability that a long page with half of the document is found" least:"0" most:"1"`
	Words      string  `json:"words" doc:"all of this in words"`
}

// QueryText asks which pages contain a version of a document or a part of it. The document need not be in the run.
type QueryText struct {
	Text string `required:"true" body:"text/html,text/plain" doc:"the document, plain text or HTML, in UTF-8 or in the charset that it names"`
	WhoOptions
	Passages int `most:"10" value:"N" doc:"show at most this many passages of a page, longest first"`

	Name     string      // of the document, in the answer
	Document *crawl.Page // in place of Text
}

// Ask answers the question.
func (o QueryText) Ask(_ context.Context, r *Run) (*QueryAnswer, error) {
	document := o.Document
	if document == nil {
		given := crawl.Document([]byte(o.Text))
		document = &given
	}
	text, err := runs.VisibleText(r, document)
	if err != nil {
		return nil, err
	}
	o.WhoOptions.Passages = o.Passages
	found, err := texts.Who(r, text, o.WhoOptions)
	if err != nil {
		return nil, err
	}
	out := queryAnswer(r, o.Name, found)
	for _, w := range document.Warnings {
		if w.Reason == record.ReasonCharsetGuessed {
			out.Certainty.Charset = document.Charset
			out.Certainty.Words += "; the document does not say its charset, which was guessed to be " + document.Charset + ": if that is wrong, pages that share its text are missed"
			out.Certainty.Exact = false
		}
	}
	return out, nil
}

// Query is QueryText for the text of a page of the run, which is not listed itself.
type Query struct {
	URL string `required:"true" doc:"URL of the page, in any form" example:"postgresql.org/docs/15/gin.html"`
	WhoOptions
	Passages int `local:"true" most:"10" value:"N" doc:"show at most this many passages of a page, longest first, which reads the inputs of the run again"`
}

// Ask answers the question.
func (o Query) Ask(ctx context.Context, r *Run) (*QueryAnswer, error) {
	id, err := LookupPage(r, o.URL)
	if err != nil {
		return nil, err
	}
	var text []byte
	var unread error
	if o.Passages > 0 && r.SketchFile == "" {
		text, unread = textOf(ctx, r, id)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	o.WhoOptions.Passages = o.Passages
	found, err := texts.WhoHas(r, id, text, o.WhoOptions)
	if err != nil {
		return nil, err
	}
	out := queryAnswer(r, r.URL(id), found)
	if unread != nil && !errors.Is(unread, ErrUnknown) {
		out.Unread = unread.Error()
	}
	return out, nil
}

// textOf reads the visible text of a page from the inputs of the run.
func textOf(ctx context.Context, r *Run, id uint32) ([]byte, error) {
	pages, err := runs.ReadPages(ctx, r, id)
	if err != nil {
		return nil, err
	}
	return runs.VisibleText(r, &pages[0])
}

func queryAnswer(r *Run, name string, found *texts.Holders) *QueryAnswer {
	out := &QueryAnswer{
		URL: name, Items: List(found.Items), Hosts: found.Hosts, Total: found.Texts, Copies: found.Copies,
		Certainty: certainty(found.Certainty, found.Size, r.Config.Shingle), Estimated: runs.Sketches(r) != "",
	}
	if repeated := runs.RepeatedWords(r.Manifest); repeated != "" && out.Certainty.Shingles > 0 {
		out.Certainty.Words += "; in the run, " + repeated
	}
	return out
}

func certainty(c texts.Certainty, size, w int) Certainty {
	return Certainty{
		Shingles: size, Candidates: c.Candidates, Compared: c.Compared, Stripped: c.Stripped, Exact: c.Exact(), Half: c.Probability(0.5),
		Words: certaintyWords(c, w),
	}
}

// certaintyWords describes how certain the answer to a query is, in a run whose shingles have w words.
func certaintyWords(s texts.Certainty, w int) string {
	var out []string
	switch {
	case s.Shingles == 0 && s.Sketches != "":
		return fmt.Sprintf("its sketch %s is empty: nothing can be found by it", s.Sketches)
	case s.Shingles == 0:
		return "the document has no words, so that nothing can be found"
	case s.Shingles == 1 && s.Sketches == "":
		out = append(out, fmt.Sprintf("the document is a single shingle: if it has fewer than %d words, it is found only in pages that say nothing else; a run with fewer words a shingle (--set shingle=N) finds such texts", w))
	}
	switch {
	case s.Sketches != "":
		out = append(out, fmt.Sprintf("%d of its shingles are in its sketch %s; figures are estimates; every sample of every page was searched; a page that shares none is not found", s.Shingles, s.Sketches))
	case s.Exact() && s.Unindexed:
		out = append(out, "every shingle of every page was looked at: no page that shares one was missed")
	case s.Exact():
		out = append(out, "the index holds every shingle of every page: no page that shares one was missed")
	case s.Modulus == 1:
		out = append(out, "the index holds every shingle of every page")
	default:
		out = append(out, fmt.Sprintf("the index holds one shingle in %d of long pages, and %d of this document's: a long page with all of this text %s, one with half of it with probability %.2f, one with a fifth with %.2f",
			s.Modulus, s.LookedUp, ofWhole(s), s.Probability(0.5), s.Probability(0.2)))
	}
	if s.Stripped > 0 {
		out = append(out, fmt.Sprintf("%s not listed that have it only as boilerplate of their host, up to %d of its shingles: a run with --set strip=none compares whole pages", runs.Plural(s.Stripped, "page"), s.LeftOut))
	}
	if s.Compared < s.Candidates {
		out = append(out, fmt.Sprintf("%d pages share a shingle with it; only the %d of them that seem to share most were compared", s.Candidates, s.Compared))
	}
	return strings.Join(out, "; ")
}

// ofWhole states the probability of finding a long page that contains the whole document.
func ofWhole(s texts.Certainty) string {
	if p := s.Probability(1); p < 1 {
		return fmt.Sprintf("is found with probability %.2f", p)
	}
	return "is found for certain"
}
