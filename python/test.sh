#!/usr/bin/env bash
# Builds the wheel of this platform, installs it in a fresh virtual environment, and runs the tests there. It needs Go
# and Python with `venv` (PYTHON names it, python3 unless told otherwise). Arguments are for pytest.
set -euo pipefail
cd "$(dirname "$0")"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"${PYTHON:-python3}" -m venv "$scratch/env"
python=$scratch/env/bin/python
install() { "$python" -m pip install --quiet --no-compile --disable-pip-version-check "$@"; }
install hatchling==1.33.0
BUILDFLAGS="" PYTHON=$python ./build.sh "$scratch/wheels" host # as test.sh at the top builds, which saves time
install -r tests/requirements.txt
install --no-deps "$scratch"/wheels/*.whl
"$python" -m pytest -p no:cacheprovider "$@"
