int f(void) { return sizeof(struct other); }
