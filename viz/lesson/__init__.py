"""Predict and check: the small tools with which the notebooks teach.

guess = predict("02.1")       # the question, with buttons or a field
%%after 02.1                  # first line of a cell: what it shows waits for the guess
check("02.1", guess)          # the guess beside the truth
check("02.3", ...)            # a number or a word, compared with a sealed answer
check("02.10", my_function)   # code, judged by what it does
hint("02.10")                 # twice, if need be; and then solution("02.10")
check(slopes(), my_function)  # a property of code, for exercises of your own
summary()                     # your guesses and answers since the notebook began
plot("loss", losses)          # numbers over steps; plane(points, labels, {"mine": score}) is what a model makes of places
viz.step(run, ask="02.2")     # a question that the stepper asks before it shows the answer
"""

from . import after
from .answers import NotRight, check, hint, predict, solution
from .charts import plane, plot
from .derivatives import derivative, hessian, jacobian, slopes
from .guesses import summary
from .judge import Property
from .properties import entries, lets_go, prints, program, trains, watches
from .question import Question, question
from .rules import agrees, rule

__all__ = [
    "NotRight", "Property", "Question", "agrees", "check", "derivative", "entries", "hessian", "hint", "jacobian", "lets_go",
    "plane", "plot", "predict", "prints", "program", "question", "rule", "slopes", "solution", "summary", "trains", "watches",
]  # fmt: skip

if (_shell := after.notebook()) is not None:
    after.load(_shell)  # so that a cell under %%after runs, whichever cell is run first
