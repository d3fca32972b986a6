// Package pages shows runs to people, as pages of HTML.
//
// A page is an entry of [All]: a path, its parameters, a function from a [Question] to a [View], and a template of
// the same name in templates/. The function asks questions of package api with [Ask] and makes links with [Links];
// the template shows what it returns, using the partials of templates/partials.html. [Site.Render] puts the result
// into the layout that all pages share. The package does not depend on HTTP, so the same pages can be written to
// files.
//
// Everything in a run was written by strangers. It reaches a page only through html/template, and links to other
// sites only through the partial "out". Render replaces control characters and marks that change the direction of
// writing in all its output. There are no inline scripts and no inline styles; Policy forbids both.
package pages
