package pages

import (
	"context"
	"errors"
	"fmt"
	"html"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/serve/api"
	"github.com/lshclust/lshclust/internal/sites/rules"
)

// changesData is the data of the template.
type changesData struct {
	*ask.ChangesAnswer
	Action string // target of the forms, "" in a report
	twoRuns
	Problem *api.Problem // why the runs cannot be compared
	None    Empty
	Changes []segment // shares of all pages
	All     int
	Stayed  Bars // pages by resemblance
	Folders []folderRow
	Filters []filter
	Gone    int
	Only    int // number of pages that were chosen for rules, 0 for all
	Moved   []movedRow
	LeftOut int // number of pages left out because of their long URLs
	More    string
	Forms   []option
	Text    string // as many of the rules as fit on the page
	Cut     bool
}

// option is a choice of a form.
type option struct {
	Value  string
	Chosen bool
}

// crawls lists the choices for two runs: partial "crawls".
type twoRuns struct{ From, To []option }

// crawls returns the choices for two runs, or none if there is only one run.
func (q *Question) twoRuns() (c twoRuns) {
	for _, name := range q.Run.Names {
		if q.Older != nil {
			c.From, c.To = append(c.From, option{name, name == q.Older.Name}), append(c.To, option{name, name == q.Run.Name})
		}
	}
	return c
}

// segment is a part of a bar.
type segment struct {
	Name     string
	Count    int
	X, Width string // in percent
	Class    string
}

type folderRow struct {
	Name     string
	All      int
	Segments []segment
}

// filter links to the gone pages with a verdict.
type filter struct {
	Text   string
	Count  int
	To     string
	Chosen bool
}

// movedRow is a gone page with its verdict.
type movedRow struct {
	Old        Row
	Verdict    string
	Class      string
	Confidence *Score
	Text       *Score // resemblance of the texts; nil without a new place
	Web        *Score // similarity of the words around the links
	New        []Row
	Reasons    []string
}

// Bounds on what the page shows.
const (
	foldersOfPage = 20
	movesOfPage   = 20
	mostRuleBytes = 20_000
	mostPlaces    = 3 // for a page that was split
)

func showChanges(ctx context.Context, q *Question) (*View, error) {
	d := &changesData{Action: q.place("/changes", nil), ChangesAnswer: &ask.ChangesAnswer{}}
	v := &View{Title: "What changed", Accent: Text, Data: d, Scripts: []string{"changes.js"}}
	if q.Older == nil {
		d.None = Empty{Text: "The server has one run. To see what changed between two crawls, serve both: lshclust serve new=2024.run old=2023.run"}
		return v, nil
	}
	d.twoRuns = q.twoRuns()
	form := q.Args.Text("rules")
	for _, f := range rules.Formats {
		d.Forms = append(d.Forms, option{f, f == form})
	}
	rows, err := q.window(movesOfPage)
	if err != nil {
		return nil, err
	}
	history, err := q.Run.Crawls(ctx, q.Older)
	var s *ask.ChangesAnswer
	if err == nil {
		asked := ask.Defaults(ask.Changes{Window: rows})
		if q.Args.Has("only") {
			asked.Only = strings.Fields(q.Args.Text("only"))
		}
		q.fill(&asked)
		s, err = asked.Ask(ctx, history)
	}
	if problem, ok := errors.AsType[*api.Problem](err); ok && problem.Status == http.StatusConflict {
		d.Problem = problem
		return v, nil
	}
	if err != nil {
		return nil, err
	}
	d.ChangesAnswer, v.List, v.JSON = s, s, q.JSON("changes", "older", q.Older.Name, "verdict", q.Args.Text("verdict"), "rules", form, "min", q.Args.Text("min"))
	v.Title = "What changed from " + s.Older + " to " + s.Newer
	d.changes()
	d.moves(q)
	d.rules()
	d.Only = len(strings.Fields(q.Args.Text("only")))
	return v, nil
}

