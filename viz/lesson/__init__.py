"""Predict and check: the small tools with which the notebooks teach.

predict("02.1", ...)          # the question; put your guess in place of the dots, then run on and see
check("02.3", ...)            # a number or a word, compared with a sealed answer
check(slopes(), my_function)  # code, judged by what it does
viz.step(run, ask="02.2")     # a question that the stepper asks before it shows the answer
"""

from .answers import NotRight, check, predict
from .derivatives import derivative, hessian, jacobian, slopes
from .judge import Property
from .properties import entries, lets_go, prints, program, trains, watches
from .question import Question, question

__all__ = [
    "NotRight", "Property", "Question", "check", "derivative", "entries", "hessian", "jacobian", "lets_go", "predict", "prints",
    "program", "question", "slopes", "trains", "watches",
]  # fmt: skip
