package score

// Neighbour is a target near another target.
type Neighbour struct {
	Target     int32
	Similarity float64
}

// Ranking lists the neighbours of each target of a directory, the most similar first. The neighbours are also targets;
// a list holds neither duplicates nor the target itself. A target that is not listed has similarity 0.
type Ranking struct {
	Name  string
	Lists [][]Neighbour // one list for each target
}

// CoLinks lists, for each target, the other targets that some page links to together with it, in ascending order.
type CoLinks [][]int32
