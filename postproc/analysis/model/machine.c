/* SPDX-License-Identifier: Apache-2.0 */
/* Devices: files, shipped sets, defaults. */
#include "postproc/analysis/model/machine.h"

#include <cudatrace/error.h>
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define RESERVED 1024.0   /* bytes of each CTA's shared memory that the system keeps */
#define SHARED_UNIT 128.0 /* bytes by which it hands it out */
#define L1_LEAST 16384u
#define CPU_STANDS_FOR 90u /* the architecture that the CPU target's kernels are compiled for */

/* Values that do not depend on the clock, by the CUDA programming guide's table of compute
 * capabilities; latencies are of the order that is measured on such devices. */
static const struct arch {
	uint32_t arch;
	struct ct_machine machine;
} archs[] = {
    {70,
     {.sm_count = 80,
      .clock_hz = 1.53e9,
      .warps_per_sm = 64,
      .ctas_per_sm = 32,
      .shared_bytes_per_sm = 98304,
      .l1_bytes = 131072,
      .l2_bytes = 6291456,
      .fma32_lanes = 64,
      .fma64_lanes = 32,
      .fma16_lanes = 64,
      .dram_latency = 480,
      .dram_peak_bandwidth = 900e9}},
    {75,
     {.sm_count = 40,
      .clock_hz = 1.59e9,
      .warps_per_sm = 32,
      .ctas_per_sm = 16,
      .shared_bytes_per_sm = 65536,
      .l1_bytes = 98304,
      .l2_bytes = 4194304,
      .fma32_lanes = 64,
      .fma64_lanes = 2,
      .fma16_lanes = 64,
      .dram_latency = 480,
      .dram_peak_bandwidth = 320e9}},
    {80,
     {.sm_count = 108,
      .clock_hz = 1.41e9,
      .warps_per_sm = 64,
      .ctas_per_sm = 32,
      .shared_bytes_per_sm = 167936,
      .l1_bytes = 196608,
      .l2_bytes = 41943040,
      .fma32_lanes = 64,
      .fma64_lanes = 32,
      .fma16_lanes = 128,
      .dram_latency = 480,
      .dram_peak_bandwidth = 1555e9}},
    {86,
     {.sm_count = 84,
      .clock_hz = 1.7e9,
      .warps_per_sm = 48,
      .ctas_per_sm = 16,
      .shared_bytes_per_sm = 102400,
      .l1_bytes = 131072,
      .l2_bytes = 6291456,
      .fma32_lanes = 128,
      .fma64_lanes = 2,
      .fma16_lanes = 128,
      .dram_latency = 500,
      .dram_peak_bandwidth = 760e9}},
    {89,
     {.sm_count = 128,
      .clock_hz = 2.5e9,
      .warps_per_sm = 48,
      .ctas_per_sm = 24,
      .shared_bytes_per_sm = 102400,
      .l1_bytes = 131072,
      .l2_bytes = 75497472,
      .fma32_lanes = 128,
      .fma64_lanes = 2,
      .fma16_lanes = 128,
      .dram_latency = 600,
      .dram_peak_bandwidth = 1008e9}},
    {90,
     {.sm_count = 132,
      .clock_hz = 1.755e9,
      .warps_per_sm = 64,
      .ctas_per_sm = 32,
      .shared_bytes_per_sm = 233472,
      .l1_bytes = 262144,
      .l2_bytes = 52428800,
      .fma32_lanes = 128,
      .fma64_lanes = 64,
      .fma16_lanes = 128,
      .dram_latency = 600,
      .dram_peak_bandwidth = 3352e9}},
};

