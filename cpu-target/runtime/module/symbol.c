/* SPDX-License-Identifier: Apache-2.0 */
/* Registration of device code by clang's module constructors, and look-up. */
#include "cpu-target/runtime/module/symbol.h"
#include "cpu-target/runtime/exec/registry.h"
#include "cpu-target/runtime/exec/space.h"
#include "cpu-target/runtime/gate/gate.h"
#include "cpu-target/runtime/stream/stream.h"
#include <link.h>
#include <pthread.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MARK "CTCPUBIN" /* in place of a fat binary; followed by the unit's id */

struct binary_wrapper { /* what clang's constructor passes */
	int magic;
	int version;
	const char *image;
	void *reserved;
};

struct binary {
	const char *unit_id; /* NULL for a real fat binary */
	int complained;
	int is_used; /* one of its kernels was asked for */
	struct binary *next;
};

struct variable {
	const void *shadow;
	const char *name;
	int constant;
	const struct binary *binary;
	const struct ct_cpu_variable *resolved;
};

struct function_entry {
	struct ct_function function; /* key: its stub, first */
	struct binary *binary;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct binary *binaries; /* all: entries point to them until the process ends */
static void *functions;         /* tsearch trees, by stub and by shadow */
static void *variables;
static int constants_changed;
static int is_exiting; /* exit was called */

/* Both kinds of entries begin with the host address. */
static int compare(const void *a, const void *b)
{
	const char *x = *(const char *const *)a, *y = *(const char *const *)b;

	return x < y ? -1 : x > y;
}

void **__cudaRegisterFatBinary(void *wrapper)
{
	const char *image = ((struct binary_wrapper *)wrapper)->image;
	struct binary *binary = calloc(1, sizeof(*binary));

	if (!binary)
		return NULL;
	if (!strncmp(image, MARK, strlen(MARK)))
		binary->unit_id = image + strlen(MARK);
	pthread_mutex_lock(&lock);
	binary->next = binaries;
	binaries = binary;
	pthread_mutex_unlock(&lock);
	return (void **)binary;
}

void __cudaRegisterFatBinaryEnd(void **handle)
{
	(void)handle; /* nothing left to do: everything is resolved on first use */
}

static void add_entry(void **tree, void *entry)
{
	void **node;

	pthread_mutex_lock(&lock);
	node = tsearch(entry, tree, compare);
	if (node && *node != entry) { /* the stub of an unloaded library was here */
		free(*node);
		*node = entry;
	}
	pthread_mutex_unlock(&lock);
}

void __cudaRegisterFunction(void **handle, const char *stub, char *device_function,
			    const char *name, int thread_limit, uint3 *tid, uint3 *bid, dim3 *block,
			    dim3 *grid, int *warp_size)
{
	struct function_entry *entry = calloc(1, sizeof(*entry));
	struct binary *binary = (struct binary *)handle;

	(void)device_function, (void)thread_limit, (void)tid, (void)bid;
	(void)block, (void)grid, (void)warp_size;
	if (!entry || !binary) {
		free(entry);
		return;
	}
	entry->function.stub = stub;
	entry->function.name = name;
	entry->function.unit_id = binary->unit_id;
	entry->function.carveout = -1;
	entry->binary = binary;
	add_entry(&functions, entry);
}

void __cudaRegisterVar(void **handle, char *shadow, char *device_address, const char *name,
		       int external, size_t bytes, int constant, int global)
{
	struct variable *entry = calloc(1, sizeof(*entry));

	(void)device_address, (void)external, (void)bytes, (void)global;
	if (!entry || !handle) {
		free(entry);
		return;
	}
	entry->shadow = shadow;
	entry->name = name;
	entry->constant = constant;
	entry->binary = (struct binary *)handle;
	add_entry(&variables, entry);
	if (constant)
		__atomic_store_n(&constants_changed, 1, __ATOMIC_RELEASE);
}

struct span {
	const char *first, *end;
};

/* Finds the library that an address lies in; not the program, whose destructors may still use it.
 */
static int find_library(struct dl_phdr_info *info, size_t bytes, void *user)
{
	const char *address = *(const char *const *)user;
	struct span *span = user;
	uintptr_t first = UINTPTR_MAX, end = 0;

	(void)bytes;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];
		uintptr_t at = info->dlpi_addr + part->p_vaddr;

		if (part->p_type != PT_LOAD)
			continue;
		first = at < first ? at : first;
		end = at + part->p_memsz > end ? at + part->p_memsz : end;
	}
	if ((uintptr_t)address - first >= end - first)
		return 0;
	*span = (struct span){(const char *)first, (const char *)end};
	return *info->dlpi_name ? 1 : -1;
}

static __thread const struct span *leaving;
static __thread void *left;

static void find_left(const void *node, VISIT visit, int depth)
{
	const char *key = **(const char *const *const *)node;

	(void)depth;
	if (visit != endorder && visit != postorder && key >= leaving->first && key < leaving->end)
		left = *(void *const *)node;
}

static void forget_entries(void **tree, const struct span *span)
{
	leaving = span;
	do {
		left = NULL;
		twalk(*tree, find_left);
		if (left)
			tdelete(left, tree, compare);
		free(left);
	} while (left);
}

static void begin_exit(void)
{
	is_exiting = 1;
}

