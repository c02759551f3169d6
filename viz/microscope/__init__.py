"""The element microscope: which numbers make one number of an array, in the direction of the rule that ran.

`relation` says what an op's row relates (which number of the result each number of an operand goes into), `table` has a row
per op, `rule` turns a row towards a result, as plain data that a page adds up, `specimen` gathers what a page needs of one run.
"""
