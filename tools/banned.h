/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Calls that are never right here: included before every source file, so
 * that a use does not compile.
 */
#ifndef RESPIN_BANNED_H
#define RESPIN_BANNED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BANNED(f) sorry_##f##_is_a_banned_function

#undef strcpy
#define strcpy(d, s) BANNED(strcpy)
#undef strcat
#define strcat(d, s) BANNED(strcat)
#undef strncpy
#define strncpy(d, s, n) BANNED(strncpy)
#undef strncat
#define strncat(d, s, n) BANNED(strncat)
#undef strtok
#define strtok(s, d) BANNED(strtok)
#undef sprintf
#define sprintf(...) BANNED(sprintf)
#undef vsprintf
#define vsprintf(...) BANNED(vsprintf)
#undef gets
#define gets(s) BANNED(gets)
#undef system
#define system(c) BANNED(system)
#undef popen
#define popen(c, m) BANNED(popen)

#endif
