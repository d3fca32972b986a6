#!/usr/bin/env bash
# Fits the coefficients of package plan, or measures how good plans are.
#
#	./plans.sh fit     builds the runs of the first list and writes plan/table.go from their manifests
#	./plans.sh test    plans and builds the runs of the second list, one after the other, and prints the table of
#	                   docs/performance.md; it plans before and after each run, because the speed of a shared machine changes
#
# No input is in both lists. Both need Go, jq, the shared test data, and 3 GB at a time.
#
#	LSHCLUST_DATA  folder of the shared test data; without it, ../shared/data
#	PLANS          folder of the inputs and the manifests, run-plans by default; remove it to measure anew
#	ONLY           a regular expression: the names of the inputs to use
#	SIZE           the size of the generated inputs in percent of the usual one; 5 tests this script, not plans
set -euo pipefail
cd "$(dirname "$0")"
data=$(realpath "${LSHCLUST_DATA:-../shared/data}")
mkdir -p "${PLANS:-run-plans}/in" "${PLANS:-run-plans}/out"
plans=$(realpath "${PLANS:-run-plans}")
tool=$plans/lshclust

# made NAME COMMAND... makes an input unless it is there.
made() {
	local name=$1
	shift
	[[ -f $plans/in/$name ]] || { "$@" >"$plans/in/$name.tmp" && mv "$plans/in/$name.tmp" "$plans/in/$name"; }
}
world() { local pages=$1; shift; "$tool" workload --pages $((pages * ${SIZE:-100} / 100)) "$@"; }
packed() { world "$@" | gzip -1; }
every() { zcat "$2" | awk -v n="$1" 'NR % n == 1'; }

# ran NAME [FLAG...] INPUT... builds a run and keeps its manifest.
ran() {
	local name=$1
	shift
	[[ ! $name =~ ${ONLY:-.} || -f $plans/out/$name.json ]] && return
	echo "building $name" >&2
	rm -rf "$plans/run"
	(cd "$plans/in" && "$tool" cluster -q --plan=false -o "$plans/run" "$@")
	cp "$plans/run/run.json" "$plans/out/$name.json"
	rm -rf "$plans/run"
}

# planned WHEN NAME [FLAG...] INPUT... keeps a plan.
planned() {
	local file=$plans/out/$2.$1
	[[ ! $2 =~ ${ONLY:-.} || -f $file ]] && return
	shift 2
	(cd "$plans/in" && "$tool" plan --format json "$@") >"$file.tmp" || (($? == 4))
	mv "$file.tmp" "$file"
}

tested() {
	local name=${1// /-}
	shift
	planned before "$name" "$@"
	ran "$name" "$@"
	planned after "$name" "$@"
	[[ -f $plans/out/$name.json ]] || return 0
	jq -rs --arg name "${name//-/ }" '
		def two: . * 100 | round / 100;
		(.[0] | {cpu: ([.stages[].cpu_seconds] | add), memory: ([.stages[].peak_anon_bytes] | max), disk: ([.stages[].peak_disk_bytes] | max), documents: .counts.documents, pairs: (if (.counts.topical_pairs // 0) > 0 then .counts.topical_pairs else .counts.syntactic_pairs end)}) as $was
		| ((.[1].cpu_seconds + .[2].cpu_seconds) / 2) as $cpu
		| [$name, (.[1].sampled_share * 100 | two), ($was.cpu * 10 | round / 10), ($cpu * 10 | round / 10), ($cpu / $was.cpu | two),
		   ($was.memory / 1048576 | round), (.[1].peak_anon_bytes / $was.memory | two),
		   ($was.disk / 1048576 | round), (.[1].peak_disk_bytes / $was.disk | two), (.[1].documents / ([$was.documents, 1] | max) | two),
		   ((if .[1].topical_pairs > 0 then .[1].topical_pairs else .[1].syntactic_pairs end) / ([$was.pairs, 1] | max) | two)]
		| "| " + (map(tostring) | join(" | ")) + " |"' "$plans/out/$name".{json,before,after}
}

fit() {
	made p1k.jsonl world 1000 --seed 11
	made p5k.jsonl world 5000 --seed 11
	made p20k.jsonl world 20000 --seed 11
	made l1k.tsv world 1000 --as links --seed 11
	made l4k.tsv world 4000 --as links --seed 11
	made l16k.tsv world 16000 --as links --seed 11
	made w3k.warc.gz packed 3000 --as warc --seed 12
	made c8k.warc.gz packed 8000 --as warc --seed 13 --closed
	made d16.jsonl every 16 "$data/directory/pages.jsonl.gz"
	made d4.jsonl every 4 "$data/directory/pages.jsonl.gz"
	made m3.jsonl every 3 "$data/docs/pages.jsonl.gz"
	made r4.jsonl every 4 "$data/neardup-rfc/docs.jsonl.gz"
	local f
	for f in p1k.jsonl p5k.jsonl p20k.jsonl l1k.tsv l4k.tsv l16k.tsv w3k.warc.gz c8k.warc.gz d16.jsonl d4.jsonl m3.jsonl; do
		ran "fit-web-$f" "$f"
	done
	for f in p5k.jsonl p20k.jsonl l4k.tsv l16k.tsv d16.jsonl; do
		ran "fit-paper2000-$f" --preset paper2000 "$f"
	done
	made p30k.jsonl world 30000 --seed 25
	ran fit-syntactic-p5k --views syntactic p5k.jsonl
	ran fit-syntactic-p30k --views syntactic p30k.jsonl
	ran fit-syntactic-r4 --views syntactic --shingle 5 r4.jsonl
	go run ./internal/calibrate "$plans"/out/fit-*.json >"$plans/table.go"
	gofmt "$plans/table.go" >plan/table.go
}

test_() {
	made p12k.jsonl world 12000 --seed 21
	made w10k.warc.gz packed 10000 --seed 22 --as warc
	made l8k.tsv world 8000 --seed 23 --as links
	made l30k.tsv world 30000 --seed 24 --as links
	made c25k.warc.gz packed 25000 --seed 26 --as warc --closed
	made hugo.jsonl.gz cat "$data"/versions-hugo/pages-202*.jsonl.gz
	echo "| input | sampled % | cpu s | planned | ratio | peak MiB | ratio | disk MiB | ratio | documents, ratio | pairs, ratio |"
	echo "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
	tested "manuals" "$data/docs/pages.jsonl.gz"
	tested "RFCs, syntactic" --views syntactic --shingle 5 "$data/neardup-rfc/docs.jsonl.gz"
	tested "versions of a site" hugo.jsonl.gz
	tested "two releases, syntactic" --views syntactic "$data"/versions-llvm/pages-1{6,9}.jsonl.gz
	tested "12,000 pages" p12k.jsonl
	tested "links of 8,000 pages" l8k.tsv
	tested "links of 30,000 pages, paper2000" --preset paper2000 l30k.tsv
	tested "WARC of 10,000 pages, paper2000" --preset paper2000 w10k.warc.gz
	tested "closed crawl of 25,000 pages" c25k.warc.gz
	tested "directory set" "$data/directory/pages.jsonl.gz"
}

go build -o "$tool" ./cmd/lshclust
case ${1:-} in
fit) fit ;;
test) test_ ;;
*) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0"; exit 2 ;;
esac
