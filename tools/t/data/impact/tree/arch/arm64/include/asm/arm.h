static inline int arm_inline(void)
{
	return start(1);
}
