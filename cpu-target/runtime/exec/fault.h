/* SPDX-License-Identifier: Apache-2.0 */
/* Memory faults in kernels become errors of the grid. */
#ifndef CT_CPU_TARGET_RUNTIME_EXEC_FAULT_H
#define CT_CPU_TARGET_RUNTIME_EXEC_FAULT_H

/* Once per process: handlers that pass on what is not ours. */
void ct_cpu_fault_init(void);

/* On each worker: a stack for the handlers. */
void ct_cpu_fault_init_thread(void);

#endif
