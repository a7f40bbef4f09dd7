/* SPDX-License-Identifier: Apache-2.0 */
/*
 * manners HOW [ARGUMENT]: a program that treats descriptors, or ends, as programs do that were
 * never traced. Every run makes six launches that are waited for before the end. What it does with
 * descriptors, each time between traced launches:
 *
 *   twice       closes a number a second time, and opens a file of its own
 *   all         closes all numbers from 3 up to the soft limit, as daemons do
 *   range       closes all numbers from 3 on, with close_range(2)
 *   listed      closes each number that /proc/self/fd lists, but 0 to 2
 *   over        puts a file of its own over each of them
 *   moved       closes all, and changes its working directory
 *   numbers     opens as many files as it can, and prints their numbers
 *   bare        has no 0 to 2 (run-manners.sh), and opens files that get these numbers
 *   select      opens files, and uses their numbers in an fd_set
 *   root        changes its root directory, and has nothing in there afterwards but its own
 *
 * How it ends, right behind the last wait:
 *
 *   _exit, _Exit, quick, abort, throw, segv, exec, kill, term, thread
 *   child       a child of fork, which has used CUDA alone, ends by _exit
 *   raw         children of SYS_fork and of vfork end; the parent goes on
 *
 * With "-often" behind the first of these it makes 3000 launches, each of which is waited for.
 */
#include "feature.h"
#include <csignal>
#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

enum { THREADS = 64 };

__global__ void add(unsigned *data)
{
	data[threadIdx.x] += 1;
}

