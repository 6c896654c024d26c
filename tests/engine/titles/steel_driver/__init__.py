"""Steel Driver, tested in the order of its rules; a vector (A1 to W2) is named in the test's name."""
