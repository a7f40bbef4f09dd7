# SPDX-License-Identifier: Apache-2.0
# dump: every format by warp and by thread, and each filter.
. "$CT_CLI/shared/ctpost.sh"
make_trace base

for format in text csv jsonl; do
	ctpost dump --format=$format base.ctrace >out
	golden $format out
	ctpost dump --format=$format --threads --launch 4 --cta 1,1 base.ctrace >out
	golden threads-$format out
done

# count FILTER... EXPECTED
count() {
	want=$1
	shift
	ctpost dump "$@" base.ctrace >out
	[ "$(wc -l <out)" = "$want" ] || fail "$(wc -l <out) lines instead of $want: $*"
}
count 28
count 16 --launch=1-2
count 12 --kernel='^count<'
count 16 --kernel=_Z6expand
count 8 --site=0
count 8 --site=bfs.cu:34
count 8 --site=src/bfs.cu:34
count 0 --site=fs.cu:34
count 4 --site=bfs.cu:54
count 4 --site=bfs.cu:52
count 4 --site=functions.h:547
count 3 --launch=4 --cta=3
count 3 --launch=4 --cta=1,1
count 0 --launch=1 --cta=1,1
count 0 --launch=1 --cta=2,0
count 8 --warp=1 --launch=1-2
count 5 --limit=5
count 0 --limit=0
count 7 --threads --limit=7
count 384 --threads --launch=1-2
