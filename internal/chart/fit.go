package chart

// Fit returns a text as one line, shortened so that it fits into a width at a font size, and the width that it then has.
// The width is an estimate: the reader's font may be another one.
func Fit(s string, size, room float64) (text string, width float64) {
	text = fitted(s, size, room)
	return text, wide(text, size)
}
