"""What to type next: a sentence, and where it is code the change itself, ready to be made in the learner's source."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any

from ..record.provenance import Site
from . import rewriting, source
from .rewriting import Edit


@dataclass(frozen=True)
class Fix:
    """One line of advice: `text` in words, `code` to type, and `edits`, the same as changes of lines for `apply`."""

    text: str
    code: str = ""
    edits: tuple[Edit, ...] = ()
    filename: str = ""

    def apply(self, program: str) -> str:
        """The program with the fix made; raises ValueError where the advice is not one that can be typed for you.

        >>> Fix("start with 3.0", edits=(Edit(1, 1, ("x = 3.0",)),)).apply("x = 3")
        'x = 3.0'
        """
        if not self.edits:
            raise ValueError(f"this fix is not a change of lines: {self.text}")
        return rewriting.applied(self.edits, program)


def _fix(text: str, site: Site, *edits: Edit, code: str = "") -> Fix:
    shown = code or "\n".join(line.strip() for edit in edits for line in edit.lines if line.strip())
    return Fix(text, shown, tuple(edits), site.filename)


def one_change(text: str, site: Site, node: ast.expr, instead: str) -> Fix:
    """One expression for another, which stands on one line."""
    return _fix(text, site, rewriting.replaced(site, node, instead))


def op_name(application: Any) -> str:
    """How the learner wrote an op: the call's name, what stands between operands, or the op's own name."""
    node = source.node_at(application.site)
    if isinstance(node, ast.BinOp | ast.Compare | ast.UnaryOp):
        return source.unparse(node, 24)
    if isinstance(node, ast.Call):
        name = ast.unparse(node.func)
        if application.op.split("_")[0] in name or len(name) < 24:
            return name
    return application.op


def how(edge: Any) -> str:
    """How the learner wrote an export."""
    from . import filled  # loaded when something left

    node = source.node_at(edge.site)
    otherwise = source.unparse(node) if isinstance(node, ast.Call) else edge.record.how
    return filled.written(edge.site) or otherwise


def left(edge: Any, the: str) -> str:
    """What an export did, after how it was written."""
    from . import filled

    into = " for an array made by NumPy" if filled.writes(source.node_at(edge.site)) else ""
    return f"left {the}{into}"


def stay(edge: Any) -> Fix:
    """Keep the numbers on the tape."""
    from . import filled, from_numpy

    site = edge.site
    node, tf = source.node_at(site), source.alias(site)
    if filled.writes(node):
        text, edits = filled.instead(site, edge.of)
        return _fix(f"stay with tensors: {text}", site, *edits)
    ranks = source.ranks(site, node, edge.of)
    found = from_numpy.on_tape(node, site.program.parents, tf, ranks) if node is not None else None
    if found is None:
        return Fix(f"stay with tensors: use {tf}'s own functions on the tensor itself instead of {how(edge)}")
    whole, instead = found
    return _fix(
        f"stay with tensors: write {instead} instead of {source.unparse(whole)}",
        site,
        rewriting.replaced(site, whole, instead),
    )


def thread() -> Fix:
    """Compute where the recorder listens."""
    return Fix("compute it in the thread that entered the recorder: every thread has recorders of its own")


def output(name: str) -> Fix:
    """Return a value made inside of a custom gradient as one more output."""
    return Fix(f"return {name} as one more output, and take its upstream gradient in the grad function")


def instead_of_state(name: str, how: str) -> Fix:
    """Compute with the value itself instead of a Variable that was assigned it."""
    later = "without making a Variable of it" if how == "tf.Variable" else "and assign afterwards"
    return Fix(f"compute with {name} itself, {later}")


def watch(asked: Any, use: Site, text: str = "") -> Fix:
    """Watch the source before its first use."""
    name, who = asked.source_name, asked.who
    line = f"{who}.watch({name})"
    block = source.block_of(asked.label)
    advice = f"{text}: {line}" if text else f"add {line} before {asked.at(use)}, or make {name} a Variable"
    if block is None or not name.isidentifier():
        return Fix(advice, line)
    line_number = _first_line_for(asked, block, use)
    return _fix(advice, asked.label.site, rewriting.insert_before(asked.label.site, line_number, line))


def _first_line_for(asked: Any, block: ast.With, use: Site) -> int:
    """The first line of the block at which the source exists."""
    tag = asked.source.tag
    made, application = asked.history.made.get(tag), asked.history.producer.get(tag)
    born = application.site if application is not None else made.site if made is not None else None
    if born is not None and born.filename == asked.label.site.filename:
        for statement in block.body:
            if statement.lineno <= born.line <= (statement.end_lineno or 0):
                inner = statement
                while isinstance(inner, ast.With):
                    later = [s for s in inner.body if s.lineno > born.line]
                    if later:
                        return later[0].lineno
                    inner = inner.body[-1]
                return (statement.end_lineno or statement.lineno) + 1
    return block.body[0].lineno


def watch_earlier(asked: Any, watched: Site, use: Site) -> Fix:
    """Move the `watch` above the first use."""
    advice = f"move it up: {asked.who}.watch({asked.source_name}) must stand before {asked.at(use)}"
    moving, block = source.statement(watched), source.block_of(asked.label)
    if moving is None or block is None or watched.filename != asked.label.site.filename:
        return Fix(advice)
    site = asked.label.site
    text = site.lines[moving.lineno - 1].strip()
    there = block.body[0].lineno
    edits = [Edit(moving.lineno, moving.end_lineno or moving.lineno, ()), rewriting.insert_before(site, there, text)]
    return _fix(advice, site, *edits)


def floats(made: Site | None, name: str) -> Fix:
    """Write 3.0 for 3."""
    node = source.node_at(made) if made is not None else None
    whole = [
        constant
        for constant in ast.walk(node or ast.Pass())
        if isinstance(constant, ast.Constant)
        and isinstance(constant.value, int)
        and not isinstance(constant.value, bool)
    ]
    if made is None or not whole or not source.one_line(node):
        return Fix(f"make it a float: {name} = tf.cast({name}, tf.float32)")
    assert isinstance(node, ast.Call)
    first = node.args[0] if node.args else node
    text = with_points(first)
    return _fix(f"write {text}: with a point it is a float", made, rewriting.replaced(made, first, text))


def with_points(node: ast.expr) -> str:
    """The source of an expression, with 3.0 for 3 in what is written out."""
    return ast.unparse(_Floats().visit(ast.parse(ast.unparse(node), mode="eval").body))


class _Floats(ast.NodeTransformer):
    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        value = node.value
        return ast.Constant(float(value)) if isinstance(value, int) and not isinstance(value, bool) else node


def assign(asked: Any, site: Site, name: str) -> Fix:
    """Assign to the Variable instead of binding its name anew."""
    statement = source.statement(site)
    new = f"{name}.assign(…)"
    match statement:
        case ast.Assign(value=ast.BinOp(left=ast.Name(id=left), op=ast.Add() | ast.Sub() as op, right=right)) if (
            left == name
        ):
            new = f"{name}.assign_{'add' if isinstance(op, ast.Add) else 'sub'}({ast.unparse(right)})"
        case ast.AugAssign(op=ast.Add() | ast.Sub() as op, value=value):
            new = f"{name}.assign_{'add' if isinstance(op, ast.Add) else 'sub'}({ast.unparse(value)})"
        case ast.Assign(value=value):
            new = f"{name}.assign({ast.unparse(value)})"
    advice = f"change the Variable, not the name: {new}"
    if statement is None or statement.lineno != statement.end_lineno or "…" in new:
        return Fix(advice)
    return _fix(
        advice, site, Edit(statement.lineno, statement.lineno, (rewriting.indent_of(site, statement.lineno) + new,))
    )


def _beside(asked: Any, site: Site) -> tuple[ast.stmt, ast.With] | None:
    """The statement at a site and the recorder's block, where both stand in one body."""
    statement, block, parents = source.statement(site), source.block_of(asked.label), site.program.parents
    if statement is None or block is None or site.filename != asked.label.site.filename:
        return None
    return (statement, block) if parents.get(statement) is parents.get(block) else None


