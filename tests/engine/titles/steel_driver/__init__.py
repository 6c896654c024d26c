"""Steel Driver, tested in the order of its rules; a vector of the rules digest is named in the test's name."""
