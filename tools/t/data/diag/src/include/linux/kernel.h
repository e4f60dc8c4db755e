/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_KERNEL_H
#define _LINUX_KERNEL_H

typedef unsigned long long u64;
typedef struct { unsigned long pte; } pte_t;

#define __noreturn_or_error(msg) __attribute__((__error__(msg)))
#define __compiletime_assert(condition, msg, prefix, suffix)		\
	do {								\
		__noreturn_or_error(msg)				\
		extern void prefix ## suffix(void);			\
		if (!(condition))					\
			prefix ## suffix();				\
	} while (0)
#define _compiletime_assert(condition, msg, prefix, suffix) \
	__compiletime_assert(condition, msg, prefix, suffix)
#define compiletime_assert(condition, msg) \
	_compiletime_assert(condition, msg, __compiletime_assert_, __COUNTER__)
#define BUILD_BUG_ON_MSG(cond, msg) compiletime_assert(!(cond), msg)
#define BUILD_BUG_ON(condition) \
	BUILD_BUG_ON_MSG(condition, "BUILD_BUG_ON failed: " #condition)
#define static_assert(expr, ...) __static_assert(expr, ##__VA_ARGS__, #expr)
#define __static_assert(expr, msg, ...) _Static_assert(expr, msg)

#define min(x, y) ({				\
	typeof(x) _min1 = (x);			\
	typeof(y) _min2 = (y);			\
	(void) (&_min1 == &_min2);		\
	_min1 < _min2 ? _min1 : _min2; })

extern int printk(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
#define pr_info(fmt, ...) printk("6" fmt, ##__VA_ARGS__)

#endif
