package text

import (
	"strings"
	"testing"
)

// In XHTML, an empty element ends where it begins, and CDATA is text.
func TestXHTML(t *testing.T) {
	const begin, body = `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head>`, `</head><body><p>The keeper writes</p></body></html>`
	for in, want := range map[string]string{
		"<title/>": "The keeper writes", "<title>T</title><script src='a.js'/>": "The keeper writes", "<style/>": "The keeper writes",
		"<noscript/>": "The keeper writes", "<iframe src='x'/>": "The keeper writes", "<textarea/>": "The keeper writes",
		"<svg><title/><script/></svg>": "The keeper writes", "<![CDATA[if a < b]]> ": "if a < b The keeper writes",
		"<script>//<![CDATA[\nvar a;\n//]]></script>": "The keeper writes", "<span hidden=''/>": "The keeper writes",
	} {
		p := Parser{}
		if got := strings.Join(strings.Fields(string(p.HTML([]byte(begin+in+body)).Text)), " "); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
		if got := p.HTML([]byte("<head>" + in + body)); strings.HasPrefix(in, "<title/>") && len(got.Words) > 0 {
			t.Errorf("%s in HTML: %q", in, got.Text)
		}
		p.XHTML = true
		if got := strings.Join(strings.Fields(string(p.HTML([]byte("<html><head>"+in+body)).Text)), " "); got != want {
			t.Errorf("%s by its type: %q, want %q", in, got, want)
		}
	}
}
