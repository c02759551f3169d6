"""What is made and changed, and recorders that come, listen and go."""

from __future__ import annotations

from typing import Any

from ..capture.records import (
    Assigned,
    Deleted,
    Entered,
    Failed,
    Full,
    Left,
    Made,
    NameBegins,
    NameEnds,
    Paused,
    Released,
    Reset,
    Resumed,
    Watched,
)
from .facts import Facts
from .given import name_beside
from .rounds import STATES
from .spelling import in_a_line

CALLED = 60  # letters of a call that are part of a sentence


class Recorders(Facts):
    """Tells of values made, variables assigned, and recorders."""

    def _on_made(self, record: Made) -> None:
        value = record.value
        if value not in self.names.cards or not self.names.introduced(value):
            return  # a number without a name appears with the op that uses it
        name, what = self.name(value), self._spelled(value)
        say = self.words("made.variable" if value.variable else "made.constant", name=name, what=what)
        text = record.site.text if record.site is not None and record.site.form == "call" else ""
        if self.names.nobodys(value) and 0 < len(text) <= CALLED:  # a number alone would not say what it is
            say = self.words("made.by", name=name, text=text, what=what)
        step = self._step("made", say, record.site)
        self._card(value, site=record.site)
        self._focus(step, value)
        self.beside.gave(step, name_beside(record, name), value)

    def _on_name_begins(self, record: NameBegins) -> None:
        self._step("name", self.words("name.begins", name=record.name), record.site)
        self.stretches.append({"id": f"n{len(self.stretches)}", "label": record.name, "from": self.now})

    def _on_name_ends(self, record: NameEnds) -> None:
        """The innermost open stretch of this name ends with the step that was just told."""
        open_ = [stretch for stretch in self.stretches if stretch["label"] == record.name and "to" not in stretch]
        if open_:
            open_[-1]["to"] = self.now + 1

    def _on_assign(self, record: Assigned) -> None:
        value = record.value
        if value not in self.names.cards:
            return
        self._card(value, born=0)
        name, what = self.name(value), self._spelled(value)
        step = self._step("assign", self.words("assign", name=name, what=what), record.site)
        self._set(value, "v", name, "value", self._seen(value))
        self._focus(step, value, "v")
        self.beside.gave(step, name, value)
        for recorder, states in self.recorder_states.items():
            if states[-1]["state"] == "listening":
                self._mark(step, recorder, "write")

    def _on_error(self, record: Failed) -> None:
        message = in_a_line(record.message)
        say = self.words("error.caught" if record.caught else "error", error=record.error, message=message)
        self._step("error", say.strip(" :"), record.site)
        self._mark(self.steps[-1], record.recorder, "miss")

    def _on_full(self, record: Full) -> None:
        self._step("full", self.words("full", limit=f"{record.limit:,}"), record.site)

    # ---- recorders ----------------------------------------------------------------------------------------------------

    def _on_enter(self, record: Entered) -> None:
        listening = [
            recorder
            for recorder, states in self.recorder_states.items()
            if states[-1]["state"] == "listening" and recorder is not record.recorder
        ]
        inside = self.words("enter.inside", outer=self._who(listening[-1])) if listening else ""
        key = "enter.tape" if record.recorder.kind == "tape" else "enter.accumulator"
        self._listen(record, self.words(key, who=self._who(record.recorder), inside=inside))

    def _on_resume(self, record: Resumed) -> None:
        self._listen(record, self.words("resume", who=self._who(record.recorder)))

    def _on_pause(self, record: Paused) -> None:
        self._listen(record, self.words("pause", who=self._who(record.recorder)))

    def _on_exit(self, record: Left) -> None:
        ends = self.words("exit.error", error=record.error) if record.error else self.words("exit.ends")
        key = "exit.tape" if record.recorder.kind == "tape" else "exit.accumulator"
        self._listen(record, self.words(key, ends=ends, who=self._who(record.recorder)))

    def _listen(self, record: Any, say: str) -> None:
        step = self._step(record.kind, say, record.site)
        self._state(record.recorder, STATES[record.kind])
        self._mark(step, record.recorder, record.kind)

    def _on_reset(self, record: Reset) -> None:
        step = self._step("reset", self.words("reset", who=self._who(record.recorder)), record.site)
        self._free(record.recorder, step)

    def _on_watch(self, record: Watched) -> None:
        recorder, value = record.recorder, record.value
        self.known_by.setdefault(value, []).append(recorder)
        if not record.explicit:
            return
        say = self.words("watch", who=self._who(recorder), name=self.name(value))
        step = self._step("watch", say, record.site)
        self._card(value, born=0 if value.early is not None else None)  # else it was made where nothing is told
        self._focus(step, value)
        self._mark(step, recorder, "watch")

    def _on_deleted(self, record: Deleted) -> None:
        if record.recorder not in self.names.recorder_ids:
            return
        step = self._step("release", self.words("deleted", who=self._who(record.recorder)), record.site)
        self._free(record.recorder, step)
        self._state(record.recorder, "spent")

    def _on_release(self, record: Released) -> None:
        if self.steps[-1]["kind"] != "gradients":
            self._step("release", "", record.site)
        self.told = True
        step = self.steps[-1]
        step["say"] = f"{step['say']} {self.words('release', who=self._who(record.recorder))}".strip()
        self._free(record.recorder, step)
        self._state(record.recorder, "spent")
