// --ct-host: which accesses of host code ask for the bounds, and what they tell.
// RUN: %trace gpu -Xclang -mllvm -Xclang -ct-host -O1 -emit-llvm -S %s -o - | FileCheck %s
// RUN: %trace gpu -Xclang -mllvm -Xclang -ct-host -O1 -emit-llvm -S %s -o - | opt -passes=verify -disable-output
#include <unistd.h>
static int own;
int shared;

// CHECK-LABEL: define {{.*}}@_Z4loadPi
// CHECK: load i64, ptr @__ct_loads_low
// CHECK: load i64, ptr @__ct_loads_span
// CHECK: icmp ult i64
// CHECK: getelementptr i8, ptr @__ct_loads_pages
// CHECK: call void @__ct_use(ptr {{[^,]*}}, i64 4, i32 1)
// CHECK: load i32, ptr
int load(int *p)
{
	return *p;
}

// The bounds are read once, before a loop in which nothing can be armed. A copy of it that does not
// ask runs where they are apart from all that it accesses.
// CHECK-LABEL: define {{.*}}@_Z4loopPlm
// CHECK: load i64, ptr @__ct_uses_low
// CHECK-NOT: @__ct_uses_low
// CHECK: br i1 {{.*}}, label %[[QUIET:[0-9]+]], label %[[LOUD:[0-9]+]], !prof
// CHECK: [[QUIET]]:
// CHECK-NOT: @__ct_use
// CHECK: store i64
// CHECK: [[LOUD]]:
// CHECK-NOT: @__ct_uses_low
// CHECK: call void @__ct_use(ptr {{[^,]*}}, i64 8, i32 2)
// CHECK-NOT: @__ct_uses_low
// CHECK: store i64
void loop(long *p, unsigned long n)
{
#pragma clang loop vectorize(disable) unroll(disable)
	for (unsigned long i = 0; i < n; i += 3)
		p[i] = (long)i;
}

// Where they are not, pages are looked up: those of what is loaded among those that loads count for.
// A place that is stored to is no other range if it is loaded, too.
// CHECK-LABEL: define {{.*}}@_Z3addPlPKlm
// CHECK-DAG: load i64, ptr @__ct_uses_low
// CHECK-DAG: load i64, ptr @__ct_loads_low
// CHECK: br i1 {{.*}}, label %[[ASK:[0-9]+]], label %[[TAIL:[0-9]+]]{{$}}
// CHECK: [[ASK]]:
// CHECK: call i32 @__ct_use_is_apart(i64 %{{[^,]*}}, i64 %{{[^,]*}}, i32 0)
// CHECK: call i32 @__ct_use_is_apart(i64 %{{[^,]*}}, i64 %{{[^,]*}}, i32 1)
// CHECK-NOT: call i32 @__ct_use_is_apart
// CHECK: [[TAIL]]:
// CHECK: phi i1 [ true, %{{[0-9]+}} ], [ %{{[0-9]+}}, %[[ASK]] ]
// CHECK: br i1 {{.*}}, !prof
// CHECK-LABEL: define {{.*}}@_Z6behindPllS_
void add(long *p, const long *q, unsigned long n)
{
#pragma clang loop vectorize(disable) unroll(disable)
	for (unsigned long i = 0; i < n; i++)
		p[i] += q[i];
}

// A value that a loop leaves behind comes from it or its copy.
// CHECK: phi ptr [ %0,
// CHECK: phi ptr [ %0,
// CHECK: %[[P:[0-9]+]] = phi ptr [
// CHECK: call void @__ct_use(ptr %[[P]], i64 8, i32 2)
// CHECK-NEXT: br
void behind(long *p, long n, long *q)
{
	while (*p < n)
		p += 2;
	*p = 0;
	for (long i = 0; i < n; i++)
		q[i] = p[i] + 1;
}

// Nothing else has its address.
// CHECK-LABEL: define {{.*}}@_Z6hiddeni
// CHECK-NOT: @__ct_use
// CHECK: ret i32
int hidden(int i)
{
	int local[4] = {i, 2, i, 4};

	local[i & 3] = 7;
	return local[(i + 1) & 3] + own++;
}

// CHECK-LABEL: define {{.*}}@_Z6atomicv
// CHECK: call void @__ct_use(ptr {{.*}}@shared, i64 4, i32 3)
// CHECK: atomicrmw
int atomic()
{
	return __atomic_fetch_add(&shared, 1, __ATOMIC_RELAXED);
}

// CHECK-LABEL: define {{.*}}@_Z7outsideiPKcm
// CHECK: call void @__ct_use_range(ptr {{[^,]*}}, i64 {{[^,]*}}, i32 7, i32 0, ptr {{.*}})
// CHECK: call {{.*}}@write(
long outside(int fd, const char *p, unsigned long n)
{
	return write(fd, p, n);
}

// CHECK: define internal void @__ct_register_host_code()
// CHECK: call void @__ct_register_host()
