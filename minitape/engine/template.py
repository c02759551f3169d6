"""The text of what the engine writes: an op as one function, with a name in braces where rows differ.

It is `trace.compute`, `tensor.fresh`, `trace.Application` and `Recording.record` in one piece; `forward.py` fills it in.
"""

from __future__ import annotations

TEMPLATE = """
def {name}({parameters}, params=NOTHING):
    now = state.__dict__  # this thread's own
    {usual}
    {converted}
    {tags}
    {dtypes}
    {arrays}
    try:
        array = {forward}
        {base}
        nbytes = array.nbytes
    except Exception:
        return general(row, ({operands}), params)  # which says what is wrong, or makes an array of it
    holder = now["holder"]
    {wrapped}
    recorders = now["recorders"]
    {unseen}
    {site}
    application = new(Application)
    application.tick = next(ticks)
    application.primitive = row
    application.first = {first}
    application.second = {second}
    application.outcome = tag
    application.params = params
    application.code = code
    application.lasti = place
    application.context = now["context"]
    {told}
    verdicts = ()
    plan = None
    for tape in recorders:
        if not tape.straight:
            verdicts += shown(tape, application, ({read}), (out,))
            continue
        {record}
    application.verdicts = verdicts
    remember(application)
    return out
"""

# Where nobody listens: whether all else is as usual, and the end of an op that nobody records.
USUAL = """
if not now["straight"]:
    if now["instead"] is None:
        return row.run_heard({called}, params=params)
    return general(row, ({operands}), params)
"""

UNSEEN = """
if not recorders:
    context = now["context"]
    if context.role is not UNLOGGED:
        {site}
        remember((next(ticks), row, ({all_tags}), (tag,), code, place, context, ()))
    return out
"""

# Where somebody listens.
TOLD = """
event = new_event(("op", next(ticks), application, now["context"], {{"application": application}}))
for listener in now["listeners"]:
    listener(event, ({operands}out))
"""

# The learner's instruction.
SITE = """
if now["site"] is None:
    frame = getframe(1)
    code = frame.f_code
    while is_library[code.co_filename] and frame.f_back is not None:
        frame = frame.f_back
        code = frame.f_code
    place = frame.f_lasti
else:
    code, place = now["site"]
"""

# A tensor on bytes of its own: what `tensor.fresh` does.
FRESH = """
tag = new(Tag)
tag.id = next(serials)
tag.shape = array.shape
tag.dtype = array.dtype
tag.nbytes = nbytes
tag.handles = 1
tag.followers = ()
out = new(Tensor)
out.array = array
out.tag = out.buffer = tag
out.holder = holder
{counted}
"""

COUNTED = """
{charged}
ledger.live = live = ledger.live + nbytes
if live > ledger.peak:
    ledger.peak = live
if ledger.observers:
    for observer in ledger.observers:
        observer((tag, NOBODY, holder))
"""

# Bytes that the ledger counted as in flight already: they only change hands.
LANDED = """
charges[FLIGHT] -= nbytes
{charged}
if ledger.observers:
    for observer in ledger.observers:
        observer((tag, NOBODY, holder))
"""

CHARGED = """
if holder == PYTHON:
    tag.holds = HELD_BY_PYTHON
else:
    tag.holds = ONE[holder]
    charges[holder] += nbytes
"""

# Operands that are no tensors: a Python number beside a tensor is by far the most frequent.
NUMBERS = """
if {x}.__class__ is not Tensor or {y}.__class__ is not Tensor:
    if {y}.__class__ is float and {x}.__class__ is Tensor and {x}.tag.dtype.kind == "f":
        {y} = literal({y}, {x}.tag.dtype)
    elif {x}.__class__ is float and {y}.__class__ is Tensor and {y}.tag.dtype.kind == "f":
        {x} = literal({x}, {y}.tag.dtype)
    elif isinstance({x}, Operand) and isinstance({y}, Operand):  # variables are read
        {x} = {x}.tensor_now
        {y} = {y}.tensor_now
    else:
        {x}, {y} = as_tensors(row, ({x}, {y}))
"""

OTHERS = """
if {not_tensors}:
    {operands} = as_tensors(row, ({operands}))
"""

# What a row answers with that does not always make a new array: a view, or what it was given.
WRAPPED = """
if base is not None{the_same}:
    out = wrap(array, ({operands}), holder)
    tag = out.tag
else:
    {fresh}
"""

# A tape writes an application down: what `Recording.record` does once it is known that something followed flows in.
RECORD = """
followed = tape.followed
{makers}
{floats}
items = tape.written.items
{plans}
place = len(items)
items += (application, plan, kept, 0)
followed[tag] = place
tag.followers = (*tag.followers, *tape.alone) if tag.followers else tape.alone
verdicts += tape.took
"""

# For rows that may make whole numbers of floats.
FLOATS = """
if tag.dtype.kind not in "fc":
    verdicts += tape.passed if {none} else tape.flat
    continue
"""

# An input that an entry of this tape made.  The new entry needs that older one, so that this tape need not hear when handles on
# the input go, until the new entry is dropped.
USED = """
if {maker} >= 0:
    items[{maker} + USERS] += 1
    if {tag}.followers is tape.alone:
        {tag}.followers = ()
    elif {tag}.followers and {tag}.followers[:1] == tape.alone:  # outer tapes come first, and took theirs away already
        {tag}.followers = {tag}.followers[1:]
    elif {tag}.followers and {tag}.followers[-1:] == tape.alone:  # behind a listener's, which stays
        {tag}.followers = {tag}.followers[:-1]
    elif {tag}.followers:
        {tag}.followers = tuple([reference for reference in {tag}.followers if reference not in tape.alone])
"""

# The tape's own handle on a value.
KEEP = """
{kept} = new(Tensor)
{kept}.array = {array}
{kept}.tag = {tag}
{kept}.buffer = buffer = {value}.buffer
{kept}.holder = TAPE
{tag}.handles += 1
before = buffer.holds
buffer.holds = before + ONE_TAPE
if not before & SETTLED_TAPE:
    if before & BEFORE_TAPE:
        ledger.held_for_backward += buffer.nbytes
    else:
        held(buffer, before, TAPE)
"""

# x * x: one handle is enough for both.
KEEP_TWICE = """
if y is x:
    kept_y = kept_x
else:
    {keep}
"""

# A function that does nothing but wrap.
WRAPS = """
def {name}(array, holder):
    nbytes = array.nbytes
    {fresh}
    return out
"""
