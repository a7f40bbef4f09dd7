/* SPDX-License-Identifier: Apache-2.0 */
/* Calls as JSON: docs/json-schema.md. */
#include "base/json.h"
#include "postproc/render/calls/calls.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

/* Exactly: JSON's readers may round as they like. */
static void put_seconds(struct ct_json *json, const char *key, uint64_t ns)
{
	ct_json_put_key(json, key);
	fprintf(json->out, "%" PRIu64 ".%09" PRIu64, ns / 1000000000u, ns % 1000000000u);
}

static void put_times(struct ct_json *json, const struct ct_times *times)
{
	ct_json_put_number(json, "count", times->count);
	put_seconds(json, "seconds", times->total_ns);
	put_seconds(json, "min_seconds", times->least_ns);
	put_seconds(json, "max_seconds", times->most_ns);
}

static void put_share(struct ct_json *json, const char *key, uint64_t part, uint64_t whole)
{
	if (whole)
		ct_json_put_real(json, key, (double)part / (double)whole, 6);
	else
		ct_json_put_null(json, key);
}

static void put_function(struct ct_json *json, const struct ct_calls *calls,
			 const struct ct_calls_function *function)
{
	ct_json_open_object(json, NULL, CT_JSON_INLINE);
	ct_json_put_text(json, "name", function->name);
	ct_json_put_text(json, "kind", ct_span_kind_name(function->kind));
	put_times(json, &function->times);
	if (ct_calls_knows_wait(calls, function))
		put_seconds(json, "waited_seconds", function->waited_ns);
	else
		ct_json_put_null(json, "waited_seconds");
	put_seconds(json, "device_seconds", function->device_ns);
	ct_json_put_number(json, "bytes", function->bytes);
	ct_json_put_number(json, "failed", function->failed);
	ct_json_put_number(json, "open", function->open);
	put_share(json, "share", function->times.total_ns, calls->run_ns);
	ct_json_close(json);
}

enum group { OUTER, INNER, SPANS };

static enum group group_of(const struct ct_calls_function *function)
{
	if (function->kind != CT_SPAN_RUNTIME && function->kind != CT_SPAN_DRIVER)
		return SPANS;
	return function->is_inner ? INNER : OUTER;
}

static int put_functions(struct ct_json *json, const char *key, const struct ct_calls *calls,
			 enum group group)
{
	uint32_t *numbers = ct_calls_sorted(calls, calls->functions, ct_function_time);

	ct_json_open_array(json, key, CT_JSON_LINES);
	for (size_t i = 0; numbers && i < calls->functions; i++)
		if (group_of(&calls->function[numbers[i]]) == group)
			put_function(json, calls, &calls->function[numbers[i]]);
	ct_json_close(json);
	free(numbers);
	return numbers ? 0 : -ENOMEM;
}

static int put_kernels(struct ct_json *json, const struct ct_calls *calls)
{
	uint32_t *numbers = ct_calls_sorted(calls, calls->kernels, ct_kernel_time);

	ct_json_open_array(json, "kernels", CT_JSON_LINES);
	for (size_t i = 0; numbers && i < calls->kernels; i++) {
		const struct ct_calls_kernel *kernel = &calls->kernel[numbers[i]];

		ct_json_open_object(json, NULL, CT_JSON_INLINE);
		ct_json_put_text(json, "name", kernel->name);
		ct_json_put_text(json, "symbol", kernel->symbol);
		ct_json_put_bool(json, "traced", kernel->is_traced);
		if (kernel->is_timed) {
			put_times(json, &kernel->times);
		} else {
			ct_json_put_number(json, "count", kernel->times.count);
			ct_json_put_null(json, "seconds");
			ct_json_put_null(json, "min_seconds");
			ct_json_put_null(json, "max_seconds");
		}
		put_share(json, "share", kernel->times.total_ns,
			  kernel->is_timed ? calls->device_ns : 0);
		ct_json_close(json);
	}
	ct_json_close(json);
	free(numbers);
	return numbers ? 0 : -ENOMEM;
}

static void put_copies(struct ct_json *json, const char *kind, const struct ct_calls_copies *copies)
{
	if (!copies->count)
		return;
	ct_json_open_object(json, NULL, CT_JSON_INLINE);
	ct_json_put_text(json, "kind", kind);
	ct_json_put_number(json, "count", copies->count);
	ct_json_put_number(json, "bytes", copies->bytes);
	put_seconds(json, "seconds", copies->total_ns);
	ct_json_put_number(json, "pageable_count", copies->pageable.count);
	ct_json_put_number(json, "pageable_bytes", copies->pageable.bytes);
	put_seconds(json, "pageable_seconds", copies->pageable.total_ns);
	ct_json_close(json);
}

