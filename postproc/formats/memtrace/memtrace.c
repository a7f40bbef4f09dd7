/* SPDX-License-Identifier: Apache-2.0 */
/* Records of the thesis' trace format. */
#include "postproc/formats/memtrace/memtrace.h"
#include "postproc/facts/operation.h"

static void put64(uint8_t *out, uint64_t value)
{
	for (int i = 0; i < 8; i++)
		out[i] = (uint8_t)(value >> (8 * i));
}

static uint64_t get64(const uint8_t *in)
{
	uint64_t value = 0;

	for (int i = 0; i < 8; i++)
		value |= (uint64_t)in[i] << (8 * i);
	return value;
}

void ct_memtrace_pack(const struct ct_memtrace_record *record, uint8_t out[CT_MEMTRACE_BYTES])
{
	put64(out, (uint64_t)record->sm << 32 | (uint64_t)(record->type & 15u) << 28 |
		       (record->size & CT_MEMTRACE_SIZE_MAX));
	put64(out + 8, record->address);
	put64(out + 16, (uint64_t)record->cta[0] << 32 |
			    (uint64_t)(record->cta[1] & 0xffffu) << 16 |
			    (record->cta[2] & 0xffffu));
}

int ct_memtrace_unpack(const uint8_t in[CT_MEMTRACE_BYTES], struct ct_memtrace_record *record)
{
	uint64_t description = get64(in), address = get64(in + 8), cta = get64(in + 16);

	record->sm = (uint32_t)(description >> 32);
	record->type = (uint32_t)(description >> 28) & 15u;
	record->size = (uint32_t)description & CT_MEMTRACE_SIZE_MAX;
	record->address = address;
	record->cta[0] = (uint32_t)(cta >> 32);
	record->cta[1] = (uint32_t)(cta >> 16) & 0xffffu;
	record->cta[2] = (uint32_t)cta & 0xffffu;
	return description || address || cta;
}

uint32_t ct_memtrace_type(uint32_t operation, int *exact)
{
	uint32_t type = ct_operation_memtrace(operation);

	*exact = type != 0;
	if (type)
		return type;
	if (operation == CT_OP_ATOMIC_NAND)
		return ct_operation_memtrace(CT_OP_ATOMIC_AND);
	switch (ct_operation_class(operation)) {
	case CT_CLASS_ATOMIC:
		return ct_operation_memtrace(CT_OP_ATOMIC_EXCH);
	case CT_CLASS_STORE:
		return ct_operation_memtrace(CT_OP_STORE);
	default:
		return ct_operation_memtrace(CT_OP_LOAD);
	}
}

uint32_t ct_memtrace_operation(uint32_t type)
{
	if (!type)
		return 0;
	switch (type) {
#define CT_OPERATION(id, name, text, class, memtrace)                                              \
	case (memtrace) ? (memtrace):                                                              \
		1000 + id : return id;
#include <cudatrace/operations.def>
#undef CT_OPERATION
	default:
		return 0;
	}
}
