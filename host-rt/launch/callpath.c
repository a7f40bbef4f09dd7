/* SPDX-License-Identifier: Apache-2.0 */
/* Host call paths of launches. */
#include "host-rt/launch/callpath.h"
#include <link.h>
#include <string.h>
#include <unwind.h>

static _Thread_local char this_thread; /* its address names the thread */

uint64_t ct_hash_join_string(uint64_t hash, const char *text)
{
	uint64_t word;

	for (size_t left = strlen(text), bytes; left; left -= bytes, text += bytes) {
		bytes = left < sizeof(word) ? left : sizeof(word);
		word = 0;
		memcpy(&word, text, bytes);
		hash = ct_hash_join(hash, word);
	}
	return ct_hash_join(hash, 0);
}

/* What the unwinder calls CFA is where the frame's stack was before the call
 * that it is in; x86-64 has put the return address right below. */
static uintptr_t slot_of(struct _Unwind_Context *context, uintptr_t address)
{
#ifdef __x86_64__
	uintptr_t slot = (uintptr_t)_Unwind_GetCFA(context) - sizeof(uintptr_t);

	return *(const volatile uintptr_t *)slot == address ? slot : 0;
#else
	(void)context;
	(void)address;
	return 0;
#endif
}

static _Unwind_Reason_Code add_frame(struct _Unwind_Context *context, void *of)
{
	struct ct_call_path *path = of;
	uintptr_t address = (uintptr_t)_Unwind_GetIP(context), slot;

	if (!address || path->count == CT_CALL_PATH_MAX)
		return _URC_END_OF_STACK;
	/* The innermost frame has not been called from within itself: it has no slot. */
	if ((uintptr_t)_Unwind_GetCFA(context) <= path->base)
		return _URC_NO_REASON;
	slot = slot_of(context, address);
	if (!slot)
		path->thread = NULL;
	path->addresses[path->count] = address;
	path->slots[path->count++] = slot;
	return _URC_NO_REASON;
}

void ct_call_path_take(struct ct_call_path *path, uintptr_t base)
{
	path->thread = &this_thread;
	path->base = base;
	path->count = 0;
	_Unwind_Backtrace(add_frame, path);
}

/* A slot is looked at only if all before it are unchanged: then its frame is still there. */
bool ct_call_path_is_current(const struct ct_call_path *path, uintptr_t base)
{
	if (path->thread != &this_thread || path->base != base)
		return false;
	for (uint32_t i = 0; i < path->count; i++)
		if (*(const volatile uintptr_t *)path->slots[i] != path->addresses[i])
			return false;
	return true;
}

uint64_t ct_call_path_key(const struct ct_call_path *path)
{
	uint64_t hash = path->count;

	for (uint32_t i = 0; i < path->count; i++)
		hash = ct_hash_join(hash, path->addresses[i]);
	return hash;
}

struct place {
	uintptr_t address;
	uint64_t hash;
	bool is_known;
};

static int find_module(struct dl_phdr_info *module, size_t bytes, void *of)
{
	struct place *place = of;
	const char *name = strrchr(module->dlpi_name, '/');

	(void)bytes;
	for (int i = 0; i < module->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &module->dlpi_phdr[i];
		uintptr_t offset = place->address - module->dlpi_addr;

		if (part->p_type != PT_LOAD || offset - part->p_vaddr >= part->p_memsz)
			continue;
		place->hash = ct_hash_join_string(offset, name ? name + 1 : module->dlpi_name);
		place->is_known = true;
		return 1;
	}
	return 0;
}

uint64_t ct_call_path_hash(const struct ct_call_path *path)
{
	uint64_t hash = path->count;

	for (uint32_t i = 0; i < path->count; i++) {
		struct place place = {.address = path->addresses[i]};

		dl_iterate_phdr(find_module, &place);
		/* Code made at run time has no place: its frames are all the same. */
		hash = ct_hash_join(hash, place.is_known ? place.hash : 0);
	}
	return hash;
}
