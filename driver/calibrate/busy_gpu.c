/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel that looks at the clock: as PTX, which the driver compiles for whatever GPU there is. */
#include "driver/calibrate/busy.h"

#include <cuda.h>
#include <dlfcn.h>
#include <stdio.h>

const char ct_busy_target[] = "gpu";

static const char ptx[] = ".version 6.0\n"
			  ".target sm_50\n"
			  ".address_size 64\n"
			  ".visible .entry busy(.param .u64 ns)\n"
			  "{\n"
			  ".reg .u64 %begin, %now, %ns;\n"
			  ".reg .pred %more;\n"
			  "ld.param.u64 %ns, [ns];\n"
			  "mov.u64 %begin, %globaltimer;\n"
			  "AGAIN:\n"
			  "mov.u64 %now, %globaltimer;\n"
			  "sub.u64 %now, %now, %begin;\n"
			  "setp.lt.u64 %more, %now, %ns;\n"
			  "@%more bra AGAIN;\n"
			  "ret;\n"
			  "}\n";

/* The driver's, which is not there to link to where there is no GPU. */
static CUresult (*load)(CUmodule *module, const void *image);
static CUresult (*get)(CUfunction *function, CUmodule module, const char *name);
static CUresult (*launch)(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
			  unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
			  CUstream stream, void **parameters, void **extra);
static CUfunction busy[CT_BUSY_DEVICES];

static int find(void)
{
	void *driver = dlopen("libcuda.so.1", RTLD_NOW);

	if (driver) {
		*(void **)&load = dlsym(driver, "cuModuleLoadData");
		*(void **)&get = dlsym(driver, "cuModuleGetFunction");
		*(void **)&launch = dlsym(driver, "cuLaunchKernel");
	}
	return load && get && launch ? 0 : -1;
}

int ct_busy_init(void)
{
	CUmodule module;
	int device = 0;

	if (cudaGetDevice(&device) != cudaSuccess || device >= CT_BUSY_DEVICES) {
		fprintf(stderr, "device %d is not kept busy\n", device);
		return -1;
	}
	if (find() < 0) {
		fprintf(stderr, "CUDA's driver (libcuda.so.1) cannot be loaded\n");
		return -1;
	}
	if (load(&module, ptx) != CUDA_SUCCESS ||
	    get(&busy[device], module, "busy") != CUDA_SUCCESS) {
		fprintf(stderr, "the driver does not take a kernel as PTX\n");
		return -1;
	}
	return 0;
}

int ct_busy_begin(cudaStream_t stream, unsigned long long ns)
{
	void *parameters[] = {&ns};
	int device = 0;

	cudaGetDevice(&device);
	return launch(busy[device], 1, 1, 1, 1, 1, 1, 0, stream, parameters, NULL) == CUDA_SUCCESS
		   ? 0
		   : -1;
}
