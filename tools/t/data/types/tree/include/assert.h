static_assert(sizeof(struct outer) == 8);
