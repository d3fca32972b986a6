package ask

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Kind is the type of the values of an option.
type Kind string

// The kinds, named as in JSON Schema.
const (
	Text   Kind = "string"
	Whole  Kind = "integer"
	Number Kind = "number"
	Flag   Kind = "boolean"
)

// Option is a field of a question that has the tag doc. All doors offer it: it is a parameter over HTTP and for
// assistants, a flag of the command, and an argument in Python. The other tags are named like the fields.
type Option struct {
	Name     string   // the name of the field in lower case with _ between words, unless the tag name says otherwise
	Doc      string   // what the option does, or what the subject of the question is
	Kind     Kind     // by the type of the field
	Required bool     // a subject of the question, which the command takes as an argument
	Local    bool     // costs or shows more than a server offers to strangers
	Body     []string // media types of the body over HTTP, if the value is one; separated by commas
	InPath   bool     // part of the path over HTTP
	Header   string   // header of HTTP that supplies a missing value
	Default  string   // as text
	Least    float64  // for numbers
	Most     float64  // for numbers; the maximum number of characters of a text
	Enum     []string // the values of a text, nil for any; separated by commas, or from the method Choices of the type
	Pattern  string   // regular expression that a text matches
	Example  string   // shown in documents
	Value    string   // what help calls the value
	Short    string   // letter of the flag

	of    reflect.Type // the question
	index []int
}

// Bounds for options that state none.
const (
	mostText   = 2048
	MostNumber = math.MaxInt32 // larger than any useful number, and small enough that arithmetic cannot overflow
)

// choices is implemented by types of texts with a few values.
type choices interface{ Choices() []string }

// Options returns the options of a question, a struct. The default of Window.Limit is the tag limit of the window.
func Options(question any) []Option {
	t := reflect.TypeOf(question)
	if all, ok := optionsOf.Load(t); ok {
		return slices.Clone(all.([]Option))
	}
	all, _ := optionsOf.LoadOrStore(t, options(t))
	return slices.Clone(all.([]Option))
}

// optionsOf caches the options by the type of the question.
var optionsOf sync.Map

func options(t reflect.Type) (all []Option) {
	for _, f := range reflect.VisibleFields(t) {
		doc := f.Tag.Get("doc")
		if doc == "" {
			continue
		}
		tag := f.Tag
		o := Option{
			Name: cmp.Or(tag.Get("name"), snake(f.Name)), Doc: doc, Kind: kindOf(f.Type), Default: tag.Get("default"), Pattern: tag.Get("pattern"),
			Example: tag.Get("example"), Value: tag.Get("value"), Short: tag.Get("short"),
			Header: tag.Get("header"), Required: tag.Get("required") == "true", Local: tag.Get("local") == "true",
			InPath: tag.Get("in") == "path", of: t, index: f.Index,
		}
		o.bounds(f)
		if within := t.FieldByIndex(f.Index[:1]); within.Type == reflect.TypeFor[Window]() {
			o.Default = within.Tag.Get("limit")
		}
		all = append(all, o)
	}
	return all
}

// bounds reads the tags that bound the values.
func (o *Option) bounds(f reflect.StructField) {
	if o.Default == "" && o.Kind != Text && f.Type.Kind() != reflect.Pointer {
		o.Default = fmt.Sprint(reflect.Zero(f.Type))
	}
	switch o.Kind {
	case Text:
		o.Most = mostText
		if c, ok := reflect.New(f.Type).Interface().(choices); ok {
			o.Enum = c.Choices()
		} else if enum := f.Tag.Get("enum"); enum != "" {
			o.Enum = strings.Split(enum, ",")
		}
		if body := f.Tag.Get("body"); body != "" {
			o.Body = strings.Split(body, ",")
		}
	case Whole, Number:
		o.Most = MostNumber
	}
	for tag, to := range map[string]*float64{"least": &o.Least, "most": &o.Most} {
		if text, ok := f.Tag.Lookup(tag); ok {
			*to, _ = strconv.ParseFloat(text, 64)
		}
	}
}

