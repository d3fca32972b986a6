package answer

// ChangesAnswer tells what became of the pages of an older crawl in a newer one.
type ChangesAnswer struct {
	Older       string          `json:"older" doc:"name of the run of the older crawl"`
	Newer       string          `json:"newer" doc:"name of the run of the newer crawl"`
	Changes     []ChangeCount   `json:"changes" doc:"pages by what became of them"`
	Resemblance []int           `json:"resemblance" doc:"pages that both crawls have, by the resemblance of their texts in tenths; the last number is that of the same text"`
	Folders     []FolderChanges `json:"folders" doc:"those with most changes first, at most 50"`
	AllFolders  int             `json:"all_folders" doc:"number of hosts and first folders"`
	Verdicts    []VerdictCount  `json:"verdicts" doc:"gone pages by what happened to their content"`
	Items       []GonePage      `json:"items" doc:"gone pages: those with a new place first, and the most certain first"`
	Rules       *RedirectRules  `json:"rules,omitempty" doc:"redirect rules, if the question asks for them"`
	Portion
}

// ChangeCount counts the pages of a change.
type ChangeCount struct {
	Change string `json:"change" enum:"same,edited,rewritten,moved,gone,new"`
	Pages  int    `json:"pages"`
}

// FolderChanges counts the pages of a folder.
type FolderChanges struct {
	Folder    string `json:"folder" doc:"host and first folder of the path"`
	Same      int    `json:"same"`
	Edited    int    `json:"edited"`
	Rewritten int    `json:"rewritten"`
	Moved     int    `json:"moved"`
	Gone      int    `json:"gone"`
	New       int    `json:"new"`
}

// VerdictCount counts the gone pages of a verdict.
type VerdictCount struct {
	Verdict string `json:"verdict" enum:"moved,merged into,split into,succeeded by,gone"`
	Pages   int    `json:"pages"`
}

// GonePage is a page that the newer crawl has not, with the verdict on it.
type GonePage struct {
	URL        string   `json:"url"`
	Name       string   `json:"name" doc:"title or, without one, the most common text of the links to it"`
	Verdict    string   `json:"verdict" enum:"moved,merged into,split into,succeeded by,gone"`
	Confidence float64  `json:"confidence" doc:"probability that the verdict is right" least:"0" most:"1"`
	To         []string `json:"new_urls" doc:"where the content is, the most probable place first"`
	Names      []string `json:"new_names"`
	Reasons    []string `json:"reasons" doc:"the evidence for the first place, in words"`
}

// RedirectRules are redirect rules for the gone pages.
type RedirectRules struct {
	Form       string  `json:"form"`
	Confidence float64 `json:"confidence" doc:"least confidence of a verdict with a rule" least:"0" most:"1"`
	Rules      int     `json:"rules" doc:"number"`
	Pages      int     `json:"pages" doc:"that have a rule"`
	Without    int     `json:"without" doc:"gone pages without a rule"`
	Text       string  `json:"text" doc:"in the syntax of the form"`
	Cut        bool    `json:"cut" doc:"whether the text ends early, because there are too many rules"`
}
