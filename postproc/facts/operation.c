/* SPDX-License-Identifier: Apache-2.0 */
/* Names and classes of the operations in operations.def. */
#include "postproc/facts/operation.h"

const char *ct_operation_text(uint32_t operation)
{
	switch (operation) {
#define CT_OPERATION(id, name, text, class, memtrace)                                              \
	case id:                                                                                   \
		return text;
#include <cudatrace/operations.def>
#undef CT_OPERATION
	default:
		return "other";
	}
}

enum ct_class ct_operation_class(uint32_t operation)
{
	switch (operation) {
#define CT_OPERATION(id, name, text, class, memtrace)                                              \
	case id:                                                                                   \
		return CT_CLASS_##class;
#include <cudatrace/operations.def>
#undef CT_OPERATION
	default:
		return CT_CLASS_LOAD;
	}
}

uint32_t ct_operation_memtrace(uint32_t operation)
{
	switch (operation) {
#define CT_OPERATION(id, name, text, class, memtrace)                                              \
	case id:                                                                                   \
		return memtrace;
#include <cudatrace/operations.def>
#undef CT_OPERATION
	default:
		return 0;
	}
}

const char *ct_class_text(enum ct_class class)
{
	static const char *const text[CT_CLASSES] = {"load", "store", "atomic", "event"};

	return text[class];
}