static void launch(unsigned *data, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		add<<<1, THREADS>>>(data);
	need(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
}

static int own_file(const char *name)
{
	int file = open(name, O_RDWR | O_CREAT | O_TRUNC, 0644);

	if (write(file, "result\n", 7) != 7)
		_exit(90);
	return file;
}

/* Nothing but what was written here: the result is not printed, since there may be no output. */
static void end_file(int file, const char *name)
{
	char text[64] = "";

	if (write(file, "end\n", 4) != 4 || pread(file, text, sizeof(text), 0) != 11 ||
	    memcmp(text, "result\nend\n", 11) != 0)
		_exit(91);
	unlink(name);
	close(file);
}

static std::vector<int> listed()
{
	std::vector<int> numbers;
	DIR *directory = opendir("/proc/self/fd");

	while (dirent *entry = readdir(directory))
		if (atoi(entry->d_name) > 2 && atoi(entry->d_name) != dirfd(directory))
			numbers.push_back(atoi(entry->d_name));
	closedir(directory);
	return numbers;
}

static void close_all(const char *how)
{
	rlimit limit;

	getrlimit(RLIMIT_NOFILE, &limit);
	if (!strcmp(how, "range"))
		syscall(SYS_close_range, 3, ~0u, 0);
	else if (!strcmp(how, "listed"))
		for (int number : listed())
			close(number);
	else
		for (int number = 3; number < (int)limit.rlim_cur && number < 70000; number++)
			close(number);
	if (!strcmp(how, "moved") && chdir("/tmp"))
		_exit(92);
}

/* Numbers beyond the soft limit cannot be put there before it is raised. */
static void put_over(int file)
{
	rlimit limit;

	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
	for (int number : listed())
		if (number != file)
			dup2(file, number);
}

static void use_all_numbers()
{
	std::vector<int> numbers;

	for (int number; (number = open("/dev/null", O_RDONLY)) >= 0;)
		numbers.push_back(number);
	printf("%zu numbers, up to %d\n", numbers.size(), numbers.back());
	for (int number : numbers)
		close(number);
}

static void use_select()
{
	int ends[2];
	fd_set set;
	timeval none = {};

	if (pipe(ends) || write(ends[1], "x", 1) != 1)
		_exit(93);
	FD_ZERO(&set);
	FD_SET(ends[0], &set);
	printf("select %d, numbers %d %d\n", select(ends[0] + 1, &set, nullptr, nullptr, &none),
	       ends[0], ends[1]);
	close(ends[0]);
	close(ends[1]);
}

/* Exits: with 0 if only what was there before is in the new root directory. */
static void change_root()
{
	unsigned *data;
	unsigned names = 0;
	DIR *directory;

	mkdir("root", 0755);
	if (chroot("root") && (unshare(CLONE_NEWUSER) || chroot("root")))
		_exit(95);
	if (chdir("/"))
		_exit(96);
	data = device_array<unsigned>(THREADS);
	launch(data, 6);
	directory = opendir("/");
	while (readdir(directory))
		names++;
	closedir(directory);
	printf("%u names\n", names);
	exit(names == 2 ? 0 : 97);
}

static bool treat_descriptors(const char *how, unsigned *data)
{
	int early = open("/dev/null", O_RDONLY), file;

	close(early);
	launch(data, 2);
	if (!strcmp(how, "twice"))
		close(early);
	else if (!strcmp(how, "numbers"))
		use_all_numbers();
	else if (!strcmp(how, "select"))
		use_select();
	else if (strcmp(how, "over") && strcmp(how, "bare"))
		close_all(how);
	file = own_file("manners.dat");
	if (!strcmp(how, "over"))
		put_over(file);
	launch(data, 2);
	if (!strcmp(how, "all"))
		for (int number : listed())
			if (number != file)
				close(number);
	launch(data, 2);
	end_file(file, "manners.dat");
	return true;
}

static bool is_often(std::string &how)
{
	static const std::string often = "-often";
	size_t at = how.rfind(often);

	if (at == std::string::npos || at + often.size() != how.size())
		return false;
	how.erase(at);
	return true;
}

static void end_now(const char *how)
{
	if (!strcmp(how, "_exit"))
		_exit(0);
	if (!strcmp(how, "_Exit"))
		_Exit(3);
	if (!strcmp(how, "quick"))
		quick_exit(0);
	if (!strcmp(how, "abort"))
		abort();
	if (!strcmp(how, "throw"))
		throw std::runtime_error("not caught");
	if (!strcmp(how, "segv"))
		raise(SIGSEGV);
	if (!strcmp(how, "term"))
		raise(SIGTERM);
	if (!strcmp(how, "kill"))
		raise(SIGKILL);
	if (!strcmp(how, "exec"))
		execl("/bin/true", "true", (char *)nullptr);
	if (!strcmp(how, "thread"))
		std::thread([] { exit(0); }).join();
	fprintf(stderr, "manners: no way to end: %s\n", how);
	exit(2);
}

int main(int argc, char **argv)
{
	static const char *const treatments[] = {"twice", "all",     "range", "listed", "over",
						 "moved", "numbers", "bare",  "select"};
	std::string name = argc > 1 ? argv[1] : "";
	bool often = is_often(name);
	const char *how = name.c_str();
	unsigned *data;
	pid_t child;
	int status;

	if (!strcmp(how, "child")) {
		child = fork();
		if (child)
			return waitpid(child, &status, 0) == child ? WEXITSTATUS(status) : 94;
		how = "_exit";
	}
	if (!strcmp(how, "root"))
		change_root();
	data = device_array<unsigned>(THREADS);
	for (const char *treatment : treatments)
		if (!strcmp(how, treatment)) {
			treat_descriptors(how, data);
			return 0;
		}
	launch(data, 5);
	if (!strcmp(how, "raw")) {
		child = (pid_t)syscall(SYS_fork);
		if (!child)
			exit(0);
		waitpid(child, &status, 0);
		child = vfork();
		if (!child)
			_exit(0);
		waitpid(child, &status, 0);
	}
	for (unsigned i = often ? 5 : 2999; i < 2999; i++)
		launch(data, 1);
	launch(data, 1);
	if (!strcmp(how, "raw"))
		return 0;
	end_now(how);
}
