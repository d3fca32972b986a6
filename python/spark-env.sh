# Sourced by spark-test.sh and spark-bench.sh: virtual environments with Spark and the wheel of this platform.
# It needs Go, Java 17 and Python with `venv` (PYTHON names it, python3 unless told otherwise).
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# environment PYSPARK makes the environment with a version of Spark, unless it is there, and sets python to its Python.
environment() {
	local env=$scratch/$1
	python=$env/bin/python
	[[ ! -d $env ]] || return 0
	"${PYTHON:-python3}" -m venv "$env"
	install() { "$python" -m pip install --quiet --no-compile --disable-pip-version-check "$@"; }
	local spark=pyspark==$1
	[[ $1 != 4.* ]] || spark="pyspark[connect]==$1" # the package of 3.5 does not hold the server
	install "$spark" pyarrow==26.0.1 pandas==3.1.1 tqdm==4.70.1 pytest==9.2.0 hatchling==1.33.0
	[[ -d $scratch/wheels ]] || BUILDFLAGS="" PYTHON=$python ./build.sh "$scratch/wheels" host
	install --no-deps "$scratch"/wheels/*.whl
}
