int f(enum other k) {
	switch (k) {
	case OTHER_A: return 1;
	}
}
