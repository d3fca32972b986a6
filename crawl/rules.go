package crawl

import "net/url"

// RulesVersion is the version of the list of rules.
const RulesVersion = 1

// MaxURL is the longest canonical URL in bytes.
const MaxURL = 2048

// Rules is a set of rules for canonical URLs.
type Rules struct{ off uint32 }

// DefaultRules has every rule switched on.
func DefaultRules() *Rules { return &Rules{} }

// ParseRules makes rules from switches such as "-www".
func ParseRules(switches ...string) (*Rules, error) { return &Rules{}, nil }

// Canonical gives the canonical form of an absolute http or https URL. The error is a Reason.
func (r *Rules) Canonical(raw string) (string, error) { return raw, nil }

// Resolve gives the canonical form of a link on a page. The error is a Reason.
func (r *Rules) Resolve(base *url.URL, href string) (string, error) { return href, nil }

// Base gives the URL against which the links of a page resolve: baseHref (of <base href>, may be empty)
// resolved against the page's URL.
func Base(pageURL, baseHref string) (*url.URL, error) { return url.Parse(pageURL) }

// Host is the host of a canonical URL, with its port if it has one.
func Host(canonical string) string { return "" }

// SURT is Common Crawl's url_surtkey of a canonical URL.
func SURT(canonical string) string { return "" }
