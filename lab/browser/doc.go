// Package browser compares package text with a browser: the words, links, title, base, language and charset of a page
// as Chromium finds them with those that package text finds.
//
// A Tab shows a page under its URL and without a network: the answer to every request comes from here, and no script of
// a page runs. Its View is the tree that the browser built, after style sheets were applied.
//
// The words of package text are compared, in order, with two others. The first are the words on the screen: the text
// that has a box, which the walk over the tree finds and the browser's own innerText confirms on every page. Package
// text reads more than that, on purpose: everything that a page may show at some time (a closed menu, the text of an
// image), because style sheets are seldom in an archive. So the second are the words of the document tree by the rules
// of package text, which must be the same except for differences of named classes; each class has a rule that
// recognises it, and any other difference fails the test.
//
// The browser is the first on the path of Chromium's shell, Chromium and Google Chrome, or the one that LSHCLUST_BROWSER names.
package browser
