package pipeline

import (
	"encoding/binary"

	"github.com/lshclust/lshclust/internal/tables"
)

// A page whose language is unknown has the language of most other pages of its host, if that is the likely one; see
// anchors.Likely.

// hostsFile holds the votes for the languages of hosts, one for each host.
const hostsFile = "work/hosts.lsh"

// hostVote is the vote of a page for the language of its host: the hash of the host, and the language in the last byte.
func hostVote(host uint64, language uint8) uint64 { return host&^0xFF | uint64(language) }

const hostSize = 8

// writeHosts writes the most frequent vote for each host, from the sorted votes of all pages.
func (b readStage) writeHosts(votes eachRecordFunc) error {
	_, err := tables.WriteCaptureSet(b.dir.Temp(hostsFile), func(add func([]byte) error) error {
		var most, last uint64
		var times, count int
		end := func() error {
			if times == 0 {
				return nil
			}
			return add(binary.BigEndian.AppendUint64(nil, most))
		}
		err := votes(func(rec []byte) error {
			vote := binary.BigEndian.Uint64(rec)
			if vote>>8 != last>>8 {
				if err := end(); err != nil {
					return err
				}
				times = 0
			}
			if count++; vote != last {
				count = 1
			}
			if last = vote; count > times {
				most, times = vote, count
			}
			return nil
		})
		if err != nil {
			return err
		}
		return end()
	})
	return err
}
