package crawl

// Names for the external tests.
const ZipMark = zipMark

var FetcherOf = fetcherOf
var Sniff = sniff
var SniffZip = sniffZip

// Total returns the number of skips.
func (l *Ledger) Total() (n int64) {
	for _, t := range l.rows {
		n += t.Count
	}
	return n
}
