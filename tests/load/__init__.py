"""Load: many tables at the tests' Discord, and how soon people there see what they wait for."""
