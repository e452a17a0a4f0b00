// A wall clock that a test can set: the real one plus as many milliseconds as the file of CLOCK_OFFSET says. Preloaded into
// a server; the monotonic clock stays as it is.
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long offset_ms(void) {
	char text[32] = "";
	const char *path = getenv("CLOCK_OFFSET");
	int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	if (file >= 0) {
		ssize_t length = read(file, text, sizeof text - 1);
		text[length > 0 ? length : 0] = 0;
		close(file);
	}
	return strtol(text, NULL, 10);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
	// First, so that reading the file does not part this clock from the next one that is read.
	long ahead_ms = clock == CLOCK_REALTIME ? offset_ms() : 0;
	long result = syscall(SYS_clock_gettime, clock, time);
	if (result == 0 && clock == CLOCK_REALTIME) {
		long long ns = (long long)time->tv_sec * 1000000000 + time->tv_nsec + ahead_ms * 1000000LL;
		time->tv_sec = ns / 1000000000;
		time->tv_nsec = ns % 1000000000;
	}
	return (int)result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
	struct timespec now;
	(void)zone;
	clock_gettime(CLOCK_REALTIME, &now);
	time->tv_sec = now.tv_sec;
	time->tv_usec = now.tv_nsec / 1000;
	return 0;
}

time_t time(time_t *result) {
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	if (result)
		*result = now.tv_sec;
	return now.tv_sec;
}
