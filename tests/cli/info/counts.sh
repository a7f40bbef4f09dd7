# SPDX-License-Identifier: Apache-2.0
# Tier counts: what info shows of it, and what the others say instead.
. "$CT_CLI/shared/ctpost.sh"
make_trace counts
make_trace counts-mixed

ctpost info counts.ctrace | without_sizes >out
golden counts-info out
ctpost info --launch=2 counts.ctrace | without_sizes >out
golden counts-launch out
ctpost info --json counts.ctrace | jq -c '.counted_sites[], .counted_objects[]' >out
golden counts-json out
for command in comm 'report -o page.html'; do
	status 1 ctpost $command counts.ctrace
	one_line "counts.ctrace: tier counts has no addresses, so nothing is known of communication; see ctpost info, and ctpost export --tables=trace; trace again with ctrun --tier=full"
done
[ ! -e page.html ] || fail "report leaves a page without figures"
status 0 ctpost dump counts.ctrace
one_line "3 launches are of tier counts, which has no addresses"
# With others beside them, there is something to show.
status 0 ctpost comm counts-mixed.ctrace
one_line "3 launches are of tier counts, which has no addresses"
