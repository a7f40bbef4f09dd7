/* SPDX-License-Identifier: Apache-2.0 */
/* Where parameters stand in the one buffer that launches of the driver's API may give. */
#include "cpu-target/runtime/api/packed.h"
#include "cpu-target/runtime/module/symbol.h"
#include <stdlib.h>
#include <string.h>

/* Alignments stand behind the sizes (retarget/entry/registration.cpp). */
static size_t offset_of(const struct ct_cpu_kernel *kernel, size_t index)
{
	const uint32_t *bytes = kernel->param_bytes, *alignment = bytes + kernel->param_count;
	size_t offset = 0;

	for (size_t i = 0;; offset += bytes[i++]) {
		offset = (offset + alignment[i] - 1) & ~(size_t)(alignment[i] - 1);
		if (i == index)
			return offset;
	}
}

CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset, size_t *bytes)
{
	struct ct_function *found;

	if (ct_symbol_function((const void *)function, &found))
		return CUDA_ERROR_INVALID_HANDLE;
	if (!offset || index >= found->kernel->param_count)
		return CUDA_ERROR_INVALID_VALUE;
	*offset = offset_of(found->kernel, index);
	if (bytes)
		*bytes = found->kernel->param_bytes[index];
	return CUDA_SUCCESS;
}

CUresult cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t *offset, size_t *bytes)
{
	return cuFuncGetParamInfo((CUfunction)kernel, index, offset, bytes);
}

/* Reads {option, value, ..., CU_LAUNCH_PARAM_END}; false: not known. */
static bool read_options(void **extra, char **buffer, size_t *bytes)
{
	for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
		if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
			*buffer = extra[1];
		else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE && extra[1])
			*bytes = *(const size_t *)extra[1];
		else
			return false;
	}
	return true;
}

CUresult ct_packed_arguments(const void *stub, void **extra, void ***arguments)
{
	struct ct_function *function;
	char *buffer = NULL, *copy;
	size_t bytes = 0, all;
	uint32_t count, pointers;

	*arguments = NULL;
	if (ct_symbol_function(stub, &function))
		return CUDA_ERROR_INVALID_HANDLE;
	count = function->kernel->param_count;
	if (!read_options(extra, &buffer, &bytes))
		return CUDA_ERROR_INVALID_VALUE;
	if (!count)
		return CUDA_SUCCESS;
	if (!buffer)
		return CUDA_ERROR_INVALID_VALUE;
	all = offset_of(function->kernel, count - 1) + function->kernel->param_bytes[count - 1];
	pointers = (count + 1) & ~1u; /* what is behind them is aligned as memory is */
	*arguments = calloc(1, pointers * sizeof(**arguments) + all);
	if (!*arguments)
		return CUDA_ERROR_OUT_OF_MEMORY;
	copy = (char *)(*arguments + pointers);
	memcpy(copy, buffer, bytes < all ? bytes : all); /* drivers take fewer bytes, too */
	for (uint32_t i = 0; i < count; i++)
		(*arguments)[i] = copy + offset_of(function->kernel, i);
	return CUDA_SUCCESS;
}
