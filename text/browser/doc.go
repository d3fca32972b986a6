// Package browser holds package text against a browser: words, links, title, base, language and charset of the same
// pages, as Chromium has them and as we have them.
//
// A Tab shows a page that it is given, under the URL of the page and without a network: the answer to every request
// comes from here, and no script of a page runs. Its View is the tree that the browser built, with what style sheets
// make of it.
//
// Two things are compared with our words, in order. The one is what is on screen: the text that has a box, which the
// walk over the tree finds and the browser's own innerText confirms on every page. We read more than that, on purpose:
// what a page may show at some time (a closed menu, the text of an image), since style sheets are seldom in an archive.
// So the other is the tree by our rules, where words must be the same ones, but for differences of named classes; each
// class has a rule that recognises it, and what no rule explains fails the test.
//
// It is a module of its own so that nothing else depends on chromedp. The browser is the first on the path of chromium
// and Google Chrome, or the one that LSHCLUST_BROWSER names.
package browser
