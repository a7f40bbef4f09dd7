/* SPDX-License-Identifier: Apache-2.0 */
/* Interns frames by caller, module and offset. */
#include "unwind/rows.h"
#include "base/array.h"
#include "base/map.h"
#include "base/site.h"
#include "unwind/lock.h"

struct row {
	struct ct_row_stack row;
	uint64_t hash;
	uint32_t outside; /* the first row from here outwards that is not of CUDA; 0: none */
};

static struct ct_map numbers; /* of rows, by caller with module, and offset */
static struct row *rows;
static uint32_t row_count, row_reported;

/* With the lock held. */
static uint32_t row_of(uint32_t caller, struct ct_module *module, uint64_t offset)
{
	uint32_t id = ct_module_id(module);
	union ct_map_value *number = ct_map_put(&numbers, (uint64_t)id << 32 | caller, offset);

	if (!number || number->number)
		return number ? (uint32_t)number->number : 0;
	if (ct_array_grow(&rows, row_count, sizeof(*rows)) < 0)
		return 0;
	rows[row_count] = (struct row){
	    {.offset = offset, .caller = caller, .module = id},
	    ct_site_of(caller ? rows[caller - 1].hash : 0, module ? module->path : NULL, offset),
	    row_count + 1};
	if (module && module->is_cuda)
		rows[row_count].outside = caller ? rows[caller - 1].outside : 0;
	number->number = ++row_count;
	return row_count;
}

uint32_t ct_row_of(uint32_t caller, struct ct_module *module, uintptr_t address)
{
	uint32_t row;

	pthread_mutex_lock(&ct_stacks_lock);
	row = row_of(caller, module, module ? address - module->base : address);
	pthread_mutex_unlock(&ct_stacks_lock);
	return row;
}

uint32_t ct_row_unknown(void)
{
	return ct_row_of(0, NULL, 0);
}

uint32_t ct_stack_caller(uint32_t row)
{
	uint32_t caller;

	pthread_mutex_lock(&ct_stacks_lock);
	caller = row && row <= row_count ? rows[row - 1].row.caller : 0;
	pthread_mutex_unlock(&ct_stacks_lock);
	return caller;
}

uint64_t ct_stack_hash(uint32_t row)
{
	uint64_t hash;

	pthread_mutex_lock(&ct_stacks_lock);
	hash = row && row <= row_count ? rows[row - 1].hash : 0;
	pthread_mutex_unlock(&ct_stacks_lock);
	return hash;
}

uint32_t ct_stack_outside(uint32_t row)
{
	uint32_t outside = 0;

	pthread_mutex_lock(&ct_stacks_lock);
	if (row && row <= row_count)
		outside = rows[row - 1].outside;
	pthread_mutex_unlock(&ct_stacks_lock);
	return outside;
}

size_t ct_stacks_new_rows(struct ct_row_stack *out, size_t room)
{
	size_t count = 0;

	pthread_mutex_lock(&ct_stacks_lock);
	while (count < room && row_reported < row_count &&
	       rows[row_reported].row.module <= ct_modules_reported())
		out[count++] = rows[row_reported++].row;
	pthread_mutex_unlock(&ct_stacks_lock);
	return count;
}

void ct_rows_forget(void)
{
	numbers = (struct ct_map){0};
	rows = NULL;
	row_count = row_reported = 0;
}
