package pages

// whyPages are the pages about pairs and clusters.
func whyPages() []*Page { return []*Page{whyPage(), diffPage(), clusterPage(), mapPage()} }
