struct conditional {
	int always;
#ifdef CONFIG_KINDS
	int maybe;
#endif
};
#ifdef CONFIG_KINDS
struct whole {
	int member;
};
#endif
