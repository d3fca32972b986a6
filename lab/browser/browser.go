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

// Env is the environment variable that names the browser to start. The default is the first of names on the path.
const Env = "LSHCLUST_BROWSER"

var names = []string{"chromium-headless-shell", "chromium", "google-chrome-stable", "google-chrome", "chromium-browser"}

// ErrNone is the error for a machine without a browser.
var ErrNone = errors.New("no browser: install Debian's package chromium-headless-shell, or name one in " + Env)

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
// so that a reader does not see <noscript>.
const policy = "default-src 'none'; style-src 'unsafe-inline'"

// Page is a page as a server sends it.
type Page struct {
	URL         string
	ContentType string // header, "" for none
	Body        []byte // without transfer and content encoding
}

// showLimit bounds one attempt of Show. A page takes well under a second; the rest is for machines that others share.
const showLimit = time.Minute

// Browser is a running browser without a network.
type Browser struct {
	ctx  context.Context
	stop []context.CancelFunc
}

// Open starts the browser that lies at path.
func Open(ctx context.Context, path string) (*Browser, error) {
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path),
		chromedp.NoSandbox, // it often runs as root, in a container; the pages cannot load or run anything
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND"),
		chromedp.Flag("disable-features", "site-per-process,IsolateOrigins,Translate,HttpsUpgrades,HttpsFirstBalancedMode,BackForwardCache,SpareRendererForSitePerProcess,ProactivelySwapBrowsingInstance"),
		chromedp.Flag("disable-site-isolation-trials", true),
		chromedp.Flag("disable-dev-shm-usage", true))
	alloc, stopAlloc := chromedp.NewExecAllocator(ctx, options...)
	ctx, stop := chromedp.NewContext(alloc)
	b := &Browser{ctx, []context.CancelFunc{stop, stopAlloc}}
	if err := chromedp.Do(ctx); err != nil {
		b.Close()
		return nil, fmt.Errorf("browser: %w", err)
	}
	return b, nil
}

// Close stops the browser and closes its tabs.
func (b *Browser) Close() {
	for _, stop := range b.stop {
		stop()
	}
}

// Tab opens a tab.
func (b *Browser) Tab() (*Tab, error) {
	t := &Tab{browser: b, limit: showLimit}
	return t, t.open()
}

// Tab is one tab of a Browser. Not safe for concurrent use.
type Tab struct {
	browser *Browser
	limit   time.Duration
	ctx     context.Context
	close   context.CancelFunc
	next    chan Page // to be served to the next request for a document
}

func (t *Tab) open() error {
	t.ctx, t.close = chromedp.NewContext(t.browser.ctx)
	t.next = make(chan Page, 1)
	ctx, next := t.ctx, t.next
	requests := chromedp.Events(ctx, fetch.RequestPaused)
	if _, err := chromedp.Call(ctx, fetch.Enable, fetch.EnableParams{}); err != nil {
		t.close()
		return fmt.Errorf("browser: %w", err)
	}
	go func() {
		for r, err := range requests {
			if err != nil || serve(ctx, next, r) != nil {
				return // Show meets its time limit
			}
		}
	}()
	return nil
}

// Close closes the tab.
func (t *Tab) Close() { t.close() }

// Version is the browser's own name and number.
func (b *Browser) Version() (string, error) {
	v, err := chromedp.CallBrowser(b.ctx, browser.GetVersion, cdp.Empty{})
	return v.Product, err
}

// serve answers a request: the page to the one for it, nothing to any other.
func serve(ctx context.Context, next <-chan Page, r fetch.EventRequestPaused) error {
	if r.ResourceType != network.ResourceTypeDocument {
		_, err := chromedp.Call(ctx, fetch.FailRequest, fetch.FailRequestParams{RequestID: r.RequestID, ErrorReason: network.ErrorReasonBlockedByClient})
		return err
	}
	// No content leaves the page where it is, as for <meta http-equiv=refresh>.
	answer := fetch.FulfillRequestParams{RequestID: r.RequestID, ResponseCode: http.StatusNoContent}
	select {
	case page := <-next:
		answer.ResponseCode, answer.Body = http.StatusOK, page.Body
		answer.ResponseHeaders = []*fetch.HeaderEntry{{Name: "Content-Security-Policy", Value: policy}}
		if page.ContentType != "" {
			answer.ResponseHeaders = append(answer.ResponseHeaders, &fetch.HeaderEntry{Name: "Content-Type", Value: page.ContentType})
		}
	default:
	}
	_, err := chromedp.Call(ctx, fetch.FulfillRequest, answer)
	return err
}

// View is a page as the browser shows it.
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
	Refresh bool // the page redirects to another one
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
}

// Show loads a page and looks at it. A tab that does not answer within its time limit, because its process hangs or has
// died, is replaced by a new one, which tries once more.
func (t *Tab) Show(p Page) (*View, error) {
	v, err := t.show(p)
	if err != nil && t.browser.ctx.Err() == nil {
		t.close()
		if err = t.open(); err == nil {
			v, err = t.show(p)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.URL, err)
	}
	return v, nil
}

func (t *Tab) show(p Page) (*View, error) {
	ctx, cancel := context.WithTimeout(t.ctx, t.limit)
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
	return &v, err
}
