/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel's macros by name and depth of nesting, in code of our own. */
#ifndef TEST_KERNEL_H
#define TEST_KERNEL_H

/* Calls what must not be called; the compiler has the last word. */
#define refuse(when, why, fn)						\
	do {								\
		extern void fn(void) __attribute__((__error__(why)));	\
									\
		if (when)						\
			fn();						\
	} while (0)
#define refuse_as(when, why, nr) \
	refuse(when, why, __compiletime_assert_ ## nr)
#define refuse_numbered(when, why, nr) \
	refuse_as(when, why, nr)
#define refuse_saying(when, why) refuse_numbered(when, why, __COUNTER__)
#define BUILD_BUG_ON(when) \
	refuse_saying(when, "must not be: " #when)

#define static_assert(...) holds_saying(__VA_ARGS__, #__VA_ARGS__)
#define holds_saying(what, why, ...) _Static_assert(what, why)

#define min(a, b) ({				\
	typeof(a) *at_a = &(typeof(a)){ a };	\
	typeof(b) *at_b = &(typeof(b)){ b };	\
						\
	at_a == at_b || *at_a < *at_b ? *at_a : *at_b; })

int say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
#define pr_info(fmt, ...) say("info: " fmt, ##__VA_ARGS__)

#endif
