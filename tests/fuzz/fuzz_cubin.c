/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a cubin, as a blob of places, as the text of PTX. */
#include "postproc/sass/cubin.h"
#include "postproc/sass/places.h"
#include "postproc/sass/ptx.h"
#include "tests/fuzz/scratch.h"

#include <stdlib.h>
#include <string.h>

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
	use_places(copy, size);
	use_ptx(copy, size + 1);
	free(copy);
	return 0;
}
