package contest

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
)

// Signer is a program that signs the tokens of documents and prints the number of tokens and the seconds of processor
// time that signing took, without reading and cutting the texts.
type Signer struct {
	Name     string
	Settings string
	Command  []string
}

// Rate is how fast a signer was: the median of its rounds, in million tokens per second of processor time.
type Rate struct {
	Name     string    `json:"name"`
	Settings string    `json:"settings"`
	Median   float64   `json:"million_tokens_per_cpu_second"`
	Rounds   []float64 `json:"rounds"`
}

// Signatures lets the signers run in turn, rounds times.
func Signatures(ctx context.Context, signers []Signer, rounds int) ([]Rate, error) {
	rates := make([]Rate, len(signers))
	for i, s := range signers {
		rates[i].Name, rates[i].Settings = s.Name, s.Settings
	}
	for range rounds {
		for i, s := range signers {
			cmd := exec.CommandContext(ctx, s.Command[0], s.Command[1:]...)
			cmd.Stderr = os.Stderr
			printed, err := cmd.Output()
			if err != nil {
				return nil, fmt.Errorf("%s: %w", s.Name, err)
			}
			var tokens, seconds float64
			if _, err := fmt.Sscan(string(printed), &tokens, &seconds); err != nil || seconds <= 0 {
				return nil, fmt.Errorf("%s: %q are not tokens and seconds: %w", s.Name, printed, err)
			}
			rates[i].Rounds = append(rates[i].Rounds, tokens/seconds/1e6)
		}
	}
	for i := range rates {
		rates[i].Median = median(rates[i].Rounds, func(r float64) float64 { return r })
	}
	return rates, nil
}

// SignatureTable writes rates as a table in Markdown.
func SignatureTable(w io.Writer, rates []Rate) {
	fmt.Fprintln(w, "| | M tokens per CPU second | rounds |")
	fmt.Fprintln(w, "| --- | --- | --- |")
	for _, r := range rates {
		fmt.Fprintf(w, "| %s: %s | %.1f | %.1f |\n", r.Name, r.Settings, r.Median, r.Rounds)
	}
}
