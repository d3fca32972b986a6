package text

import (
	"strings"
	"testing"
)

func TestNotice(t *testing.T) {
	p := auto(t)
	for _, test := range []struct {
		html string
		want Notice
	}{
		{"<title>News</title>The river is high.", NoNotice},
		{"<title>404 Not Found</title>", NotFound},
		{"<title>Oops</title>The page you&rsquo;re after: Page doesn’t exist", NotFound},
		{"<title>Error</title>ERROR 404", NotFound},
		{"<title>App</title>You need to enable JavaScript to run this app.", NeedsJavaScript},
		{"<title>App</title>Включите JavaScript", NeedsJavaScript},
		{"<title>Shop</title>Before you continue to the shop", AsksConsent},
		{"<title>Enable JavaScript to accept cookies</title>", NeedsJavaScript}, // the first in the order of the notices
		{"<title>Page not found</title>" + strings.Repeat("word ", noticeWords), NotFound},
		{"<title>Page not found</title>" + strings.Repeat("word ", noticeWords+1), NoNotice},
	} {
		if got := p.HTML([]byte(test.html)).Notice(); got != test.want {
			t.Errorf("%.80s: notice %d, want %d", test.html, got, test.want)
		}
	}
}
