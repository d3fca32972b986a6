// Package capture is about the records of a crawl that each give a page at a URL and a time: how a capture is named and
// numbered, which of several captures of a URL wins, where a URL redirects to, which original a revisit refers to,
// which rendered text a page gets, and what fragments a page or a link row contributes. Records go in and records come
// out; package pipeline sorts and stores them.
//
//   - [Name] and [Digest] identify a capture; queries of a finished run use them too.
//   - [Number] and [Order] decide between captures. The newest capture wins, and of captures of one time the one that
//     the inputs give last.
//   - [Contest] finds the captures that another one supersedes, [Redirect] and [Destination] where a URL redirects to,
//     [Matcher] the original of a revisit, [RenderedTexts] the text of a page that a browser rendered.
//   - [Reader] turns a page into the records of its fragments.
//
// The one rule: whatever competes is decided by Order and nothing else, so that the result depends on the inputs and
// their order and not on how the work is shared out.
package capture
