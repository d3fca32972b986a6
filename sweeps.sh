#!/usr/bin/env bash
# Compares runs that come after others with runs from nothing. For each of five random splits of the pages of a crawl in
# JSON Lines into three sweeps, each with half of all pages, it makes a chain of three runs, and a run from nothing over
# the last sweep, compares all tables of that run with those of the last one of the chain, and prints a row of a table:
# pages, how many of them come from the earlier runs, tables that are the same, processor time (user and system) and
# wall time of both runs in seconds, and processor time of their stage read. It stops at a table that differs.
#
#	sweeps.sh LSHCLUST PAGES.jsonl.gz [FLAG OF CLUSTER]...
set -euo pipefail
lshclust=$(realpath "$1") pages=$(realpath "$2")
shift 2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"

# timed RUN ARGUMENT... makes a run, and prints its processor and wall time.
timed() {
	local out=$1
	shift
	TIMEFORMAT='%U %S %R'
	{ time "$lshclust" cluster -q --plan=false -o "$out" "$@" >"$out.log" 2>&1 || tail -n 5 "$out.log" >&3; } 3>&2 2>&1 | awk '{ printf "%.1f | %.1f", $1 + $2, $3 }'
}

# read_cpu RUN prints the processor time of the stage read.
read_cpu() { "$lshclust" info "$1" | awk '$1 == "read" && !n++ { print $5 }'; }

echo "| split | pages | from earlier runs | same tables | after: cpu s | wall s | read, cpu s | from nothing: cpu s | wall s | read, cpu s |"
echo "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
for split in 1 2 3 4 5; do
	for i in 1 2 3; do
		gzip -dc "$pages" | awk -v seed="$((10 * split + i))" 'BEGIN { srand(seed) } rand() < 0.5' >"$i.jsonl"
	done
	timed run1 --sweep "$@" 1.jsonl >/dev/null
	timed run2 --after run1 "$@" 2.jsonl >/dev/null
	after=$(timed run3 --after run2 "$@" 3.jsonl)
	nothing=$(timed whole "$@" 3.jsonl)
	same=0
	for table in whole/*; do
		case $table in *.json) continue ;; esac
		cmp "$table" "run3/${table#whole/}"
		same=$((same + 1))
	done
	known=$("$lshclust" info run3 | awk '/pages from earlier run/ && !n++ { print $NF }')
	echo "| $split | $(wc -l <3.jsonl) | $known | $same | $after | $(read_cpu run3) | $nothing | $(read_cpu whole) |"
	rm -rf run1 run2 run3 whole
done
