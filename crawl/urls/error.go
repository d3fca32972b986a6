package urls

// Error says in one word why a URL has no canonical form. Package crawl counts skipped URLs under this word.
type Error string

// The errors of this package.
const (
	ErrBad        Error = "bad-url"      // the URL has no host or is malformed
	ErrScheme     Error = "not-http-url" // another scheme, such as ftp: or urn:
	ErrTooLong    Error = "url-too-long" // the canonical form is longer than MaxURL
	ErrJavaScript Error = "javascript"   // javascript:
	ErrMailTo     Error = "mailto"       // mailto:, tel: or sms:
	ErrData       Error = "data-url"     // data:, blob: or about:
)

// Error returns the word.
func (e Error) Error() string { return string(e) }
