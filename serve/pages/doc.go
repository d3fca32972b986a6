// Package pages shows runs to people, as pages of HTML.
//
// A page is a row of [All]: a path, its parameters, a function from a [Question] to a [View], and a template of the
// same name in templates/. The function asks the questions of package api with [Ask] and makes links with [Links]; the
// template shows what it returns, with the partials of templates/partials.html. [Site.Render] puts it into the layout
// that all pages share. The package knows nothing of HTTP, so that the same pages can be written to files.
//
// The one rule: everything that a run holds was written by strangers. It reaches a page only through html/template, and
// links to other sites only through the partial "out". Render replaces control characters and marks that change the
// direction of writing in all that it returns. There is no inline script and no inline style, and Policy forbids both.
package pages