static int put_all_copies(struct ct_json *json, const struct ct_calls *calls)
{
	ct_json_open_array(json, "copies", CT_JSON_LINES);
	for (uint32_t kind = 1; kind < CT_COPY_KINDS; kind++)
		put_copies(json, ct_copy_kind_name(kind), &calls->copy[kind]);
	put_copies(json, ct_copy_kind_name(CT_COPY_NONE), &calls->copy[CT_COPY_NONE]);
	ct_json_close(json);
	ct_json_open_array(json, "sets", CT_JSON_LINES);
	put_copies(json, "memset", &calls->set);
	ct_json_close(json);
	return 0;
}

static int put_waits(struct ct_json *json, const struct ct_calls *calls)
{
	static const char *const kinds[] = {"kernel", "copy", "set", "tracer"};
	uint32_t *numbers = ct_calls_sorted(calls, calls->waits, ct_wait_time);
	char text[CT_WAITED_BYTES];

	ct_json_open_array(json, "waits", CT_JSON_LINES);
	for (size_t i = 0; numbers && i < calls->waits; i++) {
		const struct ct_calls_wait *wait = &calls->wait[numbers[i]];

		ct_json_open_object(json, NULL, CT_JSON_INLINE);
		ct_json_put_text(json, "call", calls->function[wait->function].name);
		ct_json_put_text(json, "for", ct_waited_name(calls, wait, text));
		ct_json_put_text(json, "kind", kinds[wait->kind]);
		ct_json_put_number(json, "count", wait->count);
		put_seconds(json, "seconds", wait->total_ns);
		ct_json_close(json);
	}
	ct_json_close(json);
	free(numbers);
	return numbers ? 0 : -ENOMEM;
}

static void put_threads(struct ct_json *json, const struct ct_calls *calls)
{
	ct_json_open_array(json, "threads", CT_JSON_LINES);
	for (size_t i = 0; i < calls->threads; i++) {
		const struct ct_calls_thread *thread = &calls->thread[i];

		ct_json_open_object(json, NULL, CT_JSON_INLINE);
		ct_json_put_number(json, "part", thread->part);
		ct_json_put_number(json, "thread", thread->thread);
		ct_json_put_text(json, "name", thread->name);
		ct_json_put_number(json, "calls", thread->count);
		put_seconds(json, "seconds", thread->total_ns);
		put_seconds(json, "waited_seconds", thread->waited_ns);
		ct_json_close(json);
	}
	ct_json_close(json);
}

static void put_streams(struct ct_json *json, const struct ct_calls *calls)
{
	ct_json_open_array(json, "streams", CT_JSON_LINES);
	for (size_t i = 0; i < calls->streams; i++) {
		const struct ct_calls_stream *stream = &calls->stream[i];

		ct_json_open_object(json, NULL, CT_JSON_INLINE);
		ct_json_put_number(json, "part", stream->part);
		ct_json_put_number(json, "device", stream->device);
		ct_json_put_number(json, "stream", stream->stream);
		ct_json_put_number(json, "kernels", stream->kernels);
		ct_json_put_number(json, "copies", stream->copies);
		ct_json_put_number(json, "sets", stream->sets);
		put_seconds(json, "seconds", stream->total_ns);
		ct_json_close(json);
	}
	ct_json_close(json);
}

static void put_frames(struct ct_json *json, const struct ct_call_tree *tree, uint32_t node)
{
	ct_json_open_array(json, "frames", CT_JSON_INLINE);
	for (; tree->node[node].kind == CT_TREE_FRAME; node = tree->node[node].parent) {
		const struct ct_code_frame *frame =
		    ct_symbols_frame(tree->symbols, tree->node[node].what);

		ct_json_open_object(json, NULL, CT_JSON_INLINE);
		ct_json_put_text(json, "function", frame->function);
		ct_json_put_text(json, "file", frame->file);
		ct_json_put_number(json, "line", frame->line);
		ct_json_put_text(json, "module", frame->module);
		ct_json_put_bool(json, "inlined", frame->is_inlined);
		ct_json_close(json);
	}
	ct_json_close(json);
}

static uint64_t path_time(const struct ct_call_tree *tree, uint32_t node)
{
	return tree->node[node].kind == CT_TREE_CALL ? tree->node[node].total_ns : 0;
}

static int compare_paths(const void *a, const void *b, void *tree)
{
	uint32_t first = *(const uint32_t *)a, second = *(const uint32_t *)b;
	uint64_t x = path_time(tree, first), y = path_time(tree, second);

	if (x != y)
		return x > y ? -1 : 1;
	return first < second ? -1 : first > second;
}

