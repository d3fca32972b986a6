package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	logs "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// patience limits one step in the browser. A step takes well under a second; the rest is for shared machines.
const patience = 15 * time.Minute

// browser is the browser that all tests share.
var browser = sync.OnceValues(func() (context.Context, error) {
	path, err := browserPath()
	if err != nil {
		return nil, err
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path),
		chromedp.NoSandbox, // it often runs as root, in a container; the pages come from this test
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"),
		chromedp.Flag("disable-dev-shm-usage", true))
	alloc, stopAlloc := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, stop := chromedp.NewContext(alloc)
	stopBrowser = func() { stop(); stopAlloc() }
	return ctx, chromedp.Do(ctx)
})

var errNoBrowser = errors.New("no browser: install Debian's package chromium-headless-shell, or name one in LSHCLUST_BROWSER")

// browserPath returns the browser to start: the one that LSHCLUST_BROWSER names, or the first on the path. The shell
// takes a third of the time of others, which draw a window.
func browserPath() (string, error) {
	if env := os.Getenv("LSHCLUST_BROWSER"); env != "" {
		return env, nil
	}
	for _, name := range []string{"chromium-headless-shell", "chromium", "google-chrome-stable", "google-chrome", "chromium-browser"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errNoBrowser
}

// stopBrowser stops the browser, if it was started.
var stopBrowser = func() {}

// Tab is a tab that shows pages of the server. It fails its test if a page logs an error, opens a dialog or breaks the
// Content-Security-Policy.
type Tab struct {
	t    testing.TB
	base string
	ctx  context.Context

	mu     sync.Mutex
	events []string // dialogs, exceptions, and what was logged
}

// NewTab opens a tab. Without a browser the test is skipped, but with CI=true it fails.
func NewTab(t testing.TB) *Tab {
	t.Helper()
	parent, err := browser()
	if errors.Is(err, errNoBrowser) && os.Getenv("CI") != "true" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := chromedp.NewContext(parent)
	tab := &Tab{t: t, base: site(t), ctx: ctx}
	t.Cleanup(func() {
		tab.Quiet()
		stop()
	})
	if err := chromedp.Listen(ctx, tab.heard); err != nil {
		t.Fatal(err)
	}
	if err := chromedp.Do(ctx, chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, logs.Enable, struct{}{})
		return err
	})); err != nil {
		t.Fatal(err)
	}
	return tab
}

// heard records what a page must not do.
func (tab *Tab) heard(event any) {
	said := ""
	switch e := event.(type) {
	case *page.EventJavascriptDialogOpening:
		said = "dialog: " + e.Message
	case *runtime.EventExceptionThrown:
		said = "exception: " + e.ExceptionDetails.Text
	case *logs.EventEntryAdded:
		// The page of a problem has a status of 400 or more, which the browser logs.
		if e.Entry.Level == logs.EntryLevelError && !strings.Contains(e.Entry.Text, "Failed to load resource: the server responded") {
			said = "log: " + e.Entry.Text
		}
	}
	if said != "" {
		tab.mu.Lock()
		tab.events = append(tab.events, said)
		tab.mu.Unlock()
	}
}

// Quiet fails the test if a page did what it must not.
func (tab *Tab) Quiet() {
	tab.t.Helper()
	tab.mu.Lock()
	defer tab.mu.Unlock()
	for _, e := range tab.events {
		tab.t.Error(e)
	}
	tab.events = nil
}

// do runs actions and fails the test if they fail.
func (tab *Tab) do(actions ...chromedp.Action[chromedp.Void]) {
	tab.t.Helper()
	ctx, stop := context.WithTimeout(tab.ctx, patience)
	defer stop()
	if err := chromedp.Do(ctx, actions...); err != nil {
		tab.t.Fatal(err)
	}
}

// Open shows a page, given its path and query.
func (tab *Tab) Open(path string) {
	tab.t.Helper()
	tab.do(chromedp.Navigate(tab.base + path))
}

// Type presses keys.
func (tab *Tab) Type(keys string) {
	tab.t.Helper()
	tab.do(chromedp.KeyEvent(keys))
}

// Screen sets the width of the screen, light or dark, and whether scripts of pages run.
func (tab *Tab) Screen(width int64, scheme string, scripts bool) {
	tab.t.Helper()
	tab.do(chromedp.EmulateViewport(width, 900), chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}},
		})
		if err != nil {
			return err
		}
		_, err = chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !scripts})
		return err
	}))
}

// Ask evaluates an expression of JavaScript.
func Ask[T any](tab *Tab, expression string) T {
	tab.t.Helper()
	ctx, stop := context.WithTimeout(tab.ctx, patience)
	defer stop()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		tab.t.Fatalf("%.200s: %v", expression, err)
	}
	return v
}

// Wait waits until an expression is true, also in a page that is shown next.
func (tab *Tab) Wait(expression string) {
	tab.t.Helper()
	ctx, stop := context.WithTimeout(tab.ctx, patience)
	defer stop()
	for {
		ok, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("document.readyState === 'complete' && Boolean("+expression+")"))
		if err == nil && ok {
			return
		}
		select {
		case <-ctx.Done():
			tab.t.Fatalf("waited for %s in vain at %s: %v", expression, tab.at(), err)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// at returns the page that is shown, for messages.
func (tab *Tab) at() string {
	ctx, stop := context.WithTimeout(tab.ctx, patience)
	defer stop()
	at, err := chromedp.Run(ctx, chromedp.Evaluate[string]("location.href + ', ' + document.title + ', focus on ' + document.activeElement.outerHTML.slice(0, 200)"))
	if err != nil {
		return err.Error()
	}
	return at
}

// At waits until the page at a path is shown.
func (tab *Tab) At(path string) {
	tab.t.Helper()
	tab.Wait(fmt.Sprintf("location.pathname === %s", quoted(path)))
}

// quoted returns a text as a literal of JavaScript.
func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string can be encoded
	}
	return string(b)
}
