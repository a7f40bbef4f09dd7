# SPDX-License-Identifier: Apache-2.0
# values: of copies around launches that are not traced it is known that they have written, and nothing else;
# of those around one that is traced, who wrote what and who used it. By hand from alone.cu, of which the third
# of six launches is traced: each launch before and behind it may have written anything.
. "$CT_CLI/shared/driver.sh"
ctpost=$CT_BIN/ctpost

"$cxx" --ct-target=cpu --ct-values -O2 -g1 "$CT_CLI/values/alone.cu" -o app 2>log || fail "$(cat log)"
status 0 "$ctrun" --launches=3-3 -o run.ctrace -- ./app
"$ctpost" values --json run.ctrace >json 2>err || fail "$(cat err)"

# The third copy brought this to `never`, the traced launch does not read it and the fourth one
# overwrites it.
jq -r '.value_lifetimes[] | "\(.name) \(.written_bytes) \(.dead_bytes)"' json >written
printf '%s\n' 'in 72000 0' 'out 12000 0' 'never 72000 12000' | diff - written || fail "what is written differs"

# It is known of the first copies that the place was not written since the allocation; the fourth
# copies, behind the traced launch, overwrite what the third ones brought.
jq -r '.value_flows[] | "\(.written_by), \(.used_by), \(.object): read \(.read_bytes), overwritten \(.overwritten_bytes)"' \
	json | sort >flows
diff - flows <<-END || fail "who used what differs"
	copy in (cudaMemcpy), copy in (cudaMemcpy), in: read 0, overwritten 12000
	copy in (cudaMemcpy), copy in (cudaMemcpy), never: read 0, overwritten 12000
	copy in (cudaMemcpy), twice (alone.cu:29), in: read 12000, overwritten 0
	the allocation, copy in (cudaMemcpy), in: read 0, overwritten 12000
	the allocation, copy in (cudaMemcpy), never: read 0, overwritten 12000
	twice (alone.cu:29), copy out (cudaMemcpy), out: read 12000, overwritten 0
END
