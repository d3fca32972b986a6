package crawl

import (
	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/crawl/stream"
	"github.com/lshclust/lshclust/crawl/table"
	"github.com/lshclust/lshclust/urls"
)

// Source the readers of the formats share with this package is declared in package record, so that a reader need not import
// this one. A program that reads crawls uses these names.
type (
	Source      = record.Source
	Record      = record.Record
	About       = record.About
	Page        = record.Page
	Link        = record.Link
	Rendering   = record.Rendering
	Revisit     = record.Revisit
	Redirect    = urls.Redirect
	Position    = record.Position
	Options     = record.Options
	Selection   = record.Selection
	Map         = record.Map
	MemoryError = record.MemoryError
	Skip        = record.Skip
	Reason      = record.Reason
	Packing     = stream.Packing
)

// Renderings of a page.
const (
	NotRendered    = record.NotRendered
	RenderedLoaded = record.RenderedLoaded
	RenderedFinal  = record.RenderedFinal
)

// Reasons for a Skip; package record says what each means.
const (
	ReasonTruncatedGzip     = record.ReasonTruncatedGzip
	ReasonBadGzip           = record.ReasonBadGzip
	ReasonBadZstd           = record.ReasonBadZstd
	ReasonBadRecord         = record.ReasonBadRecord
	ReasonTruncatedRecord   = record.ReasonTruncatedRecord
	ReasonBadJSON           = record.ReasonBadJSON
	ReasonLineTooLong       = record.ReasonLineTooLong
	ReasonBadRow            = record.ReasonBadRow
	ReasonBadParquet        = record.ReasonBadParquet
	ReasonBadSitemap        = record.ReasonBadSitemap
	ReasonUnknownColumns    = record.ReasonUnknownColumns
	ReasonBadEncoding       = record.ReasonBadEncoding
	ReasonTruncatedPayload  = record.ReasonTruncatedPayload
	ReasonBadIndex          = record.ReasonBadIndex
	ReasonNoArchive         = record.ReasonNoArchive
	ReasonBadZip            = record.ReasonBadZip
	ReasonUnsafeName        = record.ReasonUnsafeName
	ReasonUnreadableFile    = record.ReasonUnreadableFile
	ReasonUnsupportedFormat = record.ReasonUnsupportedFormat
	ReasonNoURL             = record.ReasonNoURL
	ReasonBadURL            = record.ReasonBadURL
	ReasonNotHTTPURL        = record.ReasonNotHTTPURL
	ReasonURLTooLong        = record.ReasonURLTooLong
	ReasonJavaScript        = record.ReasonJavaScript
	ReasonMailTo            = record.ReasonMailTo
	ReasonDataURL           = record.ReasonDataURL
	ReasonNotHTML           = record.ReasonNotHTML
	ReasonNotLink           = record.ReasonNotLink
	ReasonNotResponse       = record.ReasonNotResponse
	ReasonHTTPStatus        = record.ReasonHTTPStatus
	ReasonRedirect          = record.ReasonRedirect
	ReasonNotSelected       = record.ReasonNotSelected
	ReasonEmptyPage         = record.ReasonEmptyPage
	ReasonEmptyFile         = record.ReasonEmptyFile
	ReasonRunDir            = record.ReasonRunDir
	ReasonPageTooBig        = record.ReasonPageTooBig
	ReasonTruncated         = record.ReasonTruncated
	ReasonOneMember         = record.ReasonOneMember
	ReasonRatio             = record.ReasonRatio
)

// ReasonRecordType is [record.ReasonRecordType].
func ReasonRecordType(warcType string) Reason { return record.ReasonRecordType(warcType) }

// ParseSelection is [record.ParseSelection].
func ParseSelection(from, to string, status, mime []string) (Selection, error) {
	return record.ParseSelection(from, to, status, mime)
}

// ParseMap is [table.ParseMap].
func ParseMap(entries ...string) (Map, error) { return table.ParseMap(entries...) }
