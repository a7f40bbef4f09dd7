# SPDX-License-Identifier: Apache-2.0
# Every command has help, a man page that names each of its options, a row and a section in
# docs/ctpost.md.
. "$CT_CLI/shared/ctpost.sh"

ctpost --generate=man >ctpost.1
ctpost --help >help
sed -n 's/^  \([a-z]*\)  .*/\1/p' help >commands
[ "$(wc -l <commands)" -ge 8 ] || fail "--help lists no commands"
for command in $(cat commands); do
	ctpost --generate=man:$command >ctpost-$command.1
	ctpost $command --help >$command.help
	sed -n 's/^  \(-., \|    \)--\([a-z-]*\).*/\2/p' $command.help >options
	[ -s options ] || fail "$command has no options"
	while read -r option; do
		escaped=$(printf "%s" "$option" | sed "s/-/\\\\-/g")
		grep -qF "\\-\\-$escaped\\fR" ctpost-$command.1 || fail "ctpost-$command.1 lacks --$option"
	done <options
	grep -q "ctpost\\\\-$command" ctpost.1 || fail "ctpost.1 does not list $command"
done
page=$CT_CLI/../../docs/ctpost.md
ctpost --generate=table >table
sed -n '/^| command | does |/,/^$/p' "$page" | sed '/^$/d' | diff table - ||
	fail "the table of commands in docs/ctpost.md is not that of ctpost --generate=table"
ctpost --generate=tables | cmp - "$CT_CLI/../../docs/tables.md" || fail "docs/tables.md is not what ctpost --generate=tables writes"
awk -f "$CT_CLI/../tables/vocabulary.awk" "$CT_CLI/../../docs/tables.md" >words
[ ! -s words ] || fail "one name means two things: $(cat words)"
for command in $(cat commands); do
	grep -q "^| .$command " table || fail "the table lacks $command"
	grep -q "^## \(.* \)*$command\>" "$page" || fail "docs/ctpost.md has no section on $command"
done
if command -v groff >/dev/null; then
	for page in *.1; do
		groff -man -ww -Tutf8 "$page" >/dev/null 2>warnings || fail "groff: $page"
		[ ! -s warnings ] || {
			cat warnings
			fail "groff warns about $page"
		}
	done
fi
