/* SPDX-License-Identifier: Apache-2.0 */
/* Computes what atomics leave in memory. */
#include "postproc/analysis/values/scan/atomic.h"
#include "postproc/facts/operation.h"

#include <stdbool.h>
#include <string.h>

struct operands {
	uint32_t operation, bits;
	bool is_float;
	uint64_t operand, compare;
};

static uint64_t cut(uint64_t value, uint32_t bits)
{
	return bits == 64 ? value : value & (((uint64_t)1 << bits) - 1);
}

/* Integers in their two's complement; false: it is not known. Whether MIN and MAX are signed
 * the trace does not tell, so they are reported where both readings agree. */
static bool integer_result(const struct operands *o, uint64_t old, uint64_t *new)
{
	uint32_t shift = 64 - o->bits;
	int64_t a = (int64_t)(old << shift), b = (int64_t)(o->operand << shift);
	bool is_less = o->operand < old, is_less_signed = b < a;

	switch (o->operation) {
	case CT_OP_ATOMIC_ADD:
		*new = old + o->operand;
		break;
	case CT_OP_ATOMIC_SUB:
		*new = old - o->operand;
		break;
	case CT_OP_ATOMIC_MIN:
	case CT_OP_ATOMIC_MAX:
		if (is_less != is_less_signed)
			return false;
		*new = is_less == (o->operation == CT_OP_ATOMIC_MIN) ? o->operand : old;
		break;
	case CT_OP_ATOMIC_INC:
		*new = old >= o->operand ? 0 : old + 1;
		break;
	case CT_OP_ATOMIC_DEC:
		*new = !old || old > o->operand ? o->operand : old - 1;
		break;
	case CT_OP_ATOMIC_AND:
		*new = old & o->operand;
		break;
	case CT_OP_ATOMIC_OR:
		*new = old | o->operand;
		break;
	case CT_OP_ATOMIC_XOR:
		*new = old ^ o->operand;
		break;
	case CT_OP_ATOMIC_NAND:
		*new = ~(old & o->operand);
		break;
	default:
		return false;
	}
	*new = cut(*new, o->bits);
	return true;
}

static double real_of(uint64_t value, uint32_t bits)
{
	uint32_t low = (uint32_t)value;
	double real;
	float single;

	if (bits == 64) {
		memcpy(&real, &value, sizeof(real));
		return real;
	}
	memcpy(&single, &low, sizeof(single));
	return (double)single;
}

static uint64_t bits_of(double real, uint32_t bits)
{
	float single = (float)real; /* a sum of two in double, rounded again, is the float's sum */
	uint32_t low;
	uint64_t value;

	if (bits == 64) {
		memcpy(&value, &real, sizeof(value));
		return value;
	}
	memcpy(&low, &single, sizeof(low));
	return low;
}

static bool float_result(const struct operands *o, uint64_t old, uint64_t *new)
{
	double a, b;

	if (o->bits != 32 && o->bits != 64)
		return false;
	a = real_of(old, o->bits);
	b = real_of(o->operand, o->bits);
	switch (o->operation) {
	case CT_OP_ATOMIC_ADD:
		*new = bits_of(a + b, o->bits);
		return true;
	case CT_OP_ATOMIC_SUB:
		*new = bits_of(a - b, o->bits);
		return true;
	case CT_OP_ATOMIC_MIN:
	case CT_OP_ATOMIC_MAX:
		if (!(a < b) && !(b < a))
			return false;
		*new = (b < a) == (o->operation == CT_OP_ATOMIC_MIN) ? o->operand : old;
		return true;
	default:
		return false;
	}
}

static bool result(const struct operands *o, uint64_t old, uint64_t *new)
{
	if (o->operation == CT_OP_ATOMIC_EXCH)
		*new = o->operand;
	else if (o->operation == CT_OP_ATOMIC_CAS)
		*new = old == o->compare ? o->operand : old;
	else
		return o->is_float ? float_result(o, old, new) : integer_result(o, old, new);
	return true;
}

/* Whether it changes nothing, whatever is there. A float's zero may turn -0 to 0, which is equal.
 */
static bool is_neutral(const struct operands *o)
{
	switch (o->operation) {
	case CT_OP_ATOMIC_ADD:
	case CT_OP_ATOMIC_SUB:
		return !(o->is_float ? cut(o->operand << 1, o->bits) : o->operand);
	case CT_OP_ATOMIC_OR:
	case CT_OP_ATOMIC_XOR:
		return !o->operand;
	case CT_OP_ATOMIC_AND:
		return o->operand == cut(UINT64_MAX, o->bits);
	default:
		return false;
	}
}

static uint64_t read_value(const struct ct_values *values, enum ct_role role, uint32_t lane,
			   uint32_t bytes)
{
	uint64_t value = 0;

	memcpy(&value, values->data[role][lane], bytes);
	return value;
}

void ct_atomic_results(const struct ct_access *access, const struct ct_values *values,
		       uint8_t left[CT_WARP_LANES][CT_VALUE_BYTES], uint32_t *same, uint32_t *known)
{
	const struct ct_unit_site *site = access->info;
	struct operands o = {.operation = site->operation,
			     .bits = site->bytes * 8,
			     .is_float = site->scalar == CT_SCALAR_FLOAT};
	bool compares = o.operation == CT_OP_ATOMIC_CAS;
	uint32_t lanes = access->mask & values->mask[CT_ROLE_VALUE];

	if (compares)
		lanes &= values->mask[CT_ROLE_COMPARE];
	if (site->bytes > 8 || site->vector_length > 1 || site->scalar == CT_SCALAR_BFLOAT ||
	    site->scalar == CT_SCALAR_UNKNOWN)
		return;
	for (; lanes; lanes &= lanes - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(lanes);
		uint64_t old = read_value(values, CT_ROLE_RETURNED, lane, site->bytes), new = 0;

		o.operand = read_value(values, CT_ROLE_VALUE, lane, site->bytes);
		o.compare = compares ? read_value(values, CT_ROLE_COMPARE, lane, site->bytes) : 0;
		if (values->mask[CT_ROLE_RETURNED] >> lane & 1 && result(&o, old, &new)) {
			*known |= 1u << lane;
			*same |= (uint32_t)(new == old) << lane;
			memcpy(left[lane], &new, sizeof(new));
		} else if (is_neutral(&o)) {
			*same |= 1u << lane;
		}
	}
}
