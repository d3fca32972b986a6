#!/usr/bin/env bash
# Measures runs on standalone clusters of this machine beside the local run, and prints tables: wall time, processor time
# of all processes by stage and program, memory, bytes of the shuffle. It fails if the run directories differ,
# apart from times and memory in run.json.
#
#	./spark-bench.sh                                   a generated crawl of 15,000 pages, one and two executors
#	./spark-bench.sh --set preset=paper2000 FILE...    a crawl, with a setting
#	./spark-bench.sh --help
set -euo pipefail
cd "$(dirname "$0")"
. ./spark-env.sh
environment "${PYSPARK:-4.3.0}"
"$python" spark-bench.py "$@"
