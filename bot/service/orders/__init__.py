"""Standing orders: what they are, what each does at its moment, what follows from them."""
