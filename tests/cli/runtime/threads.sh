# SPDX-License-Identifier: Apache-2.0
# Forks, threads and signals around CUDA, as with a GPU: a child of a process that had used CUDA gets an error
# from every call, threads of the runtime take no signals, a cancelled thread leaves its call first, and the
# process ends with the program's last thread. Traced or not.
. "$CT_CLI/shared/driver.sh"
status 0 "$cxx" --ct-target=cpu -O1 "$CT_CLI/runtime/threads.cu" -o app

# case NAME EXIT-STATUS LINE...: in any order; what a child says and what its parent says is not ordered
case_is() {
	name=$1 expected=$2
	shift 2
	printf '%s\n' "$@" | sort >wanted
	for how in plain traced; do
		[ $how = traced ] && set -- "$ctrun" -o "$name.ctrace" || set -- env CUDATRACE=off
		status "$expected" timeout -s KILL 60 "$@" ./app "$name"
		sort out >found
		cmp -s found wanted || fail "$name, $how: $(cat out)"
	done
}

refused='child 3 3 3 3 3 3, 1 -1 -1'
case_is before 0 'child 0' exit 'parent 0' 'status 0' exit
case_is fork 0 "$refused" exit 'status 3' 'parent 0' exit
case_is running 0 "$refused" exit 'status 3' 'parent 0' exit
case_is raw 0 "$refused" 'status 3' 'parent 0' exit
case_is spawn 0 'count 51' exit 'status 0' exit
case_is threads 0 'count 51' exit
case_is cancel 0 'cancelled 1, then 0' exit
case_is signals 0 'signals 0' exit
case_is main 0 'thread 0' exit
case_is alone 0 exit
case_is exit 7 exit
no_leftovers
