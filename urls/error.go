package urls

// Error says in one word why a URL has no canonical form. Skipped URLs are counted under the same word.
type Error string

// The errors of this package.
const (
	ErrBad        Error = "bad-url"      // without a host, or malformed
	ErrScheme     Error = "not-http-url" // of another scheme, such as ftp: or urn:
	ErrTooLong    Error = "url-too-long" // the canonical form is longer than MaxURL
	ErrJavaScript Error = "javascript"   // javascript:
	ErrMailTo     Error = "mailto"       // mailto:, tel: or sms:
	ErrData       Error = "data-url"     // data:, blob: or about:
)

// Error returns the word.
func (e Error) Error() string { return string(e) }
