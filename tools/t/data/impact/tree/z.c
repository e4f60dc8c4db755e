int z = with_z();
