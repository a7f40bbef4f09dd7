/* SPDX-License-Identifier: Apache-2.0 */
/* sass-lines CUBIN: of each instruction the function, its address in its section, file and line of
 * the source, line of the PTX, inlined functions and lines of their calls: to compare with
 * nvdisasm. */
#include "postproc/sass/cubin.h"

#include <stdio.h>
#include <stdlib.h>

#define INSTRUCTION_BYTES 16u

static void *read_file(const char *path, size_t *bytes)
{
	FILE *file = fopen(path, "r");
	char *content = NULL;
	size_t room = 0, got;

	*bytes = 0;
	while (file) {
		room = room ? 2 * room : 1u << 16;
		content = realloc(content, room);
		if (!content)
			exit(1);
		got = fread(content + *bytes, 1, room - *bytes, file);
		*bytes += got;
		if (*bytes < room)
			break;
	}
	if (file)
		fclose(file);
	return content;
}

/* Lines of the calls that it was inlined at, the innermost first. */
static void print_calls(const struct ct_cubin *cubin, const struct ct_line *row)
{
	const char *callee;

	while (row && (row = ct_cubin_caller(cubin, row, &callee)))
		printf(" %s:%u", callee, row->line);
	putchar('\n');
}

static void print_function(const struct ct_cubin *cubin, const struct ct_cubin_function *function)
{
	for (uint64_t pc = 0; pc < function->bytes; pc += INSTRUCTION_BYTES) {
		struct ct_cubin_place place;

		if (!ct_cubin_find(cubin, function->symbol, pc, &place))
			exit(1);
		printf("%s\t%04llx\t%s\t%u\t%u\t", function->symbol,
		       (unsigned long long)place.address, *place.file ? place.file : "-",
		       place.line, place.ptx_line);
		print_calls(cubin, place.source);
	}
}

int main(int argc, char **argv)
{
	const struct ct_cubin_function *functions;
	struct ct_cubin *cubin;
	size_t bytes, count;
	void *content = argc == 2 ? read_file(argv[1], &bytes) : NULL;

	if (!content || ct_cubin_open(&cubin, content, bytes) < 0) {
		fprintf(stderr, "sass-lines: %s: not a cubin\n", argc == 2 ? argv[1] : "");
		return 1;
	}
	count = ct_cubin_functions(cubin, &functions);
	for (size_t i = 0; i < count; i++)
		if (*functions[i].symbol != '$')
			print_function(cubin, &functions[i]);
	ct_cubin_close(cubin);
	free(content);
	return 0;
}
