// Package urls defines the canonical form of a URL, which identifies a page in all other packages, and resolves links.
//
// [Rules.Canonical] returns the canonical form of an absolute URL, and [Rules.Resolve] that of a link on a page. Both
// parse URLs as leniently as browsers do. [Host] and [SURT] return parts of a canonical URL.
//
// Compare canonical URLs only if they were made with the same [Rules] and [RulesVersion].
package urls
