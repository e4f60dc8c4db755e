int f(void) { BUILD_BUG_ON(sizeof(struct cb) > 48); return 0; }
