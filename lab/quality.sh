#!/usr/bin/env bash
# Measures the related pages of the topical view anew and prints the tables of lab/quality.md as Markdown.
#
#	lab/quality.sh [FLAG...]
#
# It builds a run of the directory set and of the manuals for each of five seeds, with the given flags of lshclust cluster,
# and compares them with all golds. It needs Go, the shared test data, and 3 GB for the runs, of which it makes those that
# are not there yet. A run of the directory set takes two minutes on two cores, the whole takes about twenty.
#
#	LSHCLUST_DATA  folder with directory/pages.jsonl.gz, directory/gold*.tsv, docs/pages.jsonl.gz, docs/gold.tsv;
#	               without it, ../shared/data
#	RUNS           folder of the runs, run-quality by default; remove it after a change of the settings
#	SEEDS          seeds, "1 2 3 4 5" by default; one seed gives the figures of a single run
#	EVAL           more flags of lab evaluate, such as "-half dev"
set -euo pipefail
cd "$(dirname "$0")/.."
data=${LSHCLUST_DATA:-../shared/data}
runs=${RUNS:-run-quality}
seeds=${SEEDS:-1 2 3 4 5}
for need in directory/pages.jsonl.gz directory/gold.tsv docs/pages.jsonl.gz docs/gold.tsv; do
	[[ -f $data/$need ]] || { echo "missing: $data/$need; set LSHCLUST_DATA to the folder of the shared test data" >&2; exit 1; }
done
mkdir -p "$runs"
go build -o "$runs/lshclust" ./cmd/lshclust
tools=$(cd "$runs" && pwd)
(cd lab && go build -o "$tools/lab" .)

# made SET FOLDER [FLAG...] builds the runs of a set of pages that are not there yet, and lists all of them in $made.
made() {
	local set=$1 folder=$2 seed
	shift 2
	made=()
	for seed in $seeds; do
		made+=("$runs/$set-$seed")
		[[ -f $runs/$set-$seed/run.json ]] && continue
		echo "building $runs/$set-$seed" >&2
		"$runs/lshclust" cluster -q --views topical --set seed="$seed" "$@" -o "$runs/$set-$seed" "$data/$folder/pages.jsonl.gz"
	done
}

# measured FOLDER prints rows for the golds of a folder, as tab-separated values.
measured() {
	local gold run golds=()
	for gold in "$data/$1"/gold.tsv "$data/$1"/gold-*.tsv; do
		[[ ! -f $gold ]] || golds+=(-gold "$gold")
	done
	# shellcheck disable=SC2086 # EVAL holds several flags
	for run in "${made[@]}"; do
		"$runs/lab" evaluate "${golds[@]}" ${EVAL:-} "$run"
	done
}

made directory directory "$@"
measured directory >"$runs/directory.tsv"
made manuals docs "$@"
measured docs | sed 's/^gold\.tsv\t/manuals\t/' >"$runs/manuals.tsv"
awk -F '\t' -v seeds="$seeds" -f lab/quality.awk "$runs/directory.tsv" "$runs/manuals.tsv"
