/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a cubin, as its machine code, as a blob of places, as the text of PTX. */
#include "postproc/sass/cubin.h"
#include "postproc/sass/decode.h"
#include "postproc/sass/flow.h"
#include "postproc/sass/places.h"
#include "postproc/sass/ptx.h"
#include "tests/fuzz/scratch.h"

#include <stdlib.h>
#include <string.h>

static void use_flow(const char *text, size_t bytes)
{
	struct ct_ptx_flow *flow;

	if (ct_flow_open(&flow, text, bytes) < 0)
		return;
	for (uint32_t line = 0; line < 32; line++) {
		struct ct_flow_loop loop = ct_flow_loop(flow, line);

		if (loop.first > loop.last)
			abort();
		free(ct_flow_before(flow, line));
	}
	ct_flow_close(flow);
}

static void use_ptx(const char *text, size_t bytes)
{
	uint32_t lines[CT_PTX_PRODUCERS_MAX];
	struct ct_ptx *ptx;

	if (ct_ptx_open(&ptx, text, bytes) < 0)
		return;
	for (uint32_t line = 0; line < 32; line++) {
		ct_ptx_producers(ptx, line, CT_PTX_LONG, lines);
		ct_ptx_producers(ptx, line, CT_PTX_SHORT, lines);
	}
	ct_ptx_close(ptx);
}

static void use_cubin(const void *data, size_t size)
{
	const struct ct_cubin_function *functions;
	struct ct_cubin *cubin;
	size_t count, bytes;
	const char *text;

	if (ct_cubin_open(&cubin, data, size) < 0)
		return;
	count = ct_cubin_functions(cubin, &functions);
	for (size_t i = 0; i < count && i < 8; i++)
		for (uint64_t pc = 0; pc < 0x100; pc += 16) {
			struct ct_cubin_place place;
			const char *callee;

			if (!ct_cubin_find(cubin, functions[i].symbol, pc, &place))
				abort();
			for (unsigned depth = 0; place.source && depth < 8; depth++)
				place.source = ct_cubin_caller(cubin, place.source, &callee);
		}
	text = ct_cubin_ptx(cubin, "", &bytes);
	if (text)
		use_ptx(text, bytes);
	ct_cubin_close(cubin);
}

/* The instructions of each section of code: blocks that hold all of them, and edges to blocks. */
static void use_code(const void *data, size_t size)
{
	struct ct_elf elf;

	if (ct_elf_view(&elf, data, size) < 0)
		return;
	for (size_t i = 1; i < elf.section_count; i++) {
		const char *name = ct_elf_section_name(&elf, i);
		struct ct_sass_code code;
		uint32_t next = 0;

		if (strncmp(name, ".text.", 6) != 0)
			continue;
		if (ct_sass_decode(&code, &elf, name + 6) < 0)
			abort();
		for (uint32_t b = 0; b < code.blocks; b++) {
			const struct ct_sass_block *block = &code.block[b];

			if (block->first != next || !block->count)
				abort();
			next += block->count;
			for (unsigned n = 0; n < 2; n++)
				if (block->next[n] >= code.blocks && block->next[n] != UINT32_MAX)
					abort();
		}
		if (next != code.instructions)
			abort();
		ct_sass_fini(&code);
	}
}

static void use_places(const void *data, size_t size)
{
	struct ct_places places;
	volatile size_t sum = 0;

	if (ct_places_view(&places, data, size) < 0)
		return;
	for (uint32_t i = 0; i < places.header->function_count; i++)
		for (uint32_t line = 0; line < 32; line++) {
			uint32_t at = ct_places_find(&places, &places.functions[i], line);

			for (; at != CT_NO_PLACE; at = places.places[at].inlined_at)
				sum += strlen(ct_places_string(&places, places.places[at].file));
		}
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	char *copy = malloc(size + 1); /* aligned */

	if (!copy)
		return 0;
	if (size)
		memcpy(copy, data, size);
	copy[size] = '\0';
	use_cubin(copy, size);
	use_code(copy, size);
	use_places(copy, size);
	use_ptx(copy, size + 1);
	use_flow(copy, size + 1);
	free(copy);
	return 0;
}
