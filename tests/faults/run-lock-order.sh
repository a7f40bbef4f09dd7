#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run-lock-order.sh BIN PROGRAM LIBRARY WORK
# The table "Locks" of docs/architecture.md has every lock of host-rt, unwind and the writer; whoever holds one
# takes only locks of further rows: that is looked at in PROGRAM, traced in several ways, with LIBRARY
# (lock-order.c) preloaded. No thread need wait for another: which lock is taken within which is enough.
set -eu
BIN=$1 PROGRAM=$2 LIBRARY=$3 WORK=$4
HERE=$(cd "$(dirname "$0")/../e2e" && pwd)
ROOT=$(cd "$HERE/../.." && pwd)
. "$HERE/lib.sh"
rm -rf "$WORK"
mkdir -p "$WORK"

# "KEY<tab>LOCK": KEY is "FILE SYMBOL" of what is static, else "SYMBOL": the lock, or, of one that is initialised, any
# function of that file, for the compiler may have put one into another.
# The writer's own order is in trace/write/writer_state.h: its locks count as one.
# shellcheck disable=SC2046
locks_of() {
	(cd "$ROOT" && awk '
		FNR == 1 {
			path = FILENAME
			sub(/^host-rt\//, "", path)
			sub(/^trace\/write\/.*/, "trace/write", path)
			base = FILENAME
			sub(/.*\//, "", base)
		}
		/^\t?(static )?pthread_mutex_t [a-z_]+ = PTHREAD_MUTEX_INITIALIZER/ {
			lock = $0
			sub(/ = .*/, "", lock)
			sub(/.* /, "", lock)
			print (/static/ ? base " " : "") lock "\t" path " " lock
		}
		/^[a-z].*\(/ && !/;$/ {
			name = $0
			sub(/\(.*/, "", name)
			sub(/.*[^a-zA-Z0-9_]/, "", name)
			functions[FILENAME] = functions[FILENAME] "\n" (/^static/ ? base " " : "") name
		}
		/pthread_mutex_init\(&/ {
			lock = $0
			sub(/.*pthread_mutex_init\(&/, "", lock)
			sub(/, NULL.*/, "", lock)
			made[FILENAME] = path (path == "trace/write" ? "" : " " lock)
		}
		END {
			for (file in made) {
				count = split(functions[file], list, "\n")
				for (i = 2; i <= count; i++)
					print list[i] "\t" made[file]
			}
		}' $(find "$@" -name '*.c'))
}

locks_of host-rt unwind trace/write | sort -u >"$WORK/locks"
[ -z "$(cut -f 1 "$WORK/locks" | sort | uniq -d)" ] ||
	fail "two locks have one name: $(cut -f 1 "$WORK/locks" | sort | uniq -d)"
locks_of cpu-target | cut -f 1 | sort -u | comm -12 - "$WORK/locks" >"$WORK/both"
[ ! -s "$WORK/both" ] || fail "the CPU target has locks of the same name: $(cat "$WORK/both")"

# "LEVEL<tab>LOCK" of the table
awk -F '|' '/^## /{ here = /^## Locks/ } here && /^\| [0-9]/ {
	gsub(/ /, "", $2)
	count = split($3, word, "`")
	for (i = 2; i <= count; i += 2)
		print $2 "\t" word[i]
}' "$ROOT/docs/architecture.md" >"$WORK/levels"
{
	cut -f 2 "$WORK/locks" | sort -u
	echo "CUDA"
} | sort >"$WORK/there"
cut -f 2 "$WORK/levels" | sort >"$WORK/drawn"
cmp -s "$WORK/there" "$WORK/drawn" || fail "the table of docs/architecture.md is another one than the code's:
$(diff "$WORK/drawn" "$WORK/there")"

expected=$("$PROGRAM")
for options in "--uses=pages --contents=on" "--tier=counts" "--samples=4096" "--tier=values --ring=1M" \
	"--tier=clock --uses=off" "--tier=blocks --sample-launches=2 --verbose=on"; do
	# shellcheck disable=SC2086
	LOCK_ORDER=$WORK/pairs LD_PRELOAD=$LIBRARY "$BIN/ctrun" -o "$WORK/trace" $options "$PROGRAM" \
		>"$WORK/out" 2>"$WORK/err" || fail "$options: $(cat "$WORK/err")"
	[ "$(cat "$WORK/out")" = "$expected" ] || fail "$options: the program computes something else"
	rm -rf "$WORK/trace"
done

# Names of addresses, in the objects that they are in: "OBJECT ADDRESS HOW<tab>LOCK"
awk '{ print $1, $2, $3; print $4, $5, $6 }' "$WORK/pairs" | sort -u >"$WORK/addresses"
cut -d ' ' -f 1 "$WORK/addresses" | sort -u | while read -r object; do
	[ ! -f "$object" ] || nm -a -p -S -t d "$object" 2>/dev/null | sed "s,^,$object ,"
done >"$WORK/symbols"
awk -v addresses="$WORK/addresses" -v locks="$WORK/locks" '
	FILENAME == addresses { wanted[$1] = wanted[$1] " " $2 ":" $3; next }
	FILENAME == locks { at = index($0, "\t"); lock[substr($0, 1, at - 1)] = substr($0, at + 1); next }
	NF == 4 && $3 == "a" { file = $4; next }
	NF == 5 {
		begin = $2 + 0
		end = begin + $3
		count = split(wanted[$1], want, " ")
		for (i = 1; i <= count; i++) {
			split(want[i], part, ":")
			if (part[1] + 0 < begin || part[1] + 0 >= end || ((part[2] == "made") != ($4 ~ /[tT]/)))
				continue
			symbol = $5
			sub(/\.[0-9]+$/, "", symbol)
			name = (file " " symbol) in lock ? lock[file " " symbol] : symbol in lock ? lock[symbol] : "CUDA"
			print $1 " " part[1] " " part[2] "\t" name
		}
	}' "$WORK/addresses" "$WORK/locks" "$WORK/symbols" >"$WORK/names"

# Locks of no name are of other libraries.
awk -F '\t' -v names="$WORK/names" -v levels="$WORK/levels" '
	FILENAME == names { name[$1] = $2; next }
	FILENAME == levels { level[$2] = $1; next }
	{
		split($0, word, " ")
		held = name[word[1] " " word[2] " " word[3]]
		taken = name[word[4] " " word[5] " " word[6]]
		if (held == "" || taken == "" || held == taken)
			next
		print (level[held] < level[taken] ? "ok" : "wrong") ": " held " (" level[held] "), then " taken " (" level[taken] ")"
	}' "$WORK/names" "$WORK/levels" "$WORK/pairs" | sort -u >"$WORK/order"
! grep '^wrong' "$WORK/order" >&2 || fail "locks are taken in an order that docs/architecture.md does not have"
for pair in "counts/slot.c slot->lock (1), then events/session.c session_lock" \
	"events/session.c session_lock (2), then trace/write" "events/session.c session_lock (2), then CUDA"; do
	grep -qF "ok: $pair" "$WORK/order" || fail "not seen: $pair: $(cat "$WORK/order")"
done
