int f(int k) {
	switch (k) {
	case
	KIND_ALIAS: return 1;
	}
}
