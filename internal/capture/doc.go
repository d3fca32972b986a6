// Package capture turns the captures of a crawl into the documents of a run. A capture is a record of the crawl that
// gives a page at a URL and a time. The package names and numbers captures, decides which of several captures of a URL
// wins, finds the URL that a capture redirects to, the original of a revisit and the rendered text of a page, and makes
// the fragments of a page or a link row. It works on records; package pipeline sorts and stores them.
//
//   - [Name] and [Digest] identify a capture; queries of a finished run use them too.
//   - [Number] and [Order] decide between captures. The newest capture wins. Among captures of the same time, the last
//     one in the inputs wins.
//   - [Contest] finds the superseded captures and the texts that a browser rendered, [Redirect] and [Destination] the
//     redirects, and [Matcher] the originals of revisits.
//   - [Reader] turns a page into the records of its fragments.
//
// Only Order decides between captures, so the result depends on the inputs and their order, and not on how the work is
// divided.
package capture