/* Sets values of all of them; latencies of pipelines have changed little since 7.0. */
static void fill_common(struct ct_machine *m)
{
	const struct ct_machine common = {
	    .memory_bytes = 16e9,
	    .registers_per_sm = 65536,
	    .sfu_lanes = 16,
	    .integer_lanes = 64,
	    .multiply_lanes = 64,
	    .special_latency = 40,
	    .divide32_latency = 63,
	    .divide64_latency = m->fma64_lanes < 16 ? 600 : 150,
	    .integer_divide_latency = 90,
	    .branch_latency = 18,
	    .l2_latency = m->dram_latency * 0.45,
	    .l1_latency = 33,
	    .shared_latency = 29,
	    .fma32_latency = 4,
	    .fma64_latency = m->fma64_lanes < 16 ? 40 : 8,
	    .fma16_latency = 5,
	    .sfu_latency = 18,
	    .integer_latency = 4.5,
	    .multiply_latency = 4.5,
	    .dram_read_bandwidth = m->dram_peak_bandwidth * 0.9,
	    .dram_copy_bandwidth = m->dram_peak_bandwidth * 0.88,
	    .dram_triad_bandwidth = m->dram_peak_bandwidth * 0.88,
	    .l2_bandwidth = 40 * m->sm_count * m->clock_hz,
	    .l1_bandwidth = 64,
	    .shared_bandwidth = 128,
	    .departure_delay = 4,
	    .departure_delay_l2 = 2,
	    .bank_conflict_delay = 2,
	    .barrier_cycles = 40,
	    .barrier_latency = 30,
	    .barrier_factor = 0.1,
	    .atomic_same_rate = m->clock_hz,
	    .atomic_apart_rate = 0.5 * m->clock_hz * m->sm_count,
	    .launch_seconds = 2.2e-6,
	    .launch_wait_seconds = 7e-6,
	    .kernel_seconds = 1e-6,
	    .cta_seconds = 0.8 / m->clock_hz,
	    .to_device_bandwidth = 25e9,
	    .to_host_bandwidth = 25e9,
	    .pageable_to_device_bandwidth = 8e9,
	    .pageable_to_host_bandwidth = 8e9,
	    .copy_seconds = 8e-6,
	    .peer_bandwidth = 20e9,
	    .peer_both_bandwidth = 20e9,
	    .peer_seconds = 3e-6,
	    .peer_wait_seconds = 12e-6,
	    .peer_step_seconds = 15e-6,
	    .peer_issue_seconds = 10e-6,
	};

#define CT_MACHINE(name, unit, meaning)                                                            \
	if (!(m->name > 0))                                                                        \
		m->name = common.name;
#include <cudatrace/machine.def>
#undef CT_MACHINE
}

static void fill_arch(struct ct_machine *m, uint32_t arch)
{
	const struct ct_machine *nearest = &archs[0].machine;

	for (size_t i = 0; i < sizeof(archs) / sizeof(*archs); i++)
		if (archs[i].arch <= arch)
			nearest = &archs[i].machine;
#define CT_MACHINE(name, unit, meaning)                                                            \
	if (!(m->name > 0))                                                                        \
		m->name = nearest->name;
#include <cudatrace/machine.def>
#undef CT_MACHINE
	fill_common(m);
}

void ct_machine_default(struct ct_machine *machine, const char *name, uint32_t arch,
			uint32_t sm_count, uint64_t memory_bytes)
{
	*machine = (struct ct_machine){
	    .sm_count = sm_count,
	    .memory_bytes = (double)memory_bytes,
	};
	snprintf(machine->name, sizeof(machine->name), "%s", name);
	snprintf(machine->origin, sizeof(machine->origin),
		 "defaults for compute capability %u.%u, not measured", arch / 10, arch % 10);
	fill_arch(machine, arch);
}

bool ct_machine_is_cpu(const struct ct_trace *trace)
{
	const struct ct_device_info *devices;

	return ct_trace_devices(trace, &devices) && devices->event->is_cpu_target;
}

void ct_machine_of_trace(struct ct_machine *machine, const struct ct_trace *trace)
{
	const struct ct_device_info *devices;
	size_t count = ct_trace_devices(trace, &devices);

	if (count && ct_machine_shipped(machine, devices->name))
		return;
	if (count && !devices->event->is_cpu_target)
		ct_machine_default(machine, devices->name, devices->event->arch,
				   devices->event->sm_count, devices->event->memory_bytes);
	else
		ct_machine_default(machine, "no GPU: as on one of this capability", CPU_STANDS_FOR,
				   0, 0);
}

/* 90 of "9.0" */
static uint32_t arch_of(const char *text)
{
	unsigned major = 0, minor = 0;

	return text && sscanf(text, "%u.%u", &major, &minor) == 2 ? major * 10 + minor : 0;
}