/* A library takes its units, stubs and variables with it when it is unloaded, once its kernels have
 * ended. At exit it stays where it is, and a kernel may never end. */
void __cudaUnregisterFatBinary(void **handle)
{
	const struct binary *binary = (const struct binary *)handle;
	struct span span = {.first = binary ? binary->unit_id : NULL};

	if (!span.first || is_exiting || ct_gate_is_child() ||
	    dl_iterate_phdr(find_library, &span) != 1)
		return;
	ct_stream_wait_all_devices();
	ct_cpu_forget_units(span.first, span.end);
	pthread_mutex_lock(&lock);
	forget_entries(&functions, &span);
	forget_entries(&variables, &span);
	pthread_mutex_unlock(&lock);
	__atomic_store_n(&constants_changed, 1, __ATOMIC_RELEASE);
}

/* With the lock held. */
static void resolve_function(struct function_entry *entry)
{
	struct ct_function *f = &entry->function;

	if (f->kernel)
		return;
	/* Handlers run in reverse: this one ahead of that which unregisters the binary. */
	if (!entry->binary->is_used)
		entry->binary->is_used = atexit(begin_exit) == 0;
	if (f->unit_id) {
		f->kernel = ct_cpu_find_kernel(f->unit_id, f->name, &f->unit);
		if (f->kernel && f->kernel->static_shared_bytes < CT_SHARED_BYTES_DEFAULT)
			f->max_dynamic_shared_bytes =
			    CT_SHARED_BYTES_DEFAULT - f->kernel->static_shared_bytes;
	} else if (!entry->binary->complained) {
		entry->binary->complained = 1;
		fprintf(stderr,
			"cuda-trace: kernel %s: object compiled without --ct-target=cpu; "
			"compile it with cuda-trace-clang --ct-target=cpu\n",
			f->name);
	}
}

cudaError_t ct_symbol_function(const void *stub, struct ct_function **function)
{
	struct function_entry **node;

	*function = NULL;
	pthread_mutex_lock(&lock);
	node = tfind(&stub, &functions, compare);
	if (node) {
		resolve_function(*node);
		if ((*node)->function.kernel)
			*function = &(*node)->function;
	}
	pthread_mutex_unlock(&lock);
	return *function ? cudaSuccess : cudaErrorInvalidDeviceFunction;
}

/* With the lock held. */
static const struct ct_cpu_variable *resolve_variable(struct variable *v)
{
	if (!v->resolved && v->binary->unit_id)
		v->resolved = ct_cpu_find_variable(v->binary->unit_id, v->name);
	return v->resolved;
}

struct ranges {
	struct ct_cpu_range *list;
	size_t count;
};

static void add_range(const void *node, VISIT visit, void *user)
{
	struct variable *v = *(struct variable *const *)node;
	struct ranges *ranges = user;
	struct ct_cpu_range *grown;

	if ((visit != postorder && visit != leaf) || !v->constant || !resolve_variable(v))
		return;
	grown = realloc(ranges->list, (ranges->count + 1) * sizeof(*grown));
	if (!grown)
		return;
	ranges->list = grown;
	grown[ranges->count++] =
	    (struct ct_cpu_range){(uintptr_t)v->resolved->address, v->resolved->bytes};
}

static int compare_ranges(const void *a, const void *b)
{
	const struct ct_cpu_range *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

void ct_symbol_publish_constants(void)
{
	struct ranges ranges = {NULL, 0};

	if (!__atomic_exchange_n(&constants_changed, 0, __ATOMIC_ACQ_REL))
		return;
	pthread_mutex_lock(&lock);
	twalk_r(variables, add_range, &ranges);
	if (ranges.count)
		qsort(ranges.list, ranges.count, sizeof(*ranges.list), compare_ranges);
	ct_cpu_set_constants(ranges.list, ranges.count);
	pthread_mutex_unlock(&lock);
}

cudaError_t ct_symbol_variable(const void *shadow, void **address, size_t *bytes)
{
	const struct ct_cpu_variable *found = NULL;
	struct variable **node;

	pthread_mutex_lock(&lock);
	node = tfind(&shadow, &variables, compare);
	if (node)
		found = resolve_variable(*node);
	pthread_mutex_unlock(&lock);
	if (!found)
		return cudaErrorInvalidSymbol;
	*address = found->address;
	*bytes = found->bytes;
	return cudaSuccess;
}

cudaError_t ct_symbol_inside(const void *shadow, size_t bytes, size_t offset, char **address)
{
	size_t size;
	void *start;
	cudaError_t error = ct_symbol_variable(shadow, &start, &size);

	if (error)
		return error;
	if (offset > size || bytes > size - offset)
		return cudaErrorInvalidValue;
	*address = (char *)start + offset;
	return cudaSuccess;
}

int ct_symbol_around(const void *address, void **start, size_t *bytes)
{
	for (const struct ct_cpu_unit *unit = ct_cpu_units(); unit; unit = unit->next)
		for (uint32_t i = 0; i < unit->variable_count; i++) {
			const struct ct_cpu_variable *v = &unit->variables[i];

			if ((uintptr_t)address - (uintptr_t)v->address < v->bytes) {
				*start = v->address;
				*bytes = v->bytes;
				return 1;
			}
		}
	return 0;
}
