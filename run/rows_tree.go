package run

import "unsafe"

// TopicalTreeRow is one node of the tree of topical clusters.
type TopicalTreeRow struct {
	ID         string   `parquet:"id"`                 // of a leaf the id of its cluster; of others with "." and the level
	ParentID   string   `parquet:"parent_id,optional"` // null for a root
	Level      int32    `parquet:"level"`              // 0 for a leaf
	Depth      int32    `parquet:"depth"`              // nodes above it
	Threshold  float64  `parquet:"threshold"`          // of the level
	LabelTerms []string `parquet:"label_terms,list"`   // phrases that distinguish the node from its siblings, best first
	Size       int32    `parquet:"size"`               // documents
	Clusters   int32    `parquet:"clusters"`           // leaves below
	Children   int32    `parquet:"children"`           // nodes right below
	CenterURL  string   `parquet:"center_url"`
	Path       []string `parquet:"path,list"` // ids from the root to the node itself
}

func (r TopicalTreeRow) size() int {
	return int(unsafe.Sizeof(r)) + len(r.ID) + len(r.ParentID) + len(r.CenterURL) + listSize(r.LabelTerms) + listSize(r.Path)
}
