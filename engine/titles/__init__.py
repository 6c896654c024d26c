"""The games of the shelf, a folder each; they never import one another."""
