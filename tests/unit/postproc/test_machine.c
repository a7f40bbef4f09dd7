/* SPDX-License-Identifier: Apache-2.0 */
/* Devices: what an SM holds, files, sets that are shipped. */
#include "postproc/analysis/model/machine.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Nsight Compute says that this is set aside for shared memory on an H100, by CTAs that an SM
 * could hold and what each uses. */
Test(machine, shared_memory_is_set_aside_as_on_an_h100)
{
	static const struct {
		uint32_t resident, shared, aside;
	} known[] = {
	    {32, 0, 32768},    {16, 0, 32768},    {8, 0, 32768},     {4, 0, 16384},
	    {5, 1, 16384},     {32, 36, 65536},   {32, 256, 65536},  {32, 512, 65536},
	    {32, 1024, 65536}, {24, 1024, 65536}, {8, 2048, 65536},  {8, 2560, 65536},
	    {8, 3072, 65536},  {8, 4096, 102400}, {8, 4224, 102400}, {32, 2180, 135168},
	};
	struct ct_machine m;

	cr_assert(ct_machine_shipped(&m, "NVIDIA H100 80GB HBM3"));
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		cr_assert_eq(ct_machine_l1_left(&m, known[i].resident, known[i].shared),
			     262144 - known[i].aside, "%zu", i);
	cr_assert_eq(ct_machine_l1_left(&m, 1, 220 << 10), 262144 - 233472);
}

Test(machine, occupancy_is_of_the_scarcest_resource)
{
	struct ct_machine m;

	ct_machine_default(&m, "made up", 90, 132, 80ull << 30);
	cr_assert_eq(ct_machine_resident(&m, 256, 0, 0), 8);       /* 64 warps by 8 */
	cr_assert_eq(ct_machine_resident(&m, 32, 0, 0), 32);       /* CTAs of an SM */
	cr_assert_eq(ct_machine_resident(&m, 256, 128, 0), 2);     /* 65536 by 256 * 128 */
	cr_assert_eq(ct_machine_resident(&m, 256, 33, 0), 6);      /* 33 * 32 are 5 units of 256 */
	cr_assert_eq(ct_machine_resident(&m, 64, 0, 48 << 10), 4); /* 228 KiB by 49 */
	cr_assert_eq(ct_machine_resident(&m, 1024, 255, 0), 1);
	cr_assert_not(m.is_measured);
	cr_assert_eq(m.sm_count, 132);
}

Test(machine, a_file_of_ctrun_calibrate_is_read)
{
	char path[] = "/tmp/ct-model-XXXXXX", why[CT_MACHINE_TEXT_BYTES];
	struct ct_machine m;
	int fd = mkstemp(path);

	cr_assert_geq(fd, 0);
	dprintf(fd, "{\"schema\": \"cudatrace-calibration-1\", \"device\": \"X\", "
		    "\"compute_capability\": \"9.0\", \"machine\": {\"clock_hz\": 1e9, "
		    "\"sm_count\": 7}}");
	close(fd);
	cr_assert_eq(ct_machine_read(&m, path, why), 0);
	cr_assert_eq(m.clock_hz, 1e9);
	cr_assert_eq(m.sm_count, 7);
	cr_assert_eq(m.fma64_lanes, 64); /* of the architecture */
	cr_assert(m.is_measured);
	truncate(path, 10);
	cr_assert_lt(ct_machine_read(&m, path, why), 0);
	unlink(path);
}

/* Sets that come with cuda-trace have every parameter; of other devices there is none. */
Test(machine, a_shipped_set_is_whole)
{
	struct ct_machine m = {.sm_count = 0};

	cr_assert_not(ct_machine_shipped(&m, "NVIDIA H100"));
	cr_assert(ct_machine_shipped(&m, "NVIDIA H100 80GB HBM3"));
	cr_assert(m.is_measured);
	cr_assert_str_eq(m.name, "NVIDIA H100 80GB HBM3");
	/* A set of one device knows nothing of copies between devices. */
#define CT_MACHINE(name, unit, meaning)                                                            \
	if (strncmp(#name, "peer_", 5) != 0)                                                       \
		cr_assert_gt(m.name, 0, #name);
#include <cudatrace/machine.def>
#undef CT_MACHINE
	cr_assert_lt(m.dram_read_bandwidth, m.dram_peak_bandwidth);
	cr_assert_lt(m.l1_latency, m.l2_latency);
	cr_assert_lt(m.l2_latency, m.dram_latency);
}
