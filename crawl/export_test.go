package crawl

// Names for the external tests.
const ZipMark = zipMark

var FetcherOf = fetcherOf
var Sniff = sniff
var SniffZip = sniffZip
