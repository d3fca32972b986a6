package moved

// Default is the model fitted to the gold of the eight versions of the Hugo documentation, all 28 pairs of them: 2,306 pages
// that moved. "lshclust eval moved --every --fit" prints it; docs/quality.md has the command and what the model is worth.
var Default = Model{
	-11.84, // constant
	-1.32,  // resemblance
	3.69,   // of_old
	-1.98,  // of_new
	4.03,   // context
	2.91,   // links
	4.37,   // name
	4.92,   // segment
	4.64,   // path
	2.10,   // folder
	4.20,   // fresh
	7.33,   // text_lead
	6.37,   // link_lead
	-4.37,  // name_and_segment
}
