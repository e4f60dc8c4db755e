struct ops {
	int (*pte_start)(int x);
};