def into_block(asked: Any, site: Site) -> Fix:
    """Indent the line: it belongs inside the recorder's block."""
    advice = f"move {asked.at(site)} into the block of {asked.the}: indent it"
    match _beside(asked, site):
        case (statement, block) if (block.end_lineno or 0) < statement.lineno:
            if not isinstance(statement, ast.Expr | ast.Return):
                return _fix(advice, site, *rewriting.moved_into(site, statement, block))
    return Fix(advice)


def into_start(asked: Any, site: Site) -> Fix:
    """Move a line from before the block to its start."""
    advice = f"move {asked.at(site)} inside the block of {asked.the}"
    match _beside(asked, site):
        case (statement, block) if statement.lineno < block.lineno:
            return _fix(advice, site, *rewriting.moved_to_start(site, statement, block))
    return Fix(advice)


def persistent(label: Any, who: str) -> Fix:
    """A tape that answers more than once."""
    node = source.node_at(label.site)
    advice = "ask for everything at once, or make the tape persistent and `del` it afterwards"
    if not isinstance(node, ast.Call) or node.keywords or node.args or not source.one_line(node):
        return Fix(advice, f"{who}.gradient(…, [a, b])")
    new = f"{ast.unparse(node.func)}(persistent=True)"
    return _fix(advice, label.site, rewriting.replaced(label.site, node, new))


