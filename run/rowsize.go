package run

import "unsafe"

// The size methods return the memory that a row takes, strings included. They limit row groups.

func (r PageRow) size() int {
	n := int(unsafe.Sizeof(r)) + len(r.URL) + len(r.URLSurtkey) + len(r.URLHostName) + len(r.Title) + len(r.ContentDigest) +
		len(r.TopicalClusterID) + len(r.SyntacticClusterID) + len(r.CanonicalURL) + len(r.Input)
	return n + listSize(r.Hreflang)
}

func (r RedirectRow) size() int { return int(unsafe.Sizeof(r)) + len(r.URL) + len(r.TargetURL) }

func (r TopicalPairRow) size() int { return int(unsafe.Sizeof(r)) + len(r.URLA) + len(r.URLB) }

func (r TopicalClusterRow) size() int {
	return int(unsafe.Sizeof(r)) + len(r.URL) + len(r.ClusterID) + listSize(r.LabelTerms)
}

func (r SyntacticPairRow) size() int { return int(unsafe.Sizeof(r)) + len(r.URLA) + len(r.URLB) }

func (r SyntacticClusterRow) size() int { return int(unsafe.Sizeof(r)) + len(r.URL) + len(r.ClusterID) }

func listSize(list []string) int {
	n := 0
	for _, s := range list {
		n += int(unsafe.Sizeof(s)) + len(s)
	}
	return n
}
