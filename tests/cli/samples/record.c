/* SPDX-License-Identifier: Apache-2.0 */
/*
 * record TRACE KERNEL CUBIN|- PLACES|- [UNIT]: a trace with samples, from lines of stdin
 *
 *	LAUNCH FUNCTION PC REASON SAMPLES
 *
 * PC in hexadecimal digits, REASON as CUPTI calls it. A launch of KERNEL for each number other than
 * 0; each launch has one look, of a period of 1024 cycles; 7 samples of each are dropped, 3 are
 * others'.
 */
#include "tests/builder/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LAUNCHES_MAX 1000u
#define CUBIN 0x1234abcdu

static void die(const char *what)
{
	fprintf(stderr, "record: %s\n", what);
	exit(1);
}

static size_t read_file(const char *path, void *bytes, size_t room)
{
	FILE *file = fopen(path, "r");
	size_t count;

	if (!file)
		die(path);
	count = fread(bytes, 1, room, file);
	fclose(file);
	return count;
}

static void add_unit(struct build *b, const char *path)
{
	static char bytes[1 << 20];

	build_add_blob(b, bytes, read_file(path, bytes, sizeof(bytes)));
}

static void add_code(struct build *b, const char *path, uint32_t kind, uint64_t id)
{
	const struct ct_code_header header = {.kind = kind, .id = id};
	static char bytes[16 << 20];

	if (strcmp(path, "-") == 0)
		return;
	if (ct_writer_code(b->writer, &header, bytes,
			   read_file(path, bytes, sizeof(bytes) - sizeof(header))) < 0)
		die("code");
}

static void check_rows(int err)
{
	if (err < 0)
		die("rows");
}

int main(int argc, char **argv)
{
	static struct ct_row_sample samples[65536];
	static struct ct_row_look looks[LAUNCHES_MAX];
	char function[512], reason[512];
	unsigned long long pc, number;
	unsigned launch;
	size_t count = 0, look_count = 0;
	struct build *b;

	if (argc != 5 && argc != 6)
		die("record TRACE KERNEL CUBIN PLACES [UNIT]");
	b = build_part(argv[1], NULL);
	BUILD_EVENT(b, device, .name = build_string(b, "Demo"), .sm_count = 2, .arch = 90);
	BUILD_EVENT(b, sampling, .source = build_string(b, "CUPTI"));
	add_code(b, argv[3], CT_CODE_CUBIN, CUBIN);
	add_code(b, argv[4], CT_CODE_PLACES, 1);
	if (argc == 6)
		add_unit(b, argv[5]);
	while (count < 65536 &&
	       scanf("%u %511s %llx %511s %llu", &launch, function, &pc, reason, &number) == 5) {
		if (launch >= LAUNCHES_MAX)
			die("too many launches");
		while (b->launches < launch)
			BUILD_LAUNCH(b, .kernel_name = build_string(b, argv[2]),
				     .reason = build_string(b, "sampled"), .context = 1);
		if (!look_count || looks[look_count - 1].launch != launch)
			looks[look_count++] = (struct ct_row_look){
			    .time_ns = BUILD_START_NS,
			    .period = 1024,
			    .total = 10,
			    .dropped = 7,
			    .others = 3,
			    .launch = launch,
			    .mode = launch ? CT_LOOK_SERIAL : CT_LOOK_CONCURRENT,
			};
		looks[look_count - 1].total += number;
		samples[count++] = (struct ct_row_sample){
		    .cubin = CUBIN,
		    .pc = pc,
		    .samples = number,
		    .look = (uint32_t)look_count,
		    .function = build_string(b, function),
		    .reason = build_string(b, reason),
		};
	}
	check_rows(ct_writer_flush(b->writer));
	check_rows(ct_writer_rows(b->writer, CT_TABLE_LOOK, looks, look_count, NULL));
	check_rows(ct_writer_rows(b->writer, CT_TABLE_SAMPLE, samples, count, NULL));
	return build_close(b, "{}") < 0;
}
