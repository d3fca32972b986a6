package browser

import (
	"context"
	_ "embed" // for walk
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// Env names the environment variable that says which browser to start, if not the first of names on the path.
const Env = "LSHCLUST_BROWSER"

var names = []string{"chromium", "google-chrome-stable", "google-chrome", "chromium-browser", "chrome-headless-shell"}

// ErrNone says that there is no browser on this machine.
var ErrNone = errors.New("no browser: install Debian's package chromium, or name one in " + Env)

// Path is where the browser to start lies.
func Path() (string, error) {
	if env := os.Getenv(Env); env != "" {
		return env, nil
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", ErrNone
}

//go:embed walk.js
var walk string

// policy lets nothing of a page run or load but the style sheets inside it. Scripts count as switched on all the same,
// so that <noscript> holds what a reader does not see.
const policy = "default-src 'none'; style-src 'unsafe-inline'"

// Page is a page as a server sends it.
type Page struct {
	URL         string
	ContentType string // header, "" for none
	Body        []byte // without transfer and content encoding
}

// Tab is one tab of a browser without a network. Not safe for concurrent use.
type Tab struct {
	ctx    context.Context
	next   chan Page // to be served to the next request for a document
	closed []context.CancelFunc
}

// Open starts the browser that lies at path.
func Open(ctx context.Context, path string) (*Tab, error) {
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path),
		chromedp.NoSandbox, // it is often run as root, in a container; what it shows cannot load or run anything
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND"),
		chromedp.Flag("disable-features", "site-per-process,IsolateOrigins,Translate,HttpsUpgrades,HttpsFirstBalancedMode,BackForwardCache,SpareRendererForSitePerProcess,ProactivelySwapBrowsingInstance"),
		chromedp.Flag("disable-site-isolation-trials", true),
		chromedp.Flag("disable-dev-shm-usage", true))
	alloc, cancel := chromedp.NewExecAllocator(ctx, options...)
	t := &Tab{next: make(chan Page, 1), closed: []context.CancelFunc{cancel}}
	return t, t.open(alloc)
}

// Tab opens one more tab in the same browser.
func (t *Tab) Tab() (*Tab, error) {
	more := &Tab{next: make(chan Page, 1)}
	return more, more.open(t.ctx)
}

func (t *Tab) open(parent context.Context) error {
	ctx, cancel := chromedp.NewContext(parent)
	t.ctx, t.closed = ctx, append(t.closed, cancel)
	requests := chromedp.Events(ctx, fetch.RequestPaused)
	if _, err := chromedp.Call(ctx, fetch.Enable, fetch.EnableParams{}); err != nil {
		t.Close()
		return fmt.Errorf("browser: %w", err)
	}
	go func() {
		for r, err := range requests {
			if err != nil || t.serve(r) != nil {
				return // Show meets its time limit
			}
		}
	}()
	return nil
}

// Close ends the tab, and the browser with its first one.
func (t *Tab) Close() {
	for i := len(t.closed) - 1; i >= 0; i-- {
		t.closed[i]()
	}
}

// Version is the browser's own name and number.
func (t *Tab) Version() (string, error) {
	v, err := chromedp.CallBrowser(t.ctx, browser.GetVersion, cdp.Empty{})
	return v.Product, err
}

// serve answers a request: the page to the one for it, nothing to any other.
func (t *Tab) serve(r fetch.EventRequestPaused) error {
	if r.ResourceType != network.ResourceTypeDocument {
		_, err := chromedp.Call(t.ctx, fetch.FailRequest, fetch.FailRequestParams{RequestID: r.RequestID, ErrorReason: network.ErrorReasonBlockedByClient})
		return err
	}
	// No content leaves the page where it is, as for <meta http-equiv=refresh>.
	answer := fetch.FulfillRequestParams{RequestID: r.RequestID, ResponseCode: http.StatusNoContent}
	select {
	case page := <-t.next:
		answer.ResponseCode, answer.Body = http.StatusOK, page.Body
		answer.ResponseHeaders = []*fetch.HeaderEntry{{Name: "Content-Security-Policy", Value: policy}}
		if page.ContentType != "" {
			answer.ResponseHeaders = append(answer.ResponseHeaders, &fetch.HeaderEntry{Name: "Content-Type", Value: page.ContentType})
		}
	default:
	}
	_, err := chromedp.Call(t.ctx, fetch.FulfillRequest, answer)
	return err
}

// View is what the browser made of a page.
type View struct {
	Runs    []Run // of the tree, in its order
	Links   []ViewLink
	Inner   string // innerText of the document
	Title   string
	Base    string // href of the first <base>
	BaseURI string
	Charset string
	URL     string
	Lang    string
	Quirks  bool
	Refresh bool // the page leads on to another one
}

// Run is a piece of the tree; walk.js says which kinds there are.
type Run struct {
	Kind string `json:"kind"`
	Text string `json:"text"` // of text, else the name of the element
	Why  string `json:"why"`  // why text is not on the screen, else how the element is displayed
	SVG  bool   `json:"svg"`  // inside of a drawing
}

// ViewLink is one a or area element with an href.
type ViewLink struct {
	Href, URL, Rel string
	SVG            bool
}

// Show loads a page and looks at it.
func (t *Tab) Show(p Page) (*View, error) {
	ctx, cancel := context.WithTimeout(t.ctx, time.Minute)
	defer cancel()
	var v View
	t.next <- p
	err := chromedp.Do(ctx, chromedp.Navigate(p.URL))
	if err == nil {
		v, err = chromedp.Run(ctx, chromedp.Evaluate[View](walk))
	}
	select {
	case <-t.next:
	default:
	}
	for range 3 { // a refresh that comes late would stop the next page, or this
		if err != nil || !v.Refresh || chromedp.Do(ctx, chromedp.Navigate("about:blank")) == nil {
			break
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.URL, err)
	}
	return &v, nil
}
