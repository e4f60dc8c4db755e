int a = FIELD(ctrl, disable);
