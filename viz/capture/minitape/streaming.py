"""A whole run, or what a tape wrote down, as a stream: the log taken apart, and each of its events read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from minitape.record.events import Event
from minitape.record.ledger import HOLDERS, NOBODY, Buffer
from minitape.tape import GradientTape
from minitape.tensor import Tag
from minitape.trace import Application

from ...schema import clean
from ..numbers import Snapshot, shape_text, snapshot
from ..places import without_results
from ..records import FORWARD, Applied, Entered, Failed, Full, Record, Watched
from ..stream import Stream, without_collecting
from .caught import told_as_caught
from .reading import Reading

if TYPE_CHECKING:
    from .recording import Run


class Heard(NamedTuple):
    """A run's log, taken apart; what happens between two events belongs to the one before.

    A buffer's first holder, and all that follows, belongs to the event after.
    """

    events: list[Event | Application | list[Any]]  # of the kinds that come often, the row of the log
    numbers: list[list[tuple[Tag, Any]]]  # by event: the values that came with it, with what they were
    places: list[int]  # by event: where in the log it stands
    gone: list[list[Tag]]  # by event: whose last handle died
    # Bytes that came to another holder: in which event, which, and to whom; and by event how many such rows came before it.
    rows: list[int]
    buffers: list[Buffer]
    holders: list[int]
    before: list[int]
    # What was there before the run, and met in it: who held a value, and bytes.
    held: dict[Tag, int]
    bytes_held: dict[Buffer, int]


def unfold(run: Run) -> Heard:
    """A run's log, taken apart."""
    heard = Heard([], [], [], [], [], [], [], [], {}, {})
    events, numbers, places, gone, rows, buffers, holders, before, held, bytes_held = heard
    known: set[Buffer] = set()  # of other bytes, which are older than the run, nothing is told
    gone_already: set[Buffer] = set()
    log, at, now, values = run.log, 0, 0, run.numbers
    died, met = run.marks
    often = {kind: 4 + len(names) for kind, names in run.often.items()}  # and how many items of the log it takes
    length = len(log)
    while at < length:
        what = log[at]
        kind = type(what)
        event: Any = None
        if kind is Application:
            event, outcome, end = what, what.outcome, at + 1
            if type(outcome) is tuple:
                seen = [(tag, values[tag]) for tag in outcome]
            else:
                seen = [(outcome, values[outcome])]
        elif kind is str:
            if what is died:
                gone_already.add(log[at + 1])
                if gone:
                    gone[-1].append(log[at + 1])
                at += 2
            elif what is met:
                _, tag, buffer, holder = log[at : at + 4]
                if buffer not in known:
                    known.add(buffer)
                    held[tag] = bytes_held[buffer] = holder
                at += 4
            else:
                end = at + often[what]
                event, tag = log[at:end], log[end - 1]
                seen = [(tag, values[tag])]
        elif kind is Event:
            end = at + 2 + 2 * log[at + 1]
            event, seen = what, list(zip(log[at + 2 : end : 2], log[at + 3 : end : 2], strict=True))
        else:
            after = log[at + 2]
            if log[at + 1] < 0:
                known.add(what)
                gone_already.discard(what)
                now = len(events)
            elif after < 0 and what in values and what not in gone_already and gone:
                gone[-1].append(what)  # nobody has its bytes any more, and so nobody the value
            if what in known:
                if after < 0:
                    known.discard(what)
                rows.append(now)
                buffers.append(what)
                holders.append(after)
            at += 3
        if event is not None:
            now = len(events)
            events.append(event)
            numbers.append(seen)
            places.append(at)
            gone.append([])
            before.append(len(rows))
            at = end
    return heard


