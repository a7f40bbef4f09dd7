# SPDX-License-Identifier: Apache-2.0
# verify: sound traces, each kind of damage, expectations that hold and that do not.
. "$CT_CLI/shared/ctpost.sh"
make_trace base
make_trace damaged

status 0 ctpost verify base.ctrace
grep -q "^sound: 3 traced launches" out || fail "base is not sound"
status 0 ctpost verify --json --threads=3 base.ctrace
grep -q '"sound": true' out || fail "base is not sound in JSON"
status 1 ctpost verify damaged.ctrace
grep -q "chunks of records are lost" out || fail "no finding of the loss"
grep -q "its end is not in the trace" out || fail "no finding of the launch without an end"

# A byte of the records; a chunk of them cut off.
device=$(ls base.ctrace | grep '^device' | head -1)
cp -r base.ctrace flipped.ctrace
printf 'x' | dd of="flipped.ctrace/$device" bs=1 seek=100 conv=notrunc 2>dd.err
status 1 ctpost verify flipped.ctrace
grep -q "checksum does not match" out || fail "no finding of the checksum"
cp -r base.ctrace cut.ctrace
truncate -s -1 "cut.ctrace/$device"
status 1 ctpost verify cut.ctrace
status 2 ctpost verify nowhere.ctrace

# Expectations computed here from what dump shows, in arithmetic modulo 2^64.
shift_right() { # X BITS
	echo $((($1 >> $2) & ((1 << (64 - $2)) - 1)))
}
hash_of() {
	x=$(($1 ^ $(shift_right "$1" 30)))
	x=$((x * -0x40a7b892e31b1a47))
	x=$((x ^ $(shift_right $x 27)))
	x=$((x * -0x6b2fb644ecceee15))
	echo $((x ^ $(shift_right $x 31)))
}
# sites LAUNCH LINE OPERATION: the object of a site
site() {
	count=0 sum=0 squares=0
	while IFS=, read -r launch _ _ _ _ _ _ _ _ line _ operation _ _ address _; do
		[ "$launch $line $operation" = "$1 $2 $3" ] || continue
		count=$((count + 1)) sum=$((sum + address)) squares=$((squares + address * address))
	done <lanes.csv
	printf '{"line": %d, "operation": "%s", "count": %d, "sum": "0x%x", "squares": "0x%x"}' \
		"$2" "$3" $count $sum $squares
}
# order LAUNCH: by lane, with two warps to a CTA
order() {
	order=0 lane=
	grep "^$1," lanes.csv | sort -s -t, -k3,3n -k14,14n >sorted
	while IFS=, read -r _ _ cta _ _ warp _ _ _ line _ _ _ thread address _; do
		if [ "$cta $thread" != "$lane" ]; then
			lane="$cta $thread" power=1
			weight=$((($(hash_of $((thread % 32))) | 1) * ($(hash_of $((32 * cta + warp))) | 1)))
		fi
		order=$((order + weight * power * (address + $(hash_of "$line"))))
		power=$((power * -0x61c8864680b583eb))
	done <sorted
	printf '"order": {"by": "lane", "hash": "0x%x"}' $order
}
ctpost dump --format=csv --threads base.ctrace >lanes.csv
expand='"kernel": "expand(int const*)"'
sites="\"sites\": [$(site 1 33 load), $(site 1 34 store)]"
echo "{$expand, \"launch\": 1, $(order 1), $sites}" >expect
status 0 ctpost verify --expect=expect base.ctrace
grep -q "1 launch compared (192 accesses), 2 not in the file" out || fail "not what was compared"
status 0 ctpost verify --json --expect=expect base.ctrace
grep -q '"launches_not_in_file": 2' out || fail "JSON of what was compared"

# Any figure that is another is found.
wrong() { # EDIT TEXT
	sed "$1" expect >wrong
	cmp -s expect wrong && fail "no edit: $1"
	status 1 ctpost verify --expect=wrong base.ctrace
	grep -q "$2" out || fail "'$2' is not found"
}
wrong 's/"count": 128/"count": 127/' "line 33, load: 128 accesses instead of 127"
wrong 's/"sum": "0x\(.\)/"sum": "0x1\1/' "the addresses sum up to"
wrong 's/"squares": "0x\(.\)/"squares": "0x1\1/' "the squares of the addresses sum up to"
wrong 's/"hash": "0x\(.\)/"hash": "0x1\1/' "the order of accesses within lanes is another"
wrong 's/"line": 34/"line": 35/' "line 34, store: 64 accesses that are not expected"
wrong 's/"launch": 1/"launch": 9/' "launch 9 is not there"
wrong 's/"launch": 1/"launches": 3/' "2 traced launches instead of 3"

# These are no expectations.
for text in '{' '[]' '{"kernel": 1}' '{"kernel": "k"}' '{"kernel": "k", "sites": [{}]}' \
	'{"kernel": "k", "sites": [], "order": {"by": "thread", "hash": 1}}' \
	'{"kernel": "k", "sites": [{"line": 1, "operation": "jump"}]}'; do
	echo "$text" >bad
	status 2 ctpost verify --expect=bad base.ctrace
	one_line "bad: line 1: "
done
: >bad
status 2 ctpost verify --expect=bad base.ctrace
status 2 ctpost verify --expect=nowhere base.ctrace
status 2 ctpost verify --threads=0 base.ctrace
one_line "--threads='0': expected a number from 1 to"
