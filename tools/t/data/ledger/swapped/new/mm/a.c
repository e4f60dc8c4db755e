int a(int n);
int a(int n)
{
	if (n) {

		n++;
		while (n < 9) {
			int step = 2;
			int page;

			n += step;
		}
	}
	return n;
}
