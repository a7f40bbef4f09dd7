/* SPDX-License-Identifier: Apache-2.0 */
/* How threads of the runtime begin. */
#include "cpu-target/runtime/base/service.h"
#include <pthread.h>
#include <signal.h>

int ct_service_start(void *(*main)(void *), void *argument)
{
	static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
	sigset_t mask, before;
	pthread_t thread;
	int error;

	sigfillset(&mask);
	for (unsigned i = 0; i < sizeof(faults) / sizeof(*faults); i++)
		sigdelset(&mask, faults[i]);
	pthread_sigmask(SIG_SETMASK, &mask, &before);
	error = pthread_create(&thread, NULL, main, argument);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!error) {
		pthread_setname_np(thread, CT_SERVICE_NAME);
		pthread_detach(thread);
	}
	return -error;
}
