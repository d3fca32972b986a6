#!/usr/bin/env bash
# lshclust: exact resemblances of all pairs that share a sampled shingle of 5 words.
# Usage: run_lshclust.sh BINARY CORPUS OUT [FLAG...]
set -euo pipefail
lshclust=$1 corpus=$2 out=$3
shift 3
"$lshclust" cluster --quiet --views syntactic --set shingle=5 --resemblance 0.7 --set strip=none --set index=false "$@" -o "$out/run" "$corpus"

# A page that equals an earlier one is paired with that one alone, and so has the pairs of that one too.
"$lshclust" export "$out/run" syntactic_pairs --format tsv --no-header |
	awk -F'\t' -v OFS='\t' '
		$3 < 0.7 { next }
		$6 == "similar" || $6 == "contained" { pair[++n] = $1 OFS $2; next }
		{ # equal
			print $1, $2
			if (!($1 in equal)) equal[$1] = $1
			m = split(equal[$1], also, OFS)
			for (i = 2; i <= m; i++) print also[i], $2
			equal[$1] = equal[$1] OFS $2
		}
		END {
			for (i = 1; i <= n; i++) {
				split(pair[i], ends, OFS)
				na = split(ends[1] in equal ? equal[ends[1]] : ends[1], a, OFS)
				nb = split(ends[2] in equal ? equal[ends[2]] : ends[2], b, OFS)
				for (j = 1; j <= na; j++) for (k = 1; k <= nb; k++) print a[j], b[k]
			}
		}' > "$out/pairs.tsv"
"$lshclust" export "$out/run" syntactic_clusters --format tsv --no-header | cut -f 1,2 > "$out/clusters.tsv"
