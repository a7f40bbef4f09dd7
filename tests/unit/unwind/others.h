/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of stacks that calls alone have not made. */
#ifndef OTHERS_H
#define OTHERS_H

/* ThreadSanitizer has its own signals, and knows of no other stacks than threads'. */
#if defined(__SANITIZE_THREAD__)
#define HAS_OTHER_STACKS 0
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HAS_OTHER_STACKS 0
#endif
#endif
#ifndef HAS_OTHER_STACKS
#define HAS_OTHER_STACKS 1
#endif

void stacks_that_are_broken(void);
void signals_on_the_stack(void);
void signals_while_a_stack_is_taken(void);
void fibers_on_the_threads_stack(void);
/* For these, the unwinder is needed. */
void signals_on_another_stack(void);
void fibers_on_stacks_of_their_own(void);

#endif
