# SPDX-License-Identifier: Apache-2.0
# ctpost ffm against programs whose problems are marked in their sources (truth.h): each mark is
# found, at its line, of its kind, as often as it says, and nothing else; with host code that tells
# and with protected pages, at -O0 and -O2, in one run with everything on and by the stages of ctrun
# ffm. The output is the same in all.
. "$CT_CLI/shared/driver.sh"
# The programs keep memory on purpose: that it is freed would be a use of it.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
here=$(dirname "$0")
. "$here/marks.sh"
programs="waits exchanges places copies library"

# recorded MEANS PROGRAM: NAME.MEANS.json of a run with everything on
recorded() {
	"$ctrun" --calls=only --uses="$1" --contents=on -o "$2.$1.ctrace" "./$2" >"$2.$1.out" 2>"$2.$1.log" ||
		fail "$2 $1: $(cat "$2.$1.log")"
	diff "$2.plain" "$2.$1.out" >&2 || fail "$2 $1: another output"
	"$CT_BIN/ctpost" ffm --json --far=$far "$2.$1.ctrace" >"$2.$1.json" 2>"$2.$1.log" ||
		fail "$2 $1: $(cat "$2.$1.log")"
}

# studied PROGRAM: by stages
studied() {
	"$ctrun" ffm -o "$1.study" -- "./$1" >"$1.study.out" 2>"$1.study.log" || fail "$1: $(cat "$1.study.log")"
	"$CT_BIN/ctpost" ffm --json --far=$far "$1.study" >"$1.study.json" 2>>"$1.study.log" ||
		fail "$1: $(cat "$1.study.log")"
}

# Libraries that were not compiled by us.
cuda=$(sed -n 's/^CT_CUDA_PATH:[A-Z]*=//p' "$CT_BIN/../CMakeCache.txt")
for library in exchange library; do
	"$cc" -O1 -fPIC -c "$here/$library.c" -I"$cuda/include" -o $library.o 2>log || fail "$library.c: $(cat log)"
	ld -shared $library.o -o lib$library.so || fail "$library.c does not link"
done
means="host pages"
for program in $programs; do
	for level in 0 2; do
		"$cxx" --ct-target=cpu -O$level -g --ct-host "$here/$program.cu" libexchange.so liblibrary.so -Wl,-rpath,"$PWD" -o $program.$level 2>log ||
			fail "$program -O$level: $(cat log)"
		CUDATRACE=off ./$program.$level >$program.$level.plain || fail "$program -O$level does not run"
	done
	# The sanitizer's malloc has other memory on the same pages.
	! nm $program.2 | grep -q __asan_init || means=host
done
# They hardly use the processor.
running=''
for program in $programs; do
	for level in 0 2; do
		for mean in $means; do
			recorded $mean $program.$level &
			running="$running $!"
		done
	done
	studied $program.2 &
	running="$running $!"
done
for one in $running; do
	wait "$one"
done
for program in $programs; do
	for level in 0 2; do
		for mean in $means; do
			[ $program = library ] || as_marked "$here/$program.cu" $program.$level.$mean.json
		done
	done
	[ $program = library ] || as_marked "$here/$program.cu" $program.2.study.json
done
for how in 0.host 2.host ${means#host} 2.study; do
	[ $how = pages ] && how=2.pages
	in_library library.$how.json
done

# Waits for a clock are told apart by what is said of them.
for how in 0.host 2.host ${means#host} 2.study; do
	[ $how = pages ] && how=2.pages
	jq -r '.needless_calls[] | select((.fix // "") | test("only where time is measured")) |
		.line as $line | .related[] | select(.role == "clocked") | "\($line) \(.function)"' exchanges.$how.json | sort -n >found
	for clock in clock_gettime std::chrono::steady_clock::now; do
		grep -q " $clock\$" found || fail "$how: no wait for $clock: $(cat found)"
	done
	[ "$(wc -l <found)" = 2 ] || fail "$how: waits for clocks: $(cat found)"
done

# A wait between two streams is judged by whether their works use the same memory; one that waits
# in some calls alone, by all of them. What is not known is said with its reason.
for how in 0.host 2.host ${means#host} 2.study; do
	[ $how = pages ] && how=2.pages
	for line in between_two_streams half_of_them_wait; do
		sed -n "/^CASE $line/,/^}/=" "$here/waits.cu"
	done >lines
	jq -r '.needless_calls[] | "\(.line) \(.fix)"' waits.$how.json | grep -wFf lines | sort -n |
		sed 's/^[0-9]* //; s/ at .*: it waits/: it waits/; s/ at waits.*//' >found
	diff - found >&2 <<-X || fail "$how: another fix"
	Delete cudaDeviceSynchronize: it waits for cudaLaunchKernel
	Replace cudaStreamSynchronize: it waits for cudaLaunchKernel
	Delete cudaStreamSynchronize: it waits for cudaLaunchKernel
	X
	jq -r '.unknown_waits[] | "\(.calls) \(.reason | sub(" [(].*"; ""))"' waits.$how.json | sort | uniq >found
	diff - found >&2 <<-X || fail "$how: other waits are unknown"
	1 a function of the host runs before it
	1 its kernel may end with an error
	1 its kernel may print
	1 other processes, or a file, share its memory
	1 the program asks for errors behind it
	X
	jq -e '[.unknown_waits[] | .waited_seconds > 0 and .how != null] | all' waits.$how.json >log || fail "$how: neither time nor what to do: $(cat log)"
done
