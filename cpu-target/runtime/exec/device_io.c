/* SPDX-License-Identifier: Apache-2.0 */
/* Carries out what device code asks of the system. */
#include "cpu-target/runtime/exec/device_io.h"
#include "cpu-target/runtime/exec/block.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define OUTPUT_BYTES 8192u
#define SPEC_BYTES 64u

void __ct_cpu_trap(void)
{
	ct_cpu_fiber_fail(ct_cpu_current_fiber(), CT_CPU_TRAP, "trap");
}

void __ct_cpu_unsupported(const char *what)
{
	ct_cpu_fiber_fail(ct_cpu_current_fiber(), CT_CPU_UNSUPPORTED,
			  "%s is not supported on the CPU target", what);
}

void __ct_cpu_assertfail(const char *message, const char *file, uint32_t line, const char *function,
			 size_t char_bytes)
{
	struct ct_cpu_fiber *fiber = ct_cpu_current_fiber();
	const struct ct_cpu_thread *t = &fiber->thread;

	(void)char_bytes;
	ct_cpu_fiber_fail(fiber, CT_CPU_ASSERT,
			  "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.",
			  file, line, function, t->ctaid[0], t->ctaid[1], t->ctaid[2], t->tid[0],
			  t->tid[1], t->tid[2], message);
}

void *__ct_cpu_malloc(size_t bytes)
{
	return malloc(bytes);
}

void *__ct_cpu_aligned_malloc(size_t bytes, size_t alignment)
{
	void *pointer;

	if (alignment < sizeof(pointer))
		alignment = sizeof(pointer);
	return posix_memalign(&pointer, alignment, bytes) == 0 ? pointer : NULL;
}

void __ct_cpu_free(void *pointer)
{
	free(pointer);
}

uint64_t __ct_cpu_clock(void)
{
	return __builtin_ia32_rdtsc();
}

uint64_t __ct_cpu_globaltimer(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint32_t __ct_cpu_worker_count(void)
{
	return ct_cpu_worker_count();
}

int __ct_cpu_address_space(const void *pointer)
{
	return ct_cpu_address_space(pointer);
}

struct packed {
	const char *position;
};

static void take(struct packed *arguments, void *value, size_t bytes)
{
	uintptr_t at = ((uintptr_t)arguments->position + bytes - 1) & ~(uintptr_t)(bytes - 1);

	memcpy(value, (const void *)at, bytes);
	arguments->position = (const char *)at + bytes;
}

struct output {
	char text[OUTPUT_BYTES];
	size_t length;
};

static size_t room(const struct output *out)
{
	return sizeof(out->text) - out->length;
}

static void advance(struct output *out, int written)
{
	if (written < 0)
		return;
	out->length += (size_t)written < room(out) ? (size_t)written : room(out) - 1;
}

/* Copy a conversion up to its letter to spec, * replaced by its argument.
 * Returns the position behind the letter, or NULL if it is no conversion. */
static const char *copy_spec(const char *format, char *spec, struct packed *arguments, int *wide)
{
	size_t n = 0;

	*wide = 0;
	do {
		if (n >= SPEC_BYTES - 16)
			return NULL;
		if (*format == '*') {
			int32_t value;

			take(arguments, &value, sizeof(value));
			n += (size_t)snprintf(spec + n, 16, "%d", value);
		} else {
			*wide |=
			    *format == 'l' || *format == 'j' || *format == 'z' || *format == 't';
			spec[n++] = *format;
		}
		format++;
	} while (*format && !strchr("diouxXeEfFgGaAcsp%", *format));
	if (!*format)
		return NULL;
	spec[n++] = *format;
	spec[n] = '\0';
	return format + 1;
}

static void print_argument(struct output *out, const char *spec, char letter, int wide,
			   struct packed *arguments)
{
	char *at = out->text + out->length;
	double real;
	void *pointer;
	uint64_t word;
	uint32_t half;

	if (strchr("eEfFgGaA", letter)) {
		take(arguments, &real, sizeof(real));
		advance(out, snprintf(at, room(out), spec, real));
	} else if (letter == 's') {
		take(arguments, &pointer, sizeof(pointer));
		advance(out, snprintf(at, room(out), spec, pointer ? pointer : "(null)"));
	} else if (letter == 'p') {
		take(arguments, &pointer, sizeof(pointer));
		advance(out, snprintf(at, room(out), spec, pointer));
	} else if (wide) {
		take(arguments, &word, sizeof(word));
		advance(out, snprintf(at, room(out), spec, word));
	} else {
		take(arguments, &half, sizeof(half));
		advance(out, snprintf(at, room(out), spec, half));
	}
}

int __ct_cpu_vprintf(const char *format, const char *argument_bytes)
{
	struct packed arguments = {argument_bytes};
	struct output out = {.length = 0};
	int count = 0;

	while (*format && room(&out) > 1) {
		char spec[SPEC_BYTES];
		const char *after;
		int wide;

		if (*format != '%') {
			out.text[out.length++] = *format++;
			continue;
		}
		after = copy_spec(format, spec, &arguments, &wide);
		if (!after)
			return -1;
		if (after[-1] == '%') {
			out.text[out.length++] = '%';
		} else {
			print_argument(&out, spec, after[-1], wide, &arguments);
			count++;
		}
		format = after;
	}
	/* One call: lines of different threads do not mix. */
	fwrite(out.text, 1, out.length, stdout);
	return count;
}

void ct_cpu_flush_printf(void)
{
	fflush(stdout);
}

uint64_t ct_cpu_block_begin_ns(void)
{
	struct ct_cpu_block *block = __ct_cpu_thread->block;

	if (!block->begin_ns)
		block->begin_ns = __ct_cpu_globaltimer();
	return block->begin_ns;
}
