/* SPDX-License-Identifier: Apache-2.0 */
/* Hand-made kernels and their registration. */
#include "tests/unit/cpu-target/kernels.h"
#include "cpu-target/runtime/exec/device_io.h"
#include "cpu-target/runtime/module/symbol.h"
#include "cpu-target/runtime/producer/producer.h"
#include <stdlib.h>

const char stub_add, stub_gate, stub_fault, stub_bounded, stub_traced, stub_foreign;
const char shadow_variable;

/* For the loop kernels: called once per block with the first thread. */
#define FOR_EACH_THREAD(thread, i)                                                                 \
	for (uint32_t i = (thread)->ctaid[0] * (thread)->ntid[0], end = i + (thread)->ntid[0];     \
	     i < end; i++)

static void add(struct ct_cpu_thread *thread, void **args)
{
	int *data = *(int **)args[0];
	int n = *(int *)args[1], value = *(int *)args[2];

	FOR_EACH_THREAD(thread, i)
	if ((int)i < n)
		data[i] += value;
}

static void gate(struct ct_cpu_thread *thread, void **args)
{
	const int *open = *(const int **)args[0];

	(void)thread;
	while (!__atomic_load_n(open, __ATOMIC_ACQUIRE))
		;
}

static void fault(struct ct_cpu_thread *thread, void **args)
{
	(void)thread, (void)args;
	__ct_cpu_trap();
}

static void bounded(struct ct_cpu_thread *thread, void **args)
{
	(void)thread, (void)args;
}

/* A fiber kernel: called once per thread. */
static void traced(struct ct_cpu_thread *thread, void **args)
{
	float *data = *(float **)args[0];
	uint32_t n = *(uint32_t *)args[1];
	const struct ct_launch *launch = args[2];
	uint32_t i = thread->ctaid[0] * thread->ntid[0] + thread->tid[0];
	uint32_t state = __ct_enter(launch->context, launch->launch, launch->flags,
				    launch->block_period, launch->block_offset);

	if (i < n) {
		__ct_access(state, 1, (uintptr_t)&data[i], 4);
		for (uint32_t k = 0; k <= i % 32; k++)
			__ct_access_checked(state, 2, (uintptr_t)data, 4);
		__ct_access_checked(state, 4, (uintptr_t)&state, 4); /* on the stack */
		__ct_access(state, 3, (uintptr_t)&data[i], 4);
		data[i] = (float)i;
	}
	__ct_exit(state);
}

static int test_variable[4];
static const uint32_t three[] = {8, 4, 4}, one[] = {8}, launch_params[] = {8, 4, 24};

static const struct ct_cpu_kernel kernels[] = {
    {"add", add, three, 3, 0, 0, 1024, {0}, 0},
    {"gate", gate, one, 1, 0, 0, 1024, {0}, 0},
    {"fault", fault, NULL, 0, 1, 0, 1024, {0}, 0},
    {"bounded", bounded, NULL, 0, 0, 1024, 64, {0}, 0},
    {"traced", traced, launch_params, 3, 1, 0, 1024, {0}, 0},
};
static const struct ct_cpu_variable variables[] = {
    {"test_variable", test_variable, sizeof(test_variable)}};
static struct ct_cpu_unit unit = {.id = "0123456789abcdef",
				  .kernels = kernels,
				  .variables = variables,
				  .kernel_count = sizeof(kernels) / sizeof(*kernels),
				  .variable_count = 1};

static void register_function(void **binary, const char *stub, const char *name)
{
	__cudaRegisterFunction(binary, stub, (char *)name, name, -1, NULL, NULL, NULL, NULL, NULL);
}

/* The host side first, the unit last: names are resolved on first use. */
__attribute__((constructor)) static void register_all(void)
{
	static struct {
		int magic, version;
		const char *image;
		void *reserved;
	} ours = {0x466243b1, 1, "CTCPUBIN0123456789abcdef", NULL},
	  foreign = {0x466243b1, 1, "\x50\xed\x55\xba", NULL};
	void **binary = __cudaRegisterFatBinary(&ours);

	register_function(binary, &stub_add, "add");
	register_function(binary, &stub_gate, "gate");
	register_function(binary, &stub_fault, "fault");
	register_function(binary, &stub_bounded, "bounded");
	register_function(binary, &stub_traced, "traced");
	__cudaRegisterVar(binary, (char *)&shadow_variable, NULL, "test_variable", 0,
			  sizeof(test_variable), 0, 0);
	__cudaRegisterFatBinaryEnd(binary);
	binary = __cudaRegisterFatBinary(&foreign);
	register_function(binary, &stub_foreign, "foreign");
	__ct_cpu_register_unit(&unit);
}
