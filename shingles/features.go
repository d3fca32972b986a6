package shingles

import (
	"math"

	"github.com/zeebo/xxh3"
)

// The same techniques work for anything that has a set of features ([S1]). A feature is a string or a number; the
// string "1" and the number 1 are different features.

// These seeds keep strings apart from numbers.
const (
	stringFeature = 0x66656174737472
	numberFeature = 0x666561746e756d
)

// Feature returns the value of a feature given as a string.
func (s *Shingler) Feature(f string) uint64 {
	return s.mixer.Mix(xxh3.HashStringSeed(f, stringFeature^s.config.seed()))
}

// FeatureNumber returns the value of a feature given as a number. Zeros of both signs are one feature, and so are all
// NaNs. As in JSON, 1 and 1.0 are equal.
func (s *Shingler) FeatureNumber(f float64) uint64 {
	switch {
	case f == 0:
		f = 0
	case math.IsNaN(f):
		f = math.NaN()
	}
	state := math.Float64bits(f) ^ numberFeature ^ s.config.seed()
	return s.mixer.Mix(nextRandom(&state))
}

// AddFeature adds a feature to the document that Begin started. Repeated features are treated like repeated shingles:
// they count once under option B, and each by its label under option A.
func (s *Shingler) AddFeature(f string) { s.addFeature(s.Feature(f)) }

// AddFeatureNumber adds a feature given as a number.
func (s *Shingler) AddFeatureNumber(f float64) { s.addFeature(s.FeatureNumber(f)) }

func (s *Shingler) addFeature(value uint64) {
	if s.sink != nil {
		s.giveValues(append(s.values[:0], value))
	}
}

// FromFeatures feeds the features of a whole document to sink and returns their number.
func (s *Shingler) FromFeatures(sink Sink, features ...string) (n int) {
	s.Begin(sink)
	for _, f := range features {
		s.AddFeature(f)
	}
	return s.End()
}
