#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# self-test.sh: each rule of check.sh notices a made-up tree that breaks it, and only that.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
	echo "FAILED: $*" >&2
	exit 1
}

# file PATH [LINE...]: a file with a proper head
file() {
	path=tree/$1
	shift
	mkdir -p "$(dirname "$path")"
	printf '%s\n' '/* SPDX-License-Identifier: Apache-2.0 */' '/* It is for a test. */' "$@" >"$path"
}

# A tree that keeps every rule
sound() {
	rm -rf tree
	file include/cudatrace/record.h
	file base/array.h '#include <stdint.h>'
	file trace/codec/delta.h '#include <cudatrace/record.h>'
	file trace/codec/delta.c '#include "trace/codec/delta.h"' '#include "base/array.h"'
	file trace/read/reader.c '#include "trace/codec/delta.h"'
	file host-rt/drain/ring.h '#include "trace/codec/delta.h"'
	file host-rt/wrap/copy.c '#include "host-rt/drain/ring.h"'
	file postproc/render/base/words.h
	file postproc/render/comm/text.c '#include "postproc/render/base/words.h"'
	file llvm-pass/sites/sites.cpp '#include "llvm/IR/Module.h"'
	file tests/unit/test.c '#include "host-rt/drain/ring.h"' '#include "postproc/render/base/words.h"'
	mkdir -p tree/tests/structure
	cp "$here/layers.txt" "$here/words.txt" tree/tests/structure/
	: >tree/tests/structure/known.txt
}

# breaks EXPECTED: the one line that check.sh prints of the tree
breaks() {
	got=0
	"$here/check.sh" tree >out 2>&1 || got=$?
	[ "$got" = 1 ] || fail "exit status $got instead of 1 where this was expected: $1"
	[ "$(cat out)" = "$1" ] || {
		cat out >&2
		fail "not the one line: $1"
	}
	sound
}

sound
"$here/check.sh" tree || fail "a sound tree is refused"

file trace/read/up.c '#include "host-rt/drain/ring.h"'
breaks 'layer trace/read/up.c: line 3 includes host-rt/drain/ring.h; trace may not include host-rt'
file postproc/cmd/sibling.c '#include "host-rt/drain/ring.h"'
breaks 'layer postproc/cmd/sibling.c: line 3 includes host-rt/drain/ring.h; postproc may not include host-rt'
file base/up.h '#include "trace/codec/delta.h"'
breaks 'layer base/up.h: line 3 includes trace/codec/delta.h; base may not include trace'
file include/cudatrace/up.h '#  include "base/array.h"'
breaks 'layer include/cudatrace/up.h: line 3 includes base/array.h; include may not include base'
file host-rt/wrap/tested.c '#include "tests/unit/test.c"'
breaks 'layer host-rt/wrap/tested.c: line 3 includes tests/unit/test.c; host-rt may not include tests'
file news/new.c
breaks 'layer news: is in no line of tests/structure/layers.txt'

file host-rt/drain/near.c '#include "ring.h"'
breaks 'include host-rt/drain/near.c: line 3: "ring.h" is no path from the root'
file host-rt/drain/angle.c '#include <base/array.h>'
breaks 'include host-rt/drain/angle.c: line 3: ours is quoted, "base/array.h"'
file host-rt/drain/contract.c '#include "cudatrace/record.h"'
breaks 'include host-rt/drain/contract.c: line 3 quotes a contract; it is <cudatrace/record.h>'

file host-rt/wrap/wrap.h
file host-rt/drain/back.c '#include "host-rt/wrap/wrap.h"'
breaks 'circle host-rt/drain -> host-rt/wrap: host-rt/drain/back.c includes host-rt/wrap/wrap.h
circle host-rt/wrap -> host-rt/drain: host-rt/wrap/copy.c includes host-rt/drain/ring.h'
# Three rooms in a ring, below the first folder; who only looks into it is in no circle.
file postproc/render/a/a.h '#include "postproc/render/b/b.h"'
file postproc/render/b/b.h '#include "postproc/render/c/c.h"'
file postproc/render/c/c.h '#include "postproc/render/a/a.h"'
file postproc/render/d/d.h '#include "postproc/render/a/a.h"'
breaks 'circle postproc/render/a -> postproc/render/b: postproc/render/a/a.h includes postproc/render/b/b.h
circle postproc/render/b -> postproc/render/c: postproc/render/b/b.h includes postproc/render/c/c.h
circle postproc/render/c -> postproc/render/a: postproc/render/c/c.h includes postproc/render/a/a.h'
# No circle of folders below, but one of the rooms that hold them
file postproc/facts/values/values.h '#include "postproc/render/base/words.h"'
file postproc/render/comm/html.c '#include "postproc/facts/values/values.h"'
breaks 'circle postproc/facts -> postproc/render: postproc/facts/values/values.h includes postproc/render/base/words.h
circle postproc/render -> postproc/facts: postproc/render/comm/html.c includes postproc/facts/values/values.h'
# What lies flat in a module is a room, too.
file postproc/main.c '#include "postproc/cmdline/parse.h"'
file postproc/command.h
file postproc/cmdline/parse.h '#include "postproc/command.h"'
breaks 'circle postproc -> postproc/cmdline: postproc/main.c includes postproc/cmdline/parse.h
circle postproc/cmdline -> postproc: postproc/cmdline/parse.h includes postproc/command.h'

