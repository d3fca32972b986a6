package moved

// Default is the model fitted to the gold of the eight versions of the Hugo documentation, all 28 pairs of them: 2,306
// pages that moved. Package moved at commit 21519726 has the fit, by Newton's method; docs/quality.md says how good the
// model is.
var Default = Model{
	-11.82, // constant
	-1.32,  // resemblance
	3.68,   // old_in_new
	-1.97,  // new_in_old
	4.02,   // context
	2.93,   // links
	4.38,   // name
	4.93,   // segment
	4.63,   // path
	2.09,   // folder
	4.20,   // fresh
	7.37,   // text_lead
	6.18,   // link_lead
	-4.38,  // name_and_segment
}
