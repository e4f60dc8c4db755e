int a(int c)
{
	if (c)
		return 1;
}
