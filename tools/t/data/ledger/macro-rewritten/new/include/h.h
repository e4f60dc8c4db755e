/* the smaller one */
#define min(x, y) ({ \
	typeof(x) _a = (x); \
	typeof(y) _b = (y); \
	(void)(&_a == &_b); \
	_a < _b ? _a : _b; })
