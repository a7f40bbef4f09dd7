/* SPDX-License-Identifier: Apache-2.0 */
/* Names and classes of the operations in operations.def. */
#ifndef CT_POSTPROC_FACTS_OPERATION_H
#define CT_POSTPROC_FACTS_OPERATION_H

#include <stdint.h>

enum ct_operation {
#define CT_OPERATION(id, name, text, class, memtrace) CT_OP_##name = id,
#include <cudatrace/operations.def>
#undef CT_OPERATION
};

enum ct_class { CT_CLASS_LOAD, CT_CLASS_STORE, CT_CLASS_ATOMIC, CT_CLASS_EVENT, CT_CLASSES };
#define CT_ACCESS_CLASSES CT_CLASS_EVENT /* those before it are accesses */
#define CT_OPERATIONS 256u

/* Unknown operations are "other" of class LOAD. */
const char *ct_operation_text(uint32_t operation);
enum ct_class ct_operation_class(uint32_t operation);

/* Descriptor of seed 001, Table 5.1; 0: there is none. */
uint32_t ct_operation_memtrace(uint32_t operation);

const char *ct_class_text(enum ct_class class);

#endif
