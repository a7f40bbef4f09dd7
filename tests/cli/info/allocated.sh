# SPDX-License-Identifier: Apache-2.0
# Objects that one line allocates for several callers have their callers' places in their names,
# whatever is inlined; of a line that allocates for itself, or for one caller, they have not.
. "$CT_CLI/shared/driver.sh"
source=$CT_CLI/info/allocated.cu

# line TEXT: where it stands in the source
line() {
	grep -nF "$1" "$source" | head -1 | cut -d: -f1
}
base=$(line '/* one */')
cat >expected <<END
101 one (allocated.cu:$base)
102 one (allocated.cu:$((base + 1)))
201 two (allocated.cu:$((base + 2)))
202 two (allocated.cu:$((base + 3)))
301 three (allocated.cu:$(line '/* three */'))
301 three (allocated.cu:$(line '/* three */'))
302 three (allocated.cu:$(line '/* three again */'))
401 four (allocated.cu:$(line '/* four */'))
402 four (allocated.cu:$(($(line '/* four */') + 1)))
501 five (allocated.cu:$(line '/* five */'))
502 five (allocated.cu:$(($(line '/* five */') + 2)))
601 six
602 six
611 eight
612 eight
701 seven
801 allocated.cu:$(line "/* of a library's header */")
802 allocated.cu:$(($(line "/* of a library's header */") + 1))
END

# names TRACE: elements and name of each object
names() {
	status 0 "$CT_BIN/ctpost" export --format=json --tables=objects -o objects.json "$1"
	jq -r '.objects[] | "\(.bytes / 4) \(.name // "")"' objects.json >names
	rm objects.json
}
for level in 0 2; do
	"$cxx" --ct-target=cpu -O$level -g -isystem "$CT_CLI/info/include/cccl" "$source" -o app 2>log ||
		fail "$(cat log)"
	status 0 "$ctrun" -o run$level.ctrace -- ./app
	names run$level.ctrace
	cmp expected names || fail "-O$level: $(diff expected names)"
done
status 0 "$ctrun" --calls=on -o calls.ctrace -- ./app
names calls.ctrace
cmp expected names || fail "with calls: $(diff expected names)"

# By the variable all of them, by the caller's place one.
status 0 "$CT_BIN/ctpost" access --json --objects=two run2.ctrace
jq -c '[.access_objects[].object] | sort' out >got
has got "[\"two (allocated.cu:$((base + 2)))\",\"two (allocated.cu:$((base + 3)))\"]"
status 0 "$CT_BIN/ctpost" access --json --objects=allocated.cu:$((base + 3)) run2.ctrace
jq -c '[.access_objects[].object]' out >got
has got "[\"two (allocated.cu:$((base + 3)))\"]"
status 0 "$CT_BIN/ctpost" comm run2.ctrace
has out "four (allocated.cu:$(line '/* four */'))" # which opens traces itself

# Without the program's file names are the trace's; without those, too, they are the sites', and
# nothing else is lost.
mv app gone
names run2.ctrace
cmp expected names || fail "the file is gone: $(diff expected names)"
rm run2.ctrace/names-0.ct
names run2.ctrace
sed 's/ (allocated.cu:[0-9]*)//; s/ allocated.cu:.*/ /' expected >plain
cmp plain names || fail "without the file: $(diff plain names)"
