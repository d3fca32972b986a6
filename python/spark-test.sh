#!/usr/bin/env bash
# Builds the wheel of this platform, installs it beside two versions of Spark, and runs the tests on clusters of this
# machine. It needs Go, Java 17 and Python with `venv` (PYTHON names it, python3 unless told otherwise).
#
#	./spark-test.sh          one test with the newer version, through Spark Connect, the others with the older one
#	./spark-test.sh --all    all tests and inputs with both versions on both kinds of clusters
#	./spark-test.sh ... -k NAME    further arguments are for pytest
set -euo pipefail
cd "$(dirname "$0")"
. ./spark-env.sh
all=0
[[ ${1:-} != --all ]] || { all=1; shift; }

# tests PYSPARK CLUSTER CASES [ARGUMENT...] runs tests with a version of Spark. Cases are pairs of inputs and presets.
tests() {
	environment "$1"
	echo "pyspark $1, $2: $3"
	LSHCLUST_SPARK=$2 LSHCLUST_SPARK_CASES=$3 "$python" -m pytest -p no:cacheprovider tests/spark "${@:4}"
}

cases="docs:web docs:paper2000 versions-llvm:web versions-llvm:paper2000"
[[ -d ../../shared/data ]] || cases="demo:web demo:paper2000" # where the repository has no data beside it
one_executor_each="local-cluster[2,1,1024]"
if ((all)); then
	for version in 3.5.9 4.3.0; do
		for cluster in standalone "$one_executor_each"; do
			tests "$version" "$cluster" "$cases" "$@"
		done
	done
	LSHCLUST_SPARK_API=connect tests 4.3.0 "$one_executor_each" "$cases" -k same "$@"
else
	tests 3.5.9 standalone demo:web -k "not same" "$@" # killed and continued runs must be the same too
	LSHCLUST_SPARK_API=connect tests 4.3.0 "$one_executor_each" "${cases##* }" -k same "$@"
fi
