package run

import (
	"fmt"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// schemaText lists the columns of a schema, one per line: the name, the type, and whether it may be null.
func schemaText(s *parquet.Schema) string {
	var b strings.Builder
	for _, path := range s.Columns() {
		leaf, _ := s.Lookup(path...)
		fmt.Fprintf(&b, "%s %s%s\n", strings.Join(path, "."), leaf.Node.Type(), nullable(leaf))
	}
	return b.String()
}

func nullable(leaf parquet.LeafColumn) string {
	switch {
	case leaf.MaxRepetitionLevel > 0:
		return " repeated"
	case leaf.MaxDefinitionLevel > 0:
		return " optional"
	}
	return ""
}