func kindOf(t reflect.Type) Kind {
	switch t.Kind() {
	case reflect.Pointer:
		return kindOf(t.Elem())
	case reflect.Bool:
		return Flag
	case reflect.Int:
		return Whole
	case reflect.Float64:
		return Number
	}
	return Text
}

// snake converts a name of Go, such as EachVersion or URL.
func snake(name string) string {
	var b strings.Builder
	before := 'A'
	for _, r := range name {
		if unicode.IsUpper(r) && !unicode.IsUpper(before) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
		before = r
	}
	return b.String()
}

// Defaults returns a question with the defaults for the options that are zero.
func Defaults[Q any](question Q) Q {
	for _, o := range Options(question) {
		if o.Default != "" && o.field(&question).IsZero() {
			o.Put(&question, o.Default)
		}
	}
	return question
}

// field returns the field of a question, given by its address.
func (o *Option) field(question any) reflect.Value {
	return reflect.ValueOf(question).Elem().FieldByIndex(o.index)
}

// IsList reports whether a value is several lines.
func (o *Option) IsList() bool { return o.of.FieldByIndex(o.index).Type.Kind() == reflect.Slice }

// Get returns the value in a question, given by its address, as text.
func (o *Option) Get(question any) string {
	v := o.field(question)
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return ""
		}
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.Float64:
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	case reflect.Slice:
		return strings.Join(v.Interface().([]string), "\n")
	}
	return fmt.Sprint(v.Interface())
}

// Set sets the value in a question, given by its address. The error says which values are allowed.
func (o *Option) Set(question any, value string) error {
	if wrong := o.Wrong(value); wrong != "" {
		return ValueError(wrong)
	}
	o.Put(question, value)
	return nil
}

// ValueError is the error for a value that an option does not allow.
type ValueError string

func (e ValueError) Error() string { return string(e) }

// Put sets a value that is allowed. It ignores an option of another question.
func (o *Option) Put(question any, value string) {
	if o.of != reflect.TypeOf(question).Elem() {
		return
	}
	v := o.field(question)
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(value == "true")
	case reflect.Int:
		n, _ := strconv.ParseInt(value, 10, 64)
		v.SetInt(n)
	case reflect.Float64:
		n, _ := strconv.ParseFloat(value, 64)
		v.SetFloat(n)
	case reflect.Slice:
		v.Set(reflect.ValueOf(Lines(value)))
	default:
		v.SetString(value)
	}
}

// Lines returns the lines of a text that are not empty, without spaces around them.
func Lines(text string) (lines []string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// Wrong says what is wrong with a value, or returns "".
func (o *Option) Wrong(value string) string {
	switch o.Kind {
	case Flag:
		if value != "true" && value != "false" {
			return "must be true or false"
		}
	case Whole, Number:
		return o.wrongNumber(value)
	default:
		return o.wrongText(value)
	}
	return ""
}

func (o *Option) wrongNumber(value string) string {
	n, err := strconv.ParseFloat(value, 64)
	if err != nil || math.IsNaN(n) {
		return map[Kind]string{Whole: "must be a whole number", Number: "must be a number"}[o.Kind]
	}
	if _, err := strconv.Atoi(value); err != nil && o.Kind == Whole && math.Abs(n) <= MostNumber {
		return "must be a whole number"
	}
	if n >= o.Least && n <= o.Most {
		return ""
	}
	if o.Most == MostNumber {
		return fmt.Sprintf("must be %s or more, at most %d", Float(o.Least), MostNumber)
	}
	return fmt.Sprintf("must be %s to %s", Float(o.Least), Float(o.Most))
}

func (o *Option) wrongText(value string) string {
	switch {
	case !utf8.ValidString(value):
		return "must be UTF-8"
	case value == "" && o.Required:
		return "is empty"
	case o.Enum != nil && !slices.Contains(o.Enum, value):
		return "must be one of " + strings.Join(o.Enum, ", ")
	case utf8.RuneCountInString(value) > int(o.Most):
		return fmt.Sprintf("must have at most %d characters", int(o.Most))
	case o.Pattern != "" && !regexp.MustCompile(o.Pattern).MatchString(value): // compiled in microseconds, for few requests
		return "must match " + o.Pattern
	}
	return ""
}
