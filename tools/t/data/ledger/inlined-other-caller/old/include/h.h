void overflow(void) __attribute__((error("write beyond the object")));
static inline __attribute__((always_inline)) void check(int n)
{
	if (n > 3)
		overflow();
}
