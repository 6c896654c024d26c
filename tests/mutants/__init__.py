"""Small changes of the code that the tests must notice."""
