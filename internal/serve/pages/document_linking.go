package pages

// linking lists pages that link to a document, as many as there is room for.
func (side *webSide) linking(q *Question, id uint32) {
	left, all := room(20_000), q.Run.Sources.Of(id)
	for _, hash := range all {
		from, ok := q.Run.Docs.ByHash(hash)
		if !ok {
			continue
		}
		url, name := q.Run.URL(from), nameOf(q.Run, from)
		if left -= room(2*len(url) + len(name) + 60); left < 0 {
			break
		}
		side.Linking = append(side.Linking, Link{name, q.Page(url)})
	}
	side.LinkingSays = counted(len(all), "page links to it", "pages link to it")
	if n := len(side.Linking); n < len(all) {
		side.LinkingSays = count(n) + " of the " + count(len(all)) + " pages that link to it"
	}
}
