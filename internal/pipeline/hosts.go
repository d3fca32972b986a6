package pipeline

import (
	"encoding/binary"
	"math"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/tables"
)

// Every page votes for what its host has: the language, which pages of unknown language then have, too, if it is a likely
// one (see anchors.Likely), and the terms at the foot of its pages, which are then not content (see anchors.Foot).

// hostsFile holds what hosts have: the most frequent language, and the terms at the foot of most pages.
const hostsFile = "work/hosts.lsh"

// What a page votes for, besides languages and terms.
const (
	aPage  = 0   // counts pages
	aFoot  = 255 // not voted for: the host has terms at the foot of its pages
	atFoot = 256 // and above: a term
)

// hostVote is a vote of a page: the first half of the hash of its host, and what it votes for, in order of hosts.
func hostVote(host uint64, what uint32) uint64 { return host&^math.MaxUint32 | uint64(what) }

// footVote returns what a vote for a term at the foot is for.
func footVote(t bags.Term) uint32 { return uint32(t) | atFoot }

const hostSize = 8

// A host of fewer pages has no foot. Otherwise it is what this share of its pages has there.
const (
	leastOfFoot = 10
	shareOfFoot = .8
)

// writeHosts writes what hosts have, from the sorted votes of all pages.
func (b readStage) writeHosts(votes eachRecordFunc) error {
	_, err := tables.WriteCaptureSet(b.dir.Temp(hostsFile), func(add func([]byte) error) error {
		var host hostVotes
		var last uint64
		times := 0
		next := func(vote uint64) error {
			host.count(last, times)
			if vote>>32 == last>>32 {
				return nil
			}
			for _, v := range host.won() {
				if err := add(binary.BigEndian.AppendUint64(nil, v)); err != nil {
					return err
				}
			}
			host = hostVotes{}
			return nil
		}
		err := votes(func(rec []byte) error {
			vote := binary.BigEndian.Uint64(rec)
			if vote != last {
				if err := next(vote); err != nil {
					return err
				}
				last, times = vote, 0
			}
			times++
			return nil
		})
		if err != nil {
			return err
		}
		return next(^last)
	})
	return err
}

// hostVotes counts the votes for one host, which come in order.
type hostVotes struct {
	pages    int
	language uint64 // the most frequent vote for one
	speak    int    // pages that vote for it
	foot     []uint64
}

func (h *hostVotes) count(vote uint64, times int) {
	switch what := uint32(vote); {
	case what == aPage:
		h.pages = times
	case what >= atFoot:
		if h.pages >= leastOfFoot && float64(times) >= shareOfFoot*float64(h.pages) {
			h.foot = append(h.foot, vote)
		}
	case times > h.speak:
		h.language, h.speak = vote, times
	}
}

// won returns what the host has, in order.
func (h *hostVotes) won() (out []uint64) {
	if h.speak > 0 {
		out = append(out, h.language)
	}
	if len(h.foot) > 0 {
		out = append(append(out, hostVote(h.foot[0], aFoot)), h.foot...)
	}
	return out
}
