#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test.sh BUILD WORK: bundle and run on this machine's own GPU. Exit 77: there is none.
set -eu
HERE=$(dirname "$0")
arch=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -n 1 | tr -d .)
[ -n "$arch" ] || {
	echo "no GPU on this machine; skipped"
	exit 77
}
"$HERE/bundle.sh" "$1" "$2/bundle" "sm_$arch"
"$2/bundle/run.sh" "$2/bundle" "$2/results"
