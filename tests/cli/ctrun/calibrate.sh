# SPDX-License-Identifier: Apache-2.0
# ctrun calibrate on the CPU target: which calls wait, and for which streams, as docs/ffm.md says of it;
# ctrun ffm takes what is known along, and ctpost goes by it.
. "$CT_CLI/shared/driver.sh"
XDG_CACHE_HOME=$PWD/cache
export XDG_CACHE_HOME

status 0 "$ctrun" calibrate --target=cpu --busy=40
known=$XDG_CACHE_HOME/cuda-trace/calibration-cpu.json
has err "what waits on this CPU target: $known"
jq -r '.waits[] | "\(.call)|\(.variant)|\(.legacy)|\(.blocking)|\(.non_blocking)|\(.own)"' "$known" >waits
grep -v '^#' "$CT_CLI/ctrun/calibrate-cpu.txt" | diff - waits >&2 || fail "other calls wait"
[ "$(jq -r .schema "$known")" = cudatrace-calibration-1 ] || fail "another schema"
[ "$(ls "$XDG_CACHE_HOME/cuda-trace")" = calibration-cpu.json ] || fail "something else is left"

# evidence STUDY: of the problem at cudaFree
evidence() {
	"$CT_BIN/ctpost" ffm --json "$1" 2>log | jq -r '.needless_calls[] | select(.function == "cudaFree") | .evidence'
}
"$cxx" --ct-target=cpu -O1 -g "$CT_CLI/ctrun/ffm.cu" -o app 2>log || fail "$(cat log)"
status 0 "$ctrun" ffm -o study ./app
has err 'which calls wait on this driver'
cmp study/driver.json "$known" || fail "the study has something else"
[ "$(evidence study)" = calibrated ] || fail "cudaFree: $(evidence study)"
rm study/driver.json
[ "$(evidence study)" = documented ] || fail "cudaFree without a calibration: $(evidence study)"
# Answers of the driver come before what is documented.
jq '(.waits[] | select(.call == "cudaFree") | .legacy, .blocking, .non_blocking) = false' "$known" >study/driver.json
[ "$(evidence study)" != documented ] || fail "cudaFree waits though it was seen not to"

# Mistakes.
status 1 "$ctrun" calibrate --target=cpu --busy=1 -o /proc/x/calibration.json
has err 'ctrun: error: /proc/x/calibration.json'
status 2 "$ctrun" calibrate --busy=0
has err '--busy=0: expected 1..10000'
status 2 "$ctrun" calibrate ./app
has err 'ctrun calibrate runs no program: ./app'
env -u HOME -u XDG_CACHE_HOME "$ctrun" calibrate --target=cpu --busy=1 2>err && fail "without a directory"
has err 'name a file with -o'
if ! [ -e /dev/nvidiactl ]; then
	status 1 "$ctrun" calibrate --target=gpu
	has err 'there is no device'
fi
