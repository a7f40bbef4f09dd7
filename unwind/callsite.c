/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of x86-64 as compilers write them. */
#include "unwind/callsite.h"
#include <string.h>

#define STUB_BYTES 16u

static uintptr_t relative(const uint8_t *displacement)
{
	int32_t offset;

	memcpy(&offset, displacement, sizeof(offset));
	return (uintptr_t)displacement + sizeof(offset) + (uintptr_t)(intptr_t)offset;
}

/* FF /2: how long the instruction is by its second byte, and by what follows. */
static bool is_indirect(const uint8_t *end, unsigned bytes)
{
	const uint8_t *at = end - bytes;
	unsigned mod, rm, length = 2;

	if (at[0] != 0xff || (at[1] >> 3 & 7) != 2)
		return false;
	mod = at[1] >> 6;
	rm = at[1] & 7;
	if (mod != 3 && rm == 4)
		length++; /* SIB */
	if (mod == 1)
		length += 1;
	else if (mod == 2 || (mod == 0 && rm == 5))
		length += 4;
	return length == bytes;
}

enum ct_callsite ct_callsite_of(uintptr_t address, uintptr_t *target)
{
	const uint8_t *end = (const uint8_t *)address;

	*target = 0;
	if (end[-5] == 0xe8) {
		*target = relative(end - 4);
		return CT_CALLSITE_DIRECT;
	}
	for (unsigned bytes = 2; bytes <= 7; bytes++)
		if (is_indirect(end, bytes))
			return CT_CALLSITE_INDIRECT;
	return CT_CALLSITE_NONE;
}

uintptr_t ct_callsite_resolve(uintptr_t target, const struct ct_module *module)
{
	static const uint8_t endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
	const uint8_t *at = (const uint8_t *)target;
	uintptr_t resolved, entry;

	if (module->text_end - target < STUB_BYTES)
		return target;
	if (memcmp(at, endbr64, sizeof(endbr64)) == 0)
		at += sizeof(endbr64);
	if (*at == 0xf2) /* bnd */
		at++;
	if (at[0] != 0xff || at[1] != 0x25)
		return target;
	entry = relative(at + 2);
	if (entry < module->start || entry >= module->end || module->end - entry < sizeof(resolved))
		return target;
	memcpy(&resolved, (const void *)entry, sizeof(resolved)); /* NOLINT */
	return resolved;
}
