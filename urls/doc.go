// Package urls defines the canonical form of a URL, which is the identity of a page everywhere else, and resolves
// links.
//
// [Rules.Canonical] returns the canonical form of an absolute URL and [Rules.Resolve] that of a link on a page, both as
// leniently as browsers read them. [Host] and [SURT] take a canonical URL to pieces.
//
// The one rule for the caller: compare canonical URLs only if they were made with the same [Rules] and [RulesVersion].
package urls
