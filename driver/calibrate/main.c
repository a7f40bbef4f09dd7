/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What ctrun calibrate runs: asks each call (probed.def) whether it waits, measures the device for
 * models (machine.def), and writes JSON (docs/json-schema.md) to its standard output. Its argument:
 * milliseconds that the device is busy.
 * Exit 0; 1: it fails; 77: there is no device.
 */
#include "driver/calibrate/busy.h"
#include "driver/calibrate/machine.h"
#include "driver/calibrate/probe.h"

#include <stdio.h>
#include <stdlib.h>

#define MILLISECONDS 30

static const char *answer_text(enum ct_probe_answer answer)
{
	return answer == CT_PROBE_YES ? "true" : answer == CT_PROBE_NO ? "false" : "null";
}

static void write_device(void)
{
	struct cudaDeviceProp properties;
	int driver = 0, runtime = 0;

	cudaGetDeviceProperties(&properties, 0);
	cudaDriverGetVersion(&driver);
	cudaRuntimeGetVersion(&runtime);
	printf(
	    "  \"target\": \"%s\",\n  \"device\": \"%s\",\n  \"compute_capability\": \"%d.%d\",\n"
	    "  \"cuda_driver\": %d,\n  \"cuda_runtime\": %d,\n",
	    ct_busy_target, properties.name, properties.major, properties.minor, driver, runtime);
}

static void write_answers(struct ct_probe *probe, const struct ct_probed *probed)
{
	static const char *const names[] = {"legacy", "blocking", "non_blocking", "own"};

	printf("    {\"call\": \"%s\", \"variant\": \"%s\"", probed->function, probed->variant);
	for (int place = 0; place < CT_PROBE_PLACES; place++)
		printf(", \"%s\": %s", names[place],
		       answer_text(ct_probe_ask(probe, probed, (enum ct_probe_place)place)));
	printf("}");
}

/* The numbers that are known, or nothing if the device cannot be measured: which calls wait is
 * worth having without. */
static void write_machine(void)
{
	struct ct_machine_values machine = {0};
	const char *before = "";

	if (ct_machine_measure(&machine) < 0)
		return;
	printf("  \"machine\": {");
#define CT_MACHINE(name, unit, meaning)                                                            \
	if (machine.name > 0) {                                                                    \
		printf("%s\n    \"" #name "\": %.6g", before, machine.name);                       \
		before = ",";                                                                      \
	}
#include <cudatrace/machine.def>
#undef CT_MACHINE
	printf("\n  },\n");
}

int main(int argc, char **argv)
{
	unsigned milliseconds = argc > 1 ? (unsigned)atoi(argv[1]) : MILLISECONDS;
	static struct ct_probe probe; /* its memory lives as long as the process */
	int devices = 0;

	if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
		fprintf(stderr, "there is no device\n");
		return 77;
	}
	if (ct_probe_init(&probe, milliseconds * 1000000ull) < 0)
		return 1;
	printf("{\n  \"schema\": \"cudatrace-calibration-1\",\n");
	write_device();
	write_machine();
	printf("  \"busy_seconds\": %.3f,\n  \"waits\": [\n", milliseconds * 1e-3);
	for (unsigned i = 0; i < ct_probed_count; i++) {
		write_answers(&probe, &ct_probed[i]);
		printf("%s\n", i + 1 < ct_probed_count ? "," : "");
	}
	printf("  ]\n}\n");
	return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
