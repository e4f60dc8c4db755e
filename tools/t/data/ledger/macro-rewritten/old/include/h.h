#define min(x, y) ({ typeof(x) _x = (x); typeof(y) _y = (y); \
	(void)(&_x == &_y); _x < _y ? _x : _y; })
