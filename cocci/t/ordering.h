// SPDX-License-Identifier: GPL-2.0
static inline int fires(int x)
{
	return defined_below(x);
}

static inline int fires_inside_a_condition(int x)
{
	if (x && defined_below(x))
		return 1;
	return defined_below(x) + 1;
}

static inline int defined_below(int x)
{
	return x;
}

static inline int silent_defined_above(int x)
{
	return defined_below(x);
}

int declared_above(int x);

static inline int silent_declared(int x)
{
	return declared_above(x);
}

static inline int declared_above(int x)
{
	return x;
}

#define macro_above macro_above
static inline int silent_macro(int x)
{
	return macro_above(x);
}

static inline int macro_above(int x)
{
	return x;
}

#define silent_in_a_macro(x) last(x)

static inline int silent_not_of_this_header(int x)
{
	return elsewhere(x);
}

static inline int last(int x)
{
	return x ? last(x - 1) : 0;
}
