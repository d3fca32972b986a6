// Package tune chooses the index of a run by trying keys on a sample of its rows.
package tune