@without_collecting()
def stream_of(run: Run) -> Stream:
    """What a run heard, as records."""
    reading, heard = Reading(run.naming.names), unfold(run)
    values = reading.values
    before, levels, most = _bytes(heard)
    names = (*HOLDERS, "")  # NOBODY is the last
    shared, kept = run.shared, run.kept
    moves = zip(heard.rows, heard.buffers, heard.holders, strict=True)
    move = next(moves, None)
    records: list[Record] = []
    for at, event in enumerate(heard.events):
        numbers = {
            values[tag]: number if isinstance(number, Snapshot) else Snapshot(None, None, float(number))
            for tag, number in heard.numbers[at]
        }
        found = reading.record(event)
        found.numbers, found.memory, found.high = numbers, levels[at], most[at]
        if kept and heard.places[at] in kept:
            found.kept = tuple([values[tag] for tag in kept[heard.places[at]]])
        if heard.gone[at]:
            found.gone = tuple([values[tag] for tag in heard.gone[at]])
        if move is not None and move[0] <= at:
            changes = []
            while move is not None and move[0] <= at:
                _, buffer, holder = move
                if isinstance(buffer, Tag):  # the bytes of one value, which others may be views of
                    changes.append((values[buffer], names[holder]))
                if buffer in shared:
                    changes += [(values[tag], names[holder]) for tag in shared[buffer]]
                move = next(moves, None)
            found.moved = tuple(changes)
        records.append(found)
    if Failed in map(type, records):
        told_as_caught(records, run.error[1])
    if run.full and run.limit:
        records.append(Full(site=reading.site(run.block), limit=run.limit, memory=levels[-1]))
    if run.error[0]:
        records.append(Failed(site=reading.site(run.failed), error=run.error[0], message=run.error[1]))
    for tag, number in run.early.items():
        values[tag].early, values[tag].held = number, names[heard.held.get(tag, NOBODY)]
    for tag, lines in run.naming.given_to.items():
        values[tag].given_to = tuple([(reading.site(at), name) for at, name in lines])
    without_results(records)
    block = reading.site(run.block)
    return Stream(title=run.title, lead=run.lead, holders=HOLDERS, before=before, block=block, records=records)


def _bytes(heard: Heard) -> tuple[tuple[int, ...], list[tuple[int, ...]], list[int]]:
    """Bytes by holder before the run and once each event has settled, and the most at once from the event before to each.

    What was there before the run counts from its beginning on, not from where the run first met it.
    """
    held, left = dict(heard.bytes_held), []
    for buffer, holder in zip(heard.buffers, heard.holders, strict=True):
        left.append(held.get(buffer, NOBODY))
        held[buffer] = holder
    changes = np.zeros((len(heard.rows) + 1, len(HOLDERS) + 1), np.int64)  # row by row; the last column is nobody's
    for buffer, holder in heard.bytes_held.items():
        changes[0, holder] += buffer.nbytes
    places = np.arange(1, len(heard.rows) + 1)
    sizes = np.array([buffer.nbytes for buffer in heard.buffers], np.int64)
    changes[places, np.array(left, np.int64)] -= sizes
    changes[places, np.array(heard.holders, np.int64)] += sizes
    levels = changes[:, :NOBODY].cumsum(axis=0)  # after so many rows
    settled = levels[np.searchsorted(heard.rows, np.arange(len(heard.events)), "right")]
    ends = np.asarray(heard.before, np.int64)  # of the stretch from one event to the next
    windows = np.column_stack([np.append(0, ends)[:-1], ends + 1]).ravel()
    most = np.maximum.reduceat(np.append(levels.sum(axis=1), 0), windows)[::2] if len(ends) else ends
    return tuple(levels[0].tolist()), list(map(tuple, settled.tolist())), most.tolist()


# ---- a tape alone ---------------------------------------------------------------------------------------------------------


def tape_as_stream(tape: GradientTape) -> Stream:
    """A tape's entries as a stream: what was written down, with the numbers that the tape still holds."""
    reading, entries = Reading({}), tape.entries
    known: dict[Tag, Snapshot] = {}
    for entry in entries:
        application = entry.application
        for tag, tensor in zip((*application.inputs, *application.outputs), entry.values(), strict=True):
            if tensor is not None:
                known[tag] = snapshot(tensor.array)
            else:
                known.setdefault(tag, Snapshot(shape_text(tag.shape) or "?", None))
    who = reading.recorder(tape.label)
    site = reading.site(tape.label.site)
    records: list[Record] = [Entered(recorder=who, site=site)] if entries else []
    made: set[Tag] = set()
    for entry in entries:
        application = entry.application
        for want, tag in zip(entry.wanted, application.inputs, strict=True):
            if tag not in made:
                value = reading.values[tag]
                value.early = known[tag]
                if want:
                    place = reading.site(application.site)
                    records.append(Watched(recorder=who, value=value, explicit=False, site=place, context=FORWARD))
        made.update(application.outputs)
        op = reading.op(application, entry.wanted)
        numbers = {reading.values[tag]: known[tag] for tag in application.outputs}
        records.append(Applied(op=op, site=op.site, context=op.context, numbers=numbers))
    return Stream(title=clean(tape.label.name), block=site, records=records)
