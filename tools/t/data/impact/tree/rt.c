static int rt(void)
{
	return start(1);
}
static inline int rt_inline(int x)
{
	return start(x);
}
