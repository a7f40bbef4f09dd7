// Mistakes in options are errors that say what is wrong and where.
// RUN: printf 'allow kernel (\nforbid kernel x\ndeny file [\nallow kernel\n' > %t.list
// RUN: not %trace cpu -O1 --cuda-device-only -c %s -o %t.o -mllvm -ct-list=%t.list > %t.errors 2>&1
// RUN: FileCheck %s --check-prefix=LIST < %t.errors
// RUN: not %trace cpu --cuda-device-only -c %s -o %t.o -mllvm -ct-list=%t.none -mllvm '-ct-kernels=(' -mllvm '-ct-files=a[' -mllvm -ct-spaces=global,texture -mllvm -ct-kinds=, -mllvm -ct-events=warp -mllvm -ct-groups=yes -mllvm -ct-loops= -mllvm -ct-registers=12 -mllvm -ct-share=yes > %t.errors 2>&1
// RUN: FileCheck %s --check-prefix=WORDS < %t.errors
__global__ void kernel(int *p) { *p = 1; }
// LIST: error: cuda-trace: {{.*}}.list:1: (: {{.+}}
// LIST: error: cuda-trace: {{.*}}.list:2: expected allow or deny, then kernel REGEX, function REGEX or file GLOB; found: forbid kernel x
// LIST: error: cuda-trace: {{.*}}.list:3: [: {{.+}}
// LIST: error: cuda-trace: {{.*}}.list:4: expected allow or deny
// LIST-NOT: PLEASE submit a bug report
// WORDS-DAG: error: cuda-trace: --ct-spaces=global,texture: unknown word texture; expected a list of global,shared,local,constant
// WORDS-DAG: error: cuda-trace: --ct-kinds=,: name at least one kind of load,store,atomic
// WORDS-DAG: error: cuda-trace: --ct-events=warp: unknown word warp; expected a list of barrier,block,cta
// WORDS-DAG: error: cuda-trace: --ct-kernels=(: {{.+}}
// WORDS-DAG: error: cuda-trace: --ct-files=a[: {{.+}}
// WORDS-DAG: error: cuda-trace: --ct-list: cannot read {{.*}}.none: {{.+}}
// WORDS-DAG: error: cuda-trace: --ct-groups=yes: expected on or off
// WORDS-DAG: error: cuda-trace: --ct-loops=: expected on or off
// WORDS-DAG: error: cuda-trace: --ct-registers=12: expected auto or off
// WORDS-DAG: error: cuda-trace: --ct-share=yes: expected auto, apart, on or off
