package pages

// framePages are the pages that everybody starts from.
func framePages() []*Page {
	return []*Page{homePage(), searchPage(), documentPage(), findPage(), hostPage(), runPage(), surprisePage()}
}
