"""What stands around a picture: banner, legend, cartouche, marks."""
