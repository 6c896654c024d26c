"""How strong the program's players are: matches against kept rivals, in all seats in turn."""
