int a(int n);
int a(int n)
{
	if (n) {
		int page;

		n++;
		while (n < 9)
			n += 2;
	}
	return n;
}
