# SPDX-License-Identifier: Apache-2.0
# Selections are the same for every command, lists of them too; older spellings still hold.
. "$CT_CLI/shared/comm.sh"
make_trace base
make_comm halo

# same OLD NEW COMMAND...: both options give the same output
same() {
	old=$1
	new=$2
	shift 2
	# shellcheck disable=SC2086
	ctpost "$@" $old >old 2>&1 || fail "$* $old: $(cat old)"
	# shellcheck disable=SC2086
	ctpost "$@" $new >new 2>&1 || fail "$* $new: $(cat new)"
	cmp old new || fail "$*: $old is not $new"
}
for command in info 'info --json' dump 'dump --lanes' 'dump --format=jsonl'; do
	same --kernel=^count --kernels=^count $command base.ctrace
	same '--launch 2' --launches=2 $command base.ctrace
	same --stream=0 --streams=0 $command base.ctrace
	same --site=bfs.cu:34 --sites=bfs.cu:34 $command base.ctrace
	same --cta=1,1 --ctas=1:1 $command base.ctrace
	same --cta=1 --ctas=1 $command base.ctrace
	same --object=d_graph --objects=d_graph $command base.ctrace
done
for command in comm 'comm --json' 'comm --by=line'; do
	same --stream=0 --streams=0 $command halo.ctrace
	same --object=a --objects=a $command halo.ctrace
	same --site=halo.cu:22 --sites=halo.cu:22 $command halo.ctrace
	same --cta=2 --ctas=2 $command halo.ctrace
done
same --threads --lanes dump base.ctrace
same --sites --each-site info base.ctrace

# Lists: what one or the other lets pass.
lines() {
	ctpost dump "$@" base.ctrace | wc -l
}
both() {
	[ "$(lines "$3")" = $(($(lines "$1") + $(lines "$2"))) ] || fail "$3 is not $1 and $2"
	[ "$(lines "$1")" -gt 0 ] && [ "$(lines "$2")" -gt 0 ] || fail "$1 or $2: nothing"
}
both --launches=1 --launches=4 --launches=1,4
both --ctas=0 --ctas=1 --ctas=0-1
both --ctas=0 --ctas=3 --ctas=0,3
both --sites=0 --sites=1 --sites=0,1
both --sites=bfs.cu:33 --sites=bfs.cu:34 --sites=bfs.cu:33,bfs.cu:34
both --objects=d_graph --objects=d_flag --objects=d_graph,d_flag
both --streams=0 --streams=5 --streams=0,5

# Lanes in other objects are not shown, and not counted.
accesses='[.total_counts[] | select(.space == "global" and .class != "reduction").threads] | add // 0'
ctpost info --json base.ctrace >json
all=$(jq "$accesses" json)
some=0
for object in $(jq -r '.objects[].object_number' json); do
	ctpost info --json --objects=$object base.ctrace >json
	some=$((some + $(jq "$accesses" json)))
	[ "$(ctpost dump --lanes --objects=$object base.ctrace | wc -l)" = "$(jq "$accesses" json)" ] ||
		fail "info and dump differ about object $object"
done
[ $some -le "$all" ] && [ $some -gt 0 ] || fail "$some accesses to objects of $all"

# In comm both ends must pass.
figures --ctas=2-4 halo.ctrace
is '[.density.cells[] | .[0], .[1]] | unique' '[2,3,4]'
figures --sites=halo.cu:22,halo.cu:21 halo.ctrace
is '[.lines[] | [.source.line, .target.line]]' '[[22,21]]'
ctpost comm --transfers --ctas=2 halo.ctrace 2>err | grep -v 'block 2 -> .* block 2:' && fail "another CTA's transfer"

# Nothing left, and nothing like that.
for wrong in --launches=0 --launches=3-1 --launches=1,x --streams=a --ctas=1:2:3:4 --ctas=3-2 --ctas= \
	--sites=here --sites=a:b --objects= --kernels='('; do
	for command in info dump comm; do
		status 2 ctpost $command $wrong base.ctrace
		one_line "${wrong%%=*}='${wrong#*=}'"
	done
done
for command in info dump comm; do
	status 1 ctpost $command --kernels=nothing base.ctrace
	one_line "base.ctrace: no launch is left by the selection; the trace has "
	status 1 ctpost $command --objects=d_graph,nothing base.ctrace
	one_line "base.ctrace: there is no object 'nothing'"
done

# Older spellings are not shown.
for command in info comm dump report export; do
	ctpost $command --help >out
	for option in kernels launches streams objects ctas sites; do
		grep -q -- "--$option=" out || fail "$command --help lacks --$option"
	done
	! grep -Eq -- '--(kernel|launch|stream|object|cta|site)=' out || fail "$command --help has old spellings"
done
