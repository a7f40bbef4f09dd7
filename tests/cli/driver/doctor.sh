# SPDX-License-Identifier: Apache-2.0
# --ct-doctor: all is there; each thing that is not has one line that says what to do. The same mistakes,
# when something is compiled.
. "$CT_CLI/shared/driver.sh"
nvcc=$CT_BIN/cuda-trace-nvcc
kernel_source k.cu

status 0 "$cxx" --ct-doctor
lacks out MISSING
for line in 'ok       clang ' 'ok       CUDA toolkit ' 'ok       CPU target         a small program compiles and runs' \
	'ok       GPU target         a small program compiles'; do
	has out "$line"
done
[ ! -s err ] || fail "messages: $(cat err)"

# sick TEXT VARIABLE=VALUE...: a line with MISSING says TEXT
sick() {
	text=$1
	shift
	status 1 env "$@" "$cxx" --ct-doctor
	grep MISSING out >missing
	has missing "$text"
}
# mistaken TEXT VARIABLE=VALUE... COMMAND...: one line of error says TEXT
mistaken() {
	text=$1
	shift
	status 1 env "$@"
	one_line err
	has err "$text"
}
sick 'no CUDA toolkit in /nonexistent (include/cuda_runtime.h is missing): set CUDA_HOME' CUDA_HOME=/nonexistent
mistaken 'no CUDA toolkit in /nonexistent' CUDA_HOME=/nonexistent "$nvcc" -c k.cu
mkdir -p old/include
: >old/include/cuda_runtime.h
echo '#define CUDA_VERSION 11080' >old/include/cuda.h
sick 'is 11.8, older than 12.4: set CUDA_HOME to a newer one' CUDA_HOME="$PWD/old"
for compiler in "$cxx" "$nvcc"; do
	mistaken 'is 11.8, older than 12.4: set CUDA_HOME to a newer one' CUDA_HOME="$PWD/old" "$compiler" -c k.cu
done
sick 'cannot be run: install clang-' CUDATRACE_CLANG=/nonexistent
printf '#!/bin/sh\n[ $1 = -dumpversion ] && echo 19.1.7 || echo "clang version 19.1.7"\n' >clang-19
chmod +x clang-19
sick 'is 19.1.7, and our plugins are for' CUDATRACE_CLANG="$PWD/clang-19"
sick 'set TMPDIR' TMPDIR=/nonexistent
mistaken 'cannot make a temporary directory in /nonexistent' TMPDIR=/nonexistent "$nvcc" -c k.cu
mistaken "Unsupported gpu architecture 'sm_12'" "$nvcc" -arch=sm_12 -c k.cu
mistaken "host compiler 'no-such-g++' not found" "$nvcc" -ccbin no-such-g++ -c k.cu

# A clang without the headers of a C++ library: it says what to install.
cat >bare <<END
#!/bin/sh
case \$* in
*-print-file-name=libstdc++.so*) echo libstdc++.so ;;
*) exec "$("$cxx" --ct-version | sed -n 's/^clang: *//p')" "\$@" -nostdinc++ ;;
esac
END
chmod +x bare
sick 'no libstdc++.so: install g++' CUDATRACE_CLANG="$PWD/bare"
sick "a small program does not compile: " CUDATRACE_CLANG="$PWD/bare"
status 1 env CUDATRACE_CLANG="$PWD/bare" "$nvcc" -c k.cu
has err "cuda-trace-nvcc: the C++ library of the host is missing: install g++"
no_leftovers
