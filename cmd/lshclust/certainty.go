package main

import "fmt"

// duplicateProbability puts into words how certain the list of duplicates of a page is, in a run with this threshold.
func duplicateProbability(p, threshold float64) string {
	if p == 0 {
		return "it may not have been compared with any other page: it is too short, its shingles are in too many pages (max_common), or the index does not tell in how many they are (index_modulus); pages that equal it are listed"
	}
	return fmt.Sprintf("a page with a resemblance of %g is found with a probability of at least %.3f, if the shingles that the two share are like a random choice", threshold, p)
}
