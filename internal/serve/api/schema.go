package api

import (
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/lshclust/lshclust/ask"
)

// object is an object of JSON.
type object = map[string]any

// schemas builds the JSON Schemas of models from their types. A struct becomes a named schema that others refer to.
// The tags of its fields are json; doc, the description; least and most, of a number; and enum, of a text. A field is
// required unless it has omitempty.
type schemas struct {
	named object
	types map[string]reflect.Type // of each name
}

// of returns the schema of a type.
func (s *schemas) of(t reflect.Type) object {
	switch t.Kind() {
	case reflect.Pointer:
		return s.of(t.Elem())
	case reflect.Slice:
		return object{"type": "array", "items": s.of(t.Elem())}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": s.of(t.Elem())}
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Float32, reflect.Float64:
		return object{"type": "number"}
	case reflect.Int, reflect.Int64:
		return object{"type": "integer"}
	case reflect.Uint32, reflect.Uint64:
		return object{"type": "integer", "minimum": 0}
	case reflect.Struct:
		if t == reflect.TypeFor[time.Time]() {
			return object{"type": "string", "format": "date-time"}
		}
		switch s.types[t.Name()] {
		case t:
		case nil:
			s.types[t.Name()] = t // which may contain itself
			s.named[t.Name()] = s.object(ask.Fields(t))
		default:
			panic("two types of answers are called " + t.Name())
		}
		return object{"$ref": "#/components/schemas/" + t.Name()}
	}
	return object{"type": "string"}
}

// row returns the schema of a row of a list.
func (s *schemas) row(model reflect.Type) object { return s.object(ask.Columns(model)) }

func (s *schemas) object(fields []ask.Column) object {
	properties, required := object{}, []string{}
	for _, c := range fields {
		properties[c.Name] = described(s.of(c.Field.Type), c.Field.Tag)
		if !c.Optional {
			required = append(required, c.Name)
		}
	}
	return object{"type": "object", "properties": properties, "required": required}
}

// described adds the contents of the tags of a field to a schema.
func described(schema object, tag reflect.StructTag) object {
	for name, key := range map[string]string{"least": "minimum", "most": "maximum"} {
		if n, err := strconv.ParseFloat(tag.Get(name), 64); err == nil {
			schema[key] = n
		}
	}
	if values := tag.Get("enum"); values != "" {
		schema["enum"] = strings.Split(values, ",")
	}
	if doc := tag.Get("doc"); doc != "" {
		schema["description"] = doc
	}
	return schema
}

// schemaOf returns the schema of the values of a parameter.
func schemaOf(p *Param) object {
	out := object{"type": string(p.Kind)}
	switch p.Kind {
	case ask.Whole, ask.Number:
		out["minimum"], out["maximum"] = p.Least, p.Most
	case ask.Text:
		out["maxLength"] = int(p.Most)
		if p.Required {
			out["minLength"] = 1
		}
		if p.Enum != nil {
			out["enum"] = p.Enum
		}
		if p.Pattern != "" {
			out["pattern"] = p.Pattern
		}
	}
	if p.Default != "" {
		out["default"] = valueOf(p, p.Default)
	}
	return out
}

// valueOf returns a value as JSON has it.
func valueOf(p *Param, s string) any {
	switch p.Kind {
	case ask.Whole, ask.Number:
		n, _ := strconv.ParseFloat(s, 64)
		return n
	case ask.Flag:
		return s == "true"
	}
	return s
}
