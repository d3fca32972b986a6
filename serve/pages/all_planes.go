package pages

// planePages are the pages about whole runs.
func planePages() []*Page { return nil }
