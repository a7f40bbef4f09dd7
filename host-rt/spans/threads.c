/* SPDX-License-Identifier: Apache-2.0 */
/* Names of threads, by their ids. */
#include "host-rt/spans/threads.h"
#include "base/map.h"
#include "host-rt/spans/names.h"
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct ct_map numbers; /* of names */
static uint32_t given;        /* atomic */

void ct_thread_name_give(uint32_t thread, const char *name)
{
	uint32_t number = ct_span_name(name);
	union ct_map_value *value;

	pthread_mutex_lock(&lock);
	value = ct_map_put(&numbers, thread, 0);
	if (value)
		value->number = number;
	pthread_mutex_unlock(&lock);
	__atomic_add_fetch(&given, 1, __ATOMIC_RELEASE);
}

const char *ct_thread_name_given(uint32_t thread)
{
	union ct_map_value *value;
	uint32_t number;

	pthread_mutex_lock(&lock);
	value = ct_map_find(&numbers, thread, 0);
	number = value ? (uint32_t)value->number : 0;
	pthread_mutex_unlock(&lock);
	return ct_span_name_text(number);
}

void ct_thread_name_forget(uint32_t thread)
{
	pthread_mutex_lock(&lock);
	ct_map_remove(&numbers, thread, 0);
	pthread_mutex_unlock(&lock);
}

uint32_t ct_thread_names_given(void)
{
	return __atomic_load_n(&given, __ATOMIC_ACQUIRE);
}
