static int unused_in_header(int x)
{
	return x;
}
