/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of stacks that were not made by calls alone. */
#ifndef OTHERS_H
#define OTHERS_H

void signals_on_the_stack(void);
void fibers_on_the_threads_stack(void);
/* For these, the unwinder is needed. */
void signals_on_another_stack(void);
void fibers_on_stacks_of_their_own(void);

#endif
