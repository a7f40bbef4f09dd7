# SPDX-License-Identifier: Apache-2.0
# ctrun runs a program: exit status, signals, totals, and clear words when there is no trace.
. "$CT_CLI/shared/driver.sh"
kernel_source k.cu
"$cxx" --ct-target=cpu -O1 k.cu -o k

status 0 "$ctrun" -o run.ctrace -- ./k
has out 42
one_line err
grep -Eq '^\[ctrun\] traced 1 launch \(1 kernel\), [0-9.]+ k?B: .*/run\.ctrace$' err || fail "summary: $(cat err)"
"$CT_BIN/ctpost" info run.ctrace >/dev/null || fail "ctpost cannot read the trace"

# Into an earlier trace again; into missing parents; by the default name.
status 0 "$ctrun" -o run.ctrace ./k
status 0 "$ctrun" -o a/b/run.ctrace ./k
[ -e a/b/run.ctrace/manifest-0.json ] || fail "no trace in new directories"
mkdir default
(cd default && status 0 "$ctrun" ../k && mv err ../err)
has err 'traced 1 launch (1 kernel)'
[ -e default/k.*.ctrace/manifest-0.json ] || fail "no trace by the default name"
status 0 "$ctrun" --kernels=nothing -o none.ctrace ./k
has err 'traced 0 of 1 launch'
has err '1 not traced: kernel not selected (--kernels)'
has err "the program's kernels: twice"

# No trace: said, and nothing left; an earlier trace is not taken for this run's.
status 0 "$ctrun" -o empty.ctrace true
has err 'true was not built with cuda-trace-clang, or launched no kernel'
[ ! -e empty.ctrace ] || fail "an empty directory was left"
status 0 "$ctrun" -o run.ctrace true
has err 'no trace'

# A trace stays if nothing can be traced.
status 0 "$ctrun" -o run.ctrace ./k
status 127 "$ctrun" -o run.ctrace ./kk
status 127 "$ctrun" -o run.ctrace not-in-path
status 0 "$ctrun" -o run.ctrace --trace=off ./k
mkdir directory
status 126 "$ctrun" -o run.ctrace ./directory
printf '#!/not/there\n' >script
chmod +x script
status 127 "$ctrun" -o run.ctrace ./script
"$CT_BIN/ctpost" info run.ctrace >/dev/null || fail "the trace of an earlier run is gone"

# Why there is none: not what is likeliest, but what is so.
status 0 "$ctrun" --seed=18446744073709551615 -o seed.ctrace ./k
has err 'traced 1 launch (1 kernel)'
status 0 "$ctrun" -o gone.ctrace sh -c 'rmdir gone.ctrace'
has err 'gone.ctrace was removed while sh ran'
printf '#include <cstdio>\nint main() { puts("none"); }\n' >none.cu
"$cxx" --ct-target=cpu -O1 none.cu -o none
status 0 "$ctrun" -o none.ctrace ./none
has err './none made no call of CUDA that is recorded'
# Built for GPUs, and no driver: only so much of it is looked at.
{ cat none && printf libcuda.so.1; } >gpu
chmod +x gpu
if ! ldconfig -p | grep -q 'libcuda\.so\.1'; then
	status 0 "$ctrun" -o none.ctrace ./gpu
	has err './gpu was built for the GPU, and there is no driver here: rebuild with --ct-target=cpu'
fi
chmod 2755 none
status 0 "$ctrun" -o rights.ctrace ./none
has err './none runs with the rights of others'

# Two runs into one directory: the second is refused, and the first loses nothing.
"$ctrun" -o both.ctrace sh -c ': >holds; until [ -e goes ]; do sleep 0.1; done; ./k' >first 2>&1 &
pid=$!
until [ -e holds ]; do
	kill -0 $pid 2>/dev/null || fail "it ended before it was ready"
	sleep 0.02
done
status 1 "$ctrun" -o both.ctrace ./k
has err 'both.ctrace: another ctrun is tracing into it'
: >goes
wait $pid || fail "the first run failed"
has first 'traced 1 launch (1 kernel)'

# Exit status, and signals both ways.
status 3 "$ctrun" sh -c 'exit 3'
status 137 "$ctrun" sh -c 'kill -KILL $$'
status 127 "$ctrun" profle -o study -- ./k
has err 'profle: No such file or directory; did you mean ctrun profile?'
status 127 "$ctrun" -o d.ctrace ./not-there
has err 'ctrun: error: ./not-there: No such file or directory'
[ ! -e d.ctrace ] || fail "a directory for a program that is not there"
status 126 "$ctrun" ./k.cu
has err './k.cu: Permission denied'
"$ctrun" sh -c 'trap "echo caught >caught; exit 5" TERM; : >ready; while :; do sleep 0.1; done' 2>err &
pid=$!
until [ -e ready ]; do
	kill -0 $pid 2>/dev/null || fail "it ended before it was ready"
	sleep 0.02
done
kill -TERM $pid
got=0
wait $pid || got=$?
[ $got = 5 ] || fail "exit status $got after a signal that the program handles"
has caught caught

# Found out before the program starts.
mkdir full
echo x >full/thesis.tex
status 1 "$ctrun" -o full sh -c ': >started'
one_line err
has err 'full holds other files (thesis.tex); choose another directory with -o'
status 1 "$ctrun" -o k.cu/t sh -c ': >started'
has err 'k.cu/t: Not a directory'
status 1 "$ctrun" -o /proc/t sh -c ': >started'
[ ! -e started ] || fail "the program was started"
