package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/internal/harmless"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/runs"
)

// shownCaptures is the number of captures of a URL that are listed.
const shownCaptures = 50

// captureList writes the names of the captures of a URL, one per line. Captures without a time are told apart by
// their input.
func captureList(w io.Writer, on screen, list []runs.Capture) {
	shown := list[:min(len(list), shownCaptures)]
	dated := slices.ContainsFunc(shown, func(c runs.Capture) bool { return c.Time != "" })
	names, inputs := make([]string, len(shown)), make([]string, len(shown))
	for i, c := range shown {
		names[i], inputs[i] = shellWord(c.Name), filepath.Base(c.Input)
	}
	head, column := "time", len("2006-01-02 15:04:05")
	if !dated {
		head, column = "input", min(40, max(5, widest(inputs)))
	}
	before := column + 46 // columns before the names
	gap := " "
	if widest(names)+before > on.columns && on.terminal {
		gap = "\n    "
	}
	fmt.Fprintf(w, "  %-*s  %-16s %-24s %s\n", column, head, "content", "title", "ask for")
	for i, c := range shown {
		at := strings.TrimSuffix(strings.Replace(c.Time, "T", " ", 1), "Z")
		switch {
		case !dated:
			at = inputs[i]
		case at == "":
			at = "unknown"
		}
		fmt.Fprintf(w, "  %s  %-16s %s%s%s\n", on.pad(at, column), cmp.Or(c.Digest, "links only"), on.pad(c.Title, 24), gap, names[i])
	}
	if more := len(list) - len(shown); more > 0 {
		fmt.Fprintf(w, "  and %d more; a year, a month or a day after # narrows them down, as in #2024-05\n", more)
	}
}

// shellWord quotes a name so that a shell takes it as one word.
func shellWord(s string) string {
	s = harmless.Cell(s)
	if strings.IndexFunc(s, func(r rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:/.,_%+=@#-"+string(filepath.Separator), r)
	}) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// tellCaptures prints the captures to choose from to stderr if err is a *runs.CapturesError.
func tellCaptures(err error) (told bool) {
	several := asCaptures(err)
	if several == nil {
		return false
	}
	say("lshclust: %s", several.Summary())
	captureList(os.Stderr, stderr(), several.Captures)
	return true
}

// asCaptures returns the *runs.CapturesError in err, or nil.
func asCaptures(err error) *runs.CapturesError {
	several, _ := errors.AsType[*runs.CapturesError](err)
	return several
}

// capturesLine says how many URLs were captured more than once and which captures were kept. It is empty if there are
// none.
func capturesLine(m *run.Manifest) string {
	n, config := m.Counts, struct{ Captures string }{}
	all := json.Unmarshal(m.Config, &config) == nil && config.Captures == "all"
	several, byOrder := n["urls_with_several_captures"], n["urls_decided_by_order"]
	urls := fmt.Sprintf("%d URLs were captured more than once: ", several)
	if several == 1 {
		urls = "1 URL was captured more than once: "
	}
	switch {
	case several == 0:
		return ""
	case all && n["captures_superseded"] > 0:
		return fmt.Sprintf("%severy capture is a document, except for %d that repeat the content and the time of another one", urls,
			n["captures_superseded"])
	case all:
		return urls + "every capture is a document"
	case byOrder == 0:
		return urls + "the newest capture wins"
	case byOrder == several:
		return urls + "among captures without times or with equal ones, the one in the later input or record wins"
	}
	return fmt.Sprintf("%sthe newest capture wins for %d, and the one in the later input or record for %d without times or with equal ones",
		urls, several-byOrder, byOrder)
}