def into_loop(asked: Any, site: Site) -> Fix:
    """A tape for each turn: the whole block moves into the loop that asks."""
    advice = (
        f"a tape knows one pass: put the block of {asked.the} into the loop, so that each turn has a tape of its own"
    )
    loop, block, parents = site.loop(), source.block_of(asked.label), site.program.parents
    header = f"with {ast.unparse(block.items[0])}:" if block is not None else ""
    if loop is None or block is None or site.filename != asked.label.site.filename:
        return Fix(advice, header)
    if parents.get(loop) is not parents.get(block) or block.lineno > loop.lineno:
        return Fix(advice, header)
    first = loop.body[0]
    return _fix(advice, site, *rewriting.block_moved(site, block, first), code=header)


def unwrapped(site: Site, op: str) -> Fix:
    """Take the call away and leave what stands in it."""
    node = source.node_at(site)
    advice = f"leave {op} out, if a derivative should pass here"
    if not isinstance(node, ast.Call) or not node.args or not source.one_line(node):
        return Fix(advice)
    text = ast.unparse(node.args[0])
    alone = isinstance(node.args[0], ast.Name | ast.Attribute | ast.Subscript | ast.Call | ast.Constant)
    alone |= isinstance(site.program.parents.get(node), ast.Assign | ast.Call | ast.Return)
    return _fix(advice, site, rewriting.replaced(site, node, text if alone else f"({text})"))


def accumulator_around(asked: Any, block: ast.With | None) -> Fix:
    """A second accumulator, which follows what the first one works out."""
    text = f"put a second accumulator, or a tape, around {asked.the}; take {asked.target_name} in its block, and ask that one"
    header = block.items[0].context_expr if block is not None else None
    if not isinstance(header, ast.Call) or not source.one_line(header):
        return Fix(text)
    return Fix(text, f"with {ast.unparse(header)} as outer:")


def surrogate(site: Site, application: Any, forward: bool) -> Fix:
    """For a step function: the step as a value, a straight line for its derivative."""
    node = source.node_at(site)
    tf = source.alias(site)
    if (
        application.op in ("round", "floor", "ceil")
        and isinstance(node, ast.Call)
        and node.args
        and source.one_line(node)
    ):
        x = ast.unparse(node.args[0])
        new = f"({x} + {tf}.stop_gradient({ast.unparse(node)} - {x}))"
        where = "for tangents" if forward else "in the backward pass"
        return _fix(f"use a straight line {where} (a surrogate)", site, rewriting.replaced(site, node, new))
    if application.op == "cast":
        return Fix("stay with floats until the gradient is asked for")
    return Fix("use a smooth function in its place, such as sigmoid for a comparison or softmax for argmax")


def clip() -> Fix:
    """Clip gradients, not values."""
    return Fix("to tame a gradient, clip the gradient and not the value", "tf.clip_by_value(gradient, low, high)")


def jacobian(asked: Any) -> Fix:
    """One gradient per output."""
    code = f"{asked.who}.jacobian({asked.target_name}, {asked.source_name})"
    node = source.node_at(asked.here)
    edits: tuple[Edit, ...] = ()
    if isinstance(node, ast.Call) and len(asked.targets) == 1:
        question = next(
            (question for question in reversed(asked.diary.questions) if question.moment.kind == "asked"), None
        )
        call = source.node_at(question.moment.site) if question is not None else None
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and source.one_line(call.func):
            text = f"{ast.unparse(call.func.value)}.jacobian"
            edits = (rewriting.replaced(question.moment.site, call.func, text),)  # type: ignore[union-attr]
    advice = "one gradient per output is the Jacobian; if the sum is meant, say so with reduce_sum"
    return Fix(advice, code, edits, asked.here.filename)
