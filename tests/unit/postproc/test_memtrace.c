/* SPDX-License-Identifier: Apache-2.0 */
/* Records of the thesis' format, bit by bit. */
#include "postproc/facts/operation.h"
#include "postproc/formats/memtrace/memtrace.h"
#include <criterion/criterion.h>

Test(memtrace, stores_three_words_least_significant_byte_first)
{
	struct ct_memtrace_record record = {
	    .sm = 0x01020304,
	    .type = 3,
	    .size = 0x8,
	    .address = 0x00007f1122334455,
	    .cta = {0xa1a2a3a4, 0xb1b2, 0xc1c2},
	};
	static const uint8_t expected[CT_MEMTRACE_BYTES] = {
	    0x08, 0x00, 0x00, 0x30, 0x04, 0x03, 0x02, 0x01, /* size, type, SM */
	    0x55, 0x44, 0x33, 0x22, 0x11, 0x7f, 0x00, 0x00, /* address */
	    0xc2, 0xc1, 0xb2, 0xb1, 0xa4, 0xa3, 0xa2, 0xa1, /* CTA.z, CTA.y, CTA.x */
	};
	uint8_t bytes[CT_MEMTRACE_BYTES];

	ct_memtrace_pack(&record, bytes);
	cr_assert_arr_eq(bytes, expected, sizeof(expected));
}

Test(memtrace, reads_what_it_wrote)
{
	struct ct_memtrace_record record = {
	    .sm = UINT32_MAX,
	    .type = 13,
	    .size = CT_MEMTRACE_SIZE_MAX,
	    .address = UINT64_MAX,
	    .cta = {UINT32_MAX, 0xffff, 0xffff},
	};
	struct ct_memtrace_record back;
	uint8_t bytes[CT_MEMTRACE_BYTES];

	ct_memtrace_pack(&record, bytes);
	cr_assert_eq(ct_memtrace_unpack(bytes, &back), 1);
	cr_assert_eq(back.sm, record.sm);
	cr_assert_eq(back.type, record.type);
	cr_assert_eq(back.size, record.size);
	cr_assert_eq(back.address, record.address);
	cr_assert_arr_eq(back.cta, record.cta, sizeof(record.cta));
}

Test(memtrace, takes_only_zeroes_for_the_end)
{
	uint8_t bytes[CT_MEMTRACE_BYTES] = {0};
	struct ct_memtrace_record record;

	cr_assert_eq(ct_memtrace_unpack(bytes, &record), 0);
	for (size_t i = 0; i < sizeof(bytes); i++) {
		bytes[i] = 1;
		cr_assert_eq(ct_memtrace_unpack(bytes, &record), 1, "byte %zu", i);
		bytes[i] = 0;
	}
}

Test(memtrace, numbers_operations_as_the_table_does)
{
	int exact;

	cr_assert_eq(ct_memtrace_type(CT_OP_LOAD, &exact), 1u);
	cr_assert_eq(ct_memtrace_type(CT_OP_STORE, &exact), 2u);
	cr_assert_eq(ct_memtrace_type(CT_OP_ATOMIC_CAS, &exact), 10u);
	cr_assert_eq(ct_memtrace_type(CT_OP_ATOMIC_XOR, &exact), 13u);
	cr_assert(exact);
}

Test(memtrace, chooses_the_nearest_for_what_the_table_lacks)
{
	int exact;

	cr_assert_eq(ct_memtrace_type(CT_OP_ATOMIC_NAND, &exact), 11u);
	cr_assert_not(exact);
	cr_assert_eq(ct_memtrace_type(CT_OP_ATOMIC_OTHER, &exact), 5u);
	cr_assert_eq(ct_memtrace_type(CT_OP_COPY, &exact), 1u);
	cr_assert_not(exact);
}

Test(memtrace, maps_every_type_back_to_its_operation)
{
	int exact;

	cr_assert_eq(ct_memtrace_operation(0), 0u);
	for (uint32_t type = 1; type <= 13; type++) {
		cr_assert_eq(ct_memtrace_type(ct_memtrace_operation(type), &exact), type);
		cr_assert(exact);
	}
	cr_assert_eq(ct_memtrace_operation(14), 0u);
	cr_assert_eq(ct_memtrace_operation(15), 0u);
}