int ct_machine_read(struct ct_machine *machine, const char *path, char *why)
{
	json_error_t error;
	json_t *root = json_load_file(path, 0, &error), *numbers = json_object_get(root, "machine");
	const char *schema = json_string_value(json_object_get(root, "schema"));
	const char *device = json_string_value(json_object_get(root, "device"));
	const char *capability = json_string_value(json_object_get(root, "compute_capability"));
	int err = 0;

	*machine = (struct ct_machine){.is_measured = true};
	if (!root) {
		snprintf(why, CT_MACHINE_TEXT_BYTES, "%.200s", error.text);
		return -CT_EFORMAT;
	}
	if (!schema || strcmp(schema, "cudatrace-calibration-1") != 0 || !json_is_object(numbers)) {
		snprintf(why, CT_MACHINE_TEXT_BYTES,
			 "it is no calibration with \"machine\"; ctrun calibrate writes one");
		err = -CT_EFORMAT;
	} else {
#define CT_MACHINE(name, unit, meaning)                                                            \
	machine->name = fmax(json_number_value(json_object_get(numbers, #name)), 0);
#include <cudatrace/machine.def>
#undef CT_MACHINE
		machine->has_peers = machine->peer_both_bandwidth > 0 && machine->peer_seconds > 0;
		if (machine->has_peers && !(machine->peer_step_seconds > 0)) { /* an older file */
			machine->peer_step_seconds = machine->peer_seconds;
			machine->peer_issue_seconds = machine->launch_seconds;
		}
		snprintf(machine->name, sizeof(machine->name), "%s", device ? device : "");
		snprintf(machine->origin, sizeof(machine->origin), "measured: %.200s", path);
		if (!(machine->clock_hz > 0)) {
			machine->is_measured = false;
			snprintf(machine->origin, sizeof(machine->origin),
				 "copies and launches measured (%.120s), the rest defaults for "
				 "compute capability %.8s",
				 path, capability ? capability : "unknown");
		}
		fill_arch(machine, arch_of(capability));
	}
	json_decref(root);
	return err;
}

static double least(double a, double b)
{
	return a < b ? a : b;
}

uint32_t ct_machine_resident(const struct ct_machine *machine, uint32_t cta_threads,
			     uint32_t registers, uint64_t shared_bytes)
{
	double warps = ceil(cta_threads / 32.0), ctas = machine->ctas_per_sm;

	ctas = least(ctas, floor(machine->warps_per_sm / (warps > 0 ? warps : 1)));
	if (registers) /* in units of 256 for a warp */
		ctas = least(ctas, floor(machine->registers_per_sm /
					 (warps * ceil(registers * 32.0 / 256) * 256)));
	if (shared_bytes)
		ctas = least(
		    ctas, floor(machine->shared_bytes_per_sm / ((double)shared_bytes + RESERVED)));
	return ctas >= 1 ? (uint32_t)ctas : 1;
}

/* Returns what the driver sets aside for shared memory: by Nsight Compute
 * (launch__shared_mem_config_size of 58 kernels, docs/validation.md) enough for twice as many
 * CTAs as an SM could hold, if they use any, else for four times as many, ctas_per_sm at most; in
 * steps of the CUDA programming guide. */
static double set_aside(const struct ct_machine *machine, uint32_t resident, uint64_t shared_bytes)
{
	static const double steps[] = {8, 16, 32, 64, 100, 132, 164, 196, 228};
	double ctas = least(machine->ctas_per_sm, resident * (shared_bytes ? 2.0 : 4.0));
	double needed = ctas * (ceil((double)shared_bytes / SHARED_UNIT) * SHARED_UNIT + RESERVED);

	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++)
		if (steps[i] * 1024 >= needed)
			return least(machine->shared_bytes_per_sm, steps[i] * 1024);
	return machine->shared_bytes_per_sm;
}

uint64_t ct_machine_l1_left(const struct ct_machine *machine, uint32_t resident,
			    uint64_t shared_bytes)
{
	double left = machine->l1_bytes - set_aside(machine, resident, shared_bytes);

	return left > L1_LEAST ? (uint64_t)left : L1_LEAST;
}