# Sources that call each other, straight or through a third; comments, strings, types and members are no calls.
file trace/read/a.c 'struct ct_a *ct_a(void)' '{' '	ct_b();' '}'
file trace/read/b.c 'int ct_b(void)' '{' '	static const struct ops ops = {.of = ct_c};' '}'
file trace/read/c.c 'void ct_c(int a,' '	  int b)' '{' '	ct_a();' '}'
file trace/read/d.c 'void ct_d(struct ct_a *a)' '{' '	puts("ct_e"); a->ct_e = ct_a(); /* ct_e' '	ct_e */' '}'
file trace/read/e.c 'void ct_e(void)' '{' '	ct_d();' '}'
breaks 'call trace/read/a.c -> trace/read/b.c: calls ct_b, and is called
call trace/read/b.c -> trace/read/c.c: calls ct_c, and is called
call trace/read/c.c -> trace/read/a.c: calls ct_a, and is called'
file ptx/parser.h
file ptx/inner.h
file llvm-pass/sites/looks.cpp '#include "ptx/inner.h"' '#include "ptx/parser.h"'
breaks 'layer llvm-pass/sites/looks.cpp: line 3 includes ptx/inner.h; ptx shows others ptx/parser.h'

for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29; do
	file "trace/codec/m$i.c"
	file "trace/codec/m$i.h"
done
"$here/check.sh" tree || fail "30 modules of 60 files are refused"
file trace/codec/one-more.h
breaks 'folder trace/codec: holds more than 30 modules'

file trace/codec/nameless.c
sed -i 1d tree/trace/codec/nameless.c
breaks 'head trace/codec/nameless.c: line 1 is no SPDX-License-Identifier: Apache-2.0'
file trace/codec/aimless.c
sed -i 2d tree/trace/codec/aimless.c
breaks 'head trace/codec/aimless.c: no sentence of purpose after line 1'
file trace/codec/banner.c 'int a;' '/* ---- reading */'
breaks 'banner trace/codec/banner.c: line 4: a banner; a sentence says more'
file trace/codec/banner.c '// ====='
breaks 'banner trace/codec/banner.c: line 3: a banner; a sentence says more'
file trace/codec/long.c
i=2
while [ $i -lt 501 ]; do
	echo "int a$i;"
	i=$((i + 1))
done >>tree/trace/codec/long.c
breaks 'length trace/codec/long.c: 501 lines; more than 500: what does it hide?'

file host-rt/drain/paths.h 'struct ct_paths {' '};'
file trace/read/paths.c 'struct ct_paths;' 'struct ct_paths {' '};'
breaks 'name trace/read/paths.c: line 4: struct ct_paths is another one in host-rt/drain/paths.h'

file trace/codec/guard.h '#ifndef CT_GUARD_H' '#define CT_GUARD_H' '#endif'
breaks 'guard trace/codec/guard.h: line 4 defines CT_GUARD_H; it is CT_TRACE_CODEC_GUARD_H'
file trace/codec/guard.h '#ifndef CT_TRACE_CODEC_GUARD_H' '#define CT_TRACE_CODEC_GUARD_H' '#endif'
file include/cudatrace/guard.h '#ifndef CUDATRACE_GUARD_H' '#define CUDATRACE_GUARD_H' '#endif'
"$here/check.sh" tree || fail "guards that have the names of their paths are refused"
sound

# What is known is excused, and must leave the list when it is fixed.
file trace/read/up.c '#include "host-rt/drain/ring.h"'
echo 'layer trace/read/up.c' >tree/tests/structure/known.txt
"$here/check.sh" tree || fail "what is known is not excused"
sound
echo 'layer trace/read/up.c' >tree/tests/structure/known.txt
breaks 'layer trace/read/up.c: is fixed; take it out of tests/structure/known.txt'

# Words: in a name, in a comment, in a document; and those that are allowed.
file trace/read/words.c 'int is_told;' '/* Threads are told apart. */'
breaks 'word told: trace/read/words.c:3:int is_told;
    write: reported, recorded, given'
echo 'Memory is born.' >tree/README.md
breaks 'word born: README.md:1:Memory is born.
    write: allocated, created'
file trace/read/words.c '	/* Of a trace: its length. */' 'int a; /* What it is. */' '/* It is what. Of all. */'
breaks 'word of, what: trace/read/words.c:3:	/* Of a trace: its length. */
    write: a sentence with a subject and a verb
word of, what: trace/read/words.c:4:int a; /* What it is. */
    write: a sentence with a subject and a verb'
file trace/read/words.c 'fputs("a CTA", out); /* A CTA. */'
breaks 'word CTA: trace/read/words.c:3:fputs("a CTA", out); /* A CTA. */
    write: thread block'
file trace/read/words.c 'LIST("long-cta", LONG_CTA) /* A CTA. */'
file tests/golden/old.c '/* What nobody was told. */'
mkdir -p tree/docs/validation tree/bench/results
echo 'It was told.' | tee tree/docs/glossary.md tree/docs/validation/words.md >tree/bench/results/words.md
"$here/check.sh" tree || fail "pages about words, records and old traces are refused"
