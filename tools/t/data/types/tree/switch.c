int f(enum kind k) {
	switch (k) {
	case KIND_A: return 1;
	}
}
