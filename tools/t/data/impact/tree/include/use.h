static inline int by_inline(int x)
{
	return start(x);
}
#define by_macro(x) \
	by_inline(x)
/* start() in prose */
static inline int innocent(int x)
{
	return x;	/* start */
}
