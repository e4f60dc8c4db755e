#pragma GCC visibility push(hidden)