static int put_stacks(struct ct_json *json, const struct ct_call_tree *tree)
{
	uint32_t *numbers = malloc(tree->count * sizeof(*numbers));

	if (!numbers)
		return -ENOMEM;
	for (size_t i = 0; i < tree->count; i++)
		numbers[i] = (uint32_t)i;
	qsort_r(numbers, tree->count, sizeof(*numbers), compare_paths, (void *)tree);
	ct_json_open_array(json, "stacks", CT_JSON_LINES);
	for (size_t i = 0; i < tree->count; i++) {
		const struct ct_call_tree_node *node = &tree->node[numbers[i]];

		if (node->kind != CT_TREE_CALL)
			continue;
		ct_json_open_object(json, NULL, CT_JSON_INLINE);
		ct_json_put_text(json, "call", ct_call_tree_name(tree, numbers[i]));
		ct_json_put_number(json, "count", node->count);
		put_seconds(json, "seconds", node->total_ns);
		put_seconds(json, "waited_seconds", node->waited_ns);
		put_seconds(json, "device_seconds", node->device_ns);
		ct_json_put_number(json, "bytes", node->bytes);
		put_frames(json, tree, node->parent);
		ct_json_close(json);
	}
	ct_json_close(json);
	free(numbers);
	return 0;
}

static void put_parts(struct ct_json *json, const struct ct_calls *calls)
{
	ct_json_open_array(json, "parts", CT_JSON_LINES);
	for (size_t i = 0; i < calls->parts; i++) {
		const struct ct_calls_part *part = &calls->part[i];

		ct_json_open_object(json, NULL, CT_JSON_INLINE);
		ct_json_put_number(json, "part", part->part);
		ct_json_put_text(json, "source", part->source);
		ct_json_put_text(json, "missing", part->missing);
		ct_json_put_number(json, "begin_ns", part->begin_ns);
		put_seconds(json, "seconds", part->end_ns - part->begin_ns);
		ct_json_put_number(json, "calls", part->calls);
		ct_json_put_number(json, "inner_calls", part->inner);
		ct_json_put_number(json, "ranges", part->spans);
		ct_json_put_number(json, "activities", part->activities);
		put_seconds(json, "clock_error_seconds", part->clock_error_ns);
		ct_json_close(json);
	}
	ct_json_close(json);
}

static void put_warnings(struct ct_json *json, const struct ct_calls *calls,
			 const struct ct_symbols *symbols)
{
	const char *const *lines;
	size_t count = ct_trace_warnings(calls->trace, &lines);

	ct_json_open_array(json, "warnings", CT_JSON_LINES);
	for (size_t i = 0; i < count; i++)
		ct_json_put_text(json, NULL, lines[i]);
	count = ct_symbols_warnings(symbols, &lines);
	for (size_t i = 0; i < count; i++)
		ct_json_put_text(json, NULL, lines[i]);
	ct_json_close(json);
}

int ct_calls_write_json(FILE *out, const struct ct_calls *calls, const struct ct_call_tree *tree,
			const char *name)
{
	struct ct_json json;
	int err;

	ct_json_init(&json, out, 2, CT_JSON_UTF8);
	ct_json_open_object(&json, NULL, CT_JSON_LINES);
	ct_json_put_text(&json, "schema", "cudatrace-calls-1");
	ct_json_put_text(&json, "trace", name);
	put_seconds(&json, "run_seconds", calls->run_ns);
	put_seconds(&json, "call_seconds", calls->calls_ns);
	put_seconds(&json, "device_seconds", calls->device_ns);
	put_seconds(&json, "tracer_seconds", calls->tracer.total_ns);
	ct_json_put_bool(&json, "waits_are_bounds", calls->waits_are_bounds);
	ct_json_put_bool(&json, "copies_are_calls", calls->copies_are_calls);
	put_parts(&json, calls);
	err = put_functions(&json, "calls", calls, OUTER);
	if (err == 0)
		err = put_functions(&json, "inner_calls", calls, INNER);
	if (err == 0)
		err = put_functions(&json, "ranges", calls, SPANS);
	if (err == 0)
		err = put_kernels(&json, calls);
	if (err == 0)
		err = put_all_copies(&json, calls);
	if (err == 0)
		err = put_waits(&json, calls);
	put_threads(&json, calls);
	put_streams(&json, calls);
	if (err == 0)
		err = put_stacks(&json, tree);
	put_warnings(&json, calls, tree->symbols);
	ct_json_close(&json);
	fputc('\n', out);
	if (err < 0)
		ct_json_fail(&json, err);
	return ct_json_error(&json);
}
