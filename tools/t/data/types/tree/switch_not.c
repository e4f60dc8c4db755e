int f(enum kind k) { return k == KIND_A; }
