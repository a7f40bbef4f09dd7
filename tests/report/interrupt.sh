# SPDX-License-Identifier: Apache-2.0
# A report that is interrupted leaves nothing behind.
. "$CT_CLI/shared/comm.sh"
. "$CT_CLI/shared/interrupt.sh"
make_comm halo
for signal in INT TERM HUP; do
	interrupted $signal a.html "$CT_BIN/ctpost" report halo.ctrace -o a.html
	[ -z "$(find . -name 'a.html*')" ] || fail "SIG$signal leaves $(ls)"
done
