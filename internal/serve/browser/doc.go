// Package browser tests the pages of the server in a real browser: by keyboard alone, with and without scripts, on
// narrow and on wide screens, in light and dark, against hostile text, and with axe-core, which looks for what keeps
// people with disabilities out.
//
// The run of the tests is made of the embedded sample and of a few hostile pages. Tests of one kind of page are in a
// file of their own and use a Tab; Look checks what must hold for every page. It is a separate module so that nothing
// else depends on chromedp.
package browser
