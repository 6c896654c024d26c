"""The steps of 1862: what is legal (options), whether this is (check), what it does (apply).

A ``check`` takes the state, the seat and the action, raises RuleError or
returns what ``apply`` needs. Whether the action's kind has its turn at all is
asked before, in ``turn.py``.
"""