// changes fills in what changed.
func (d *changesData) changes() {
	names, counts := []string{}, []int{}
	for _, c := range d.ChangesAnswer.Changes {
		names, counts = append(names, c.Change), append(counts, c.Pages)
		d.All += c.Pages
	}
	d.Changes = segments(names, counts)
	for _, f := range d.ChangesAnswer.Folders[:min(len(d.ChangesAnswer.Folders), foldersOfPage)] {
		row := folderRow{Name: f.Folder, Segments: segments(names, []int{f.Same, f.Edited, f.Rewritten, f.Moved, f.Gone, f.New})}
		for _, s := range row.Segments {
			row.All += s.Count
		}
		d.Folders = append(d.Folders, row)
	}
	d.Stayed.Caption = "Pages that both crawls have, by the resemblance of their texts"
	for i, n := range d.Resemblance {
		name := "1, the same text"
		if last := len(d.Resemblance) - 1; i < last {
			name = fmt.Sprintf("%.1f to %.1f", float64(i)/float64(last), float64(i+1)/float64(last))
		}
		if n > 0 {
			d.Stayed.List = append(d.Stayed.List, Bar{Link{Text: name}, n, float64(n) / float64(slices.Max(d.Resemblance)), Text})
		}
	}
}

// segments divides a bar. Segments with a count of 0 are kept for the legend.
func segments(names []string, counts []int) (out []segment) {
	all := 0
	for _, n := range counts {
		all += n
	}
	before := 0
	for i, n := range counts {
		s := segment{Name: names[i], Count: n, Class: "c-" + names[i], X: "0", Width: "0"}
		if all > 0 {
			s.X, s.Width = percent(float64(before)/float64(all)), percent(float64(n)/float64(all))
		}
		before += n
		out = append(out, s)
	}
	return out
}

// moves fills in what moved.
func (d *changesData) moves(q *Question) {
	link := func(args ...string) string {
		to := q.To("/changes", append([]string{"from", d.Older, "rules", q.Args.Text("rules"), "min", q.Args.Text("min")}, args...)...)
		if to != "" {
			to += "#moved"
		}
		return to
	}
	chosen := q.Args.Text("verdict")
	for _, v := range d.Verdicts {
		d.Gone += v.Pages
		d.Filters = append(d.Filters, filter{v.Verdict, v.Pages, link("verdict", v.Verdict), v.Verdict == chosen})
	}
	d.Filters = append([]filter{{"all", d.Gone, link(), chosen == ""}}, d.Filters...)
	older := q.linksOf(d.Older)
	left := roomForRows
	for _, m := range d.Items {
		to := m.To[:min(len(m.To), mostPlaces)]
		if !left.spend(3, m.Ref.Name+strings.Join(m.Names, "")+strings.Join(m.Reasons, ""), append([]string{m.URL}, to...)...) {
			d.LeftOut++
			continue
		}
		row := movedRow{
			Old: q.Row(m.URL, m.Ref.Name), Verdict: m.Verdict, Class: strings.Fields(m.Verdict)[0],
			Confidence: &Score{m.Confidence, "confidence", Text}, Reasons: m.Reasons,
		}
		row.Old.To, row.Old.Visit = older.Page(m.URL), m.Visit()
		if e := m.Evidence; e != nil {
			row.Text, row.Web = &Score{e.Resemblance, "text", Text}, &Score{e.Context, "links", Web}
		}
		for i, u := range to {
			row.New = append(row.New, q.Row(u, m.Names[i]))
		}
		d.Moved = append(d.Moved, row)
	}
	if more := q.more(d.ChangesAnswer, "/changes", "from", d.Older, "rules", q.Args.Text("rules"), "min", q.Args.Text("min"), "verdict", chosen); more != "" {
		d.More = more + "#moved"
	}
}

// linksOf returns the links to pages about another run.
func (q *Question) linksOf(run string) Links { return Site{q.Run.Names, q.place}.Links(run) }

// rules fills in as many of the rules as fit on the page.
func (d *changesData) rules() {
	room := mostRuleBytes
	for line := range strings.Lines(d.Rules.Text) {
		if room -= len(html.EscapeString(line)); room < 0 {
			d.Cut = true
			break
		}
		d.Text += line
	}
	d.Cut = d.Cut || d.Rules.Cut
}

// Command returns the command that prints all rules.
func (d *changesData) Command() string {
	return "lshclust moved " + d.Older + " " + d.Newer + " --rules " + d.Rules.Form + " --min-confidence " + strconv.FormatFloat(d.Rules.Confidence, 'g', -1, 64)
}
