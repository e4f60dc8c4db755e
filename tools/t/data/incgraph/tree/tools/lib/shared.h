int pte_start_tool;
int pte_start(int);
