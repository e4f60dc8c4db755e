int r = by_macro(1);
