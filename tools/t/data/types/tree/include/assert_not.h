static_assert(sizeof(struct points) == 8);
