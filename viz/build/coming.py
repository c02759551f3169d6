"""What is made and changed, and recorders that come, listen and go."""

from __future__ import annotations

from minitape.record.events import Label

from .facts import Facts
from .run import Moment

_LISTENED = {"enter": "listening", "resume": "listening", "pause": "paused", "exit": "stopped"}


class Coming(Facts):
    """Tells of values made, variables assigned, and recorders."""

    def _on_made(self, moment: Moment) -> None:
        facts = moment.event.facts
        tag = facts["tag"]
        if tag not in self.cast.cards or not self.cast.introduced(tag):
            return  # a number without a name appears with the op that uses it
        name = self.cast.names[tag]
        what = "a variable that holds" if facts["kind"] == "variable" else "a constant,"
        step = self._step("made", f"{name} is made: {what} {self._spelled(tag)}.", moment.event.site)
        self._value(tag, site=moment.event.site)
        self._add(step, "focus", self.values[tag]["id"])
        self._produced(step, name, self._spelled(tag))

    def _on_name_begins(self, moment: Moment) -> None:
        name = moment.event.facts["name"]
        self._step("name", f"Here begins {name}.", moment.event.site)
        self.names.append({"id": f"n{len(self.names)}", "label": name, "from": self.now})

    def _on_name_ends(self, moment: Moment) -> None:
        """The innermost open stretch of this name ends with the step that was just told."""
        open_ = [one for one in self.names if one["label"] == moment.event.facts["name"] and "to" not in one]
        if open_:
            open_[-1]["to"] = self.now + 1

    def _on_assign(self, moment: Moment) -> None:
        tag = moment.event.facts["tag"]
        if tag not in self.cast.cards:
            return
        self._value(tag, born=0)
        step = self._step("assign", f"{self.name(tag)} changes: it now holds {self._spelled(tag)}.", moment.event.site)
        self._set(tag, "v", self.name(tag), "value", self._snaps[tag])
        self._add(step, "focus", [self.values[tag]["id"], "v"])
        self._produced(step, self.name(tag), self._spelled(tag))
        for label, states in self.recorder_states.items():
            if states[-1]["state"] == "listening":
                self._add(step, "marks", [self._id(label), "write"])

    def _state(self, label: Label, state: str) -> None:
        states = self.recorder_states.setdefault(label, [])
        if states and states[-1]["t"] == self.now:
            states.pop()
        states.append({"t": self.now, "state": state})

    def _on_enter(self, moment: Moment) -> None:
        self._listen(moment, "{who} starts to listen{inside}.")

    def _on_resume(self, moment: Moment) -> None:
        self._listen(moment, "{who} goes on listening, now as the innermost recorder.")

    def _on_pause(self, moment: Moment) -> None:
        self._listen(moment, "{who} pauses: what comes now is not for it.")

    def _on_exit(self, moment: Moment) -> None:
        label = moment.event.facts["label"]
        keeps = "but keeps what it wrote down" if label.kind == "tape" else "but its tangents can still be looked up"
        error = moment.event.facts["error"]
        ends = f"An error ({error}) ends the block" if error else "The block ends"
        self._listen(moment, ends + ": {who} stops listening, " + keeps + ".")

    def _listen(self, moment: Moment, say: str) -> None:
        label = moment.event.facts["label"]
        outer = [
            one
            for one in self.recorder_states
            if self.recorder_states[one][-1]["state"] == "listening" and one is not label
        ]
        inside = f", inside {self._who(outer[-1])}" if outer else ""
        step = self._step(moment.event.kind, say.format(who=self._who(label), inside=inside), moment.event.site)
        self._state(label, _LISTENED[moment.event.kind])
        self._add(step, "marks", [self._id(label), moment.event.kind])

    def _on_reset(self, moment: Moment) -> None:
        label = moment.event.facts["label"]
        step = self._step("reset", f"{self._who(label)} forgets everything and starts afresh.", moment.event.site)
        self._free(label, step)

    def _on_watch(self, moment: Moment) -> None:
        facts = moment.event.facts
        label, tag = facts["label"], facts["tag"]
        self.known_by.setdefault(tag, []).append(label)
        if not facts["explicit"]:
            return
        self._value(tag, born=0)
        step = self._step("watch", f"{self._who(label)} watches {self.name(tag)} from here on.", moment.event.site)
        self._add(step, "focus", self.values[tag]["id"])
        self._add(step, "marks", [self._id(label), "watch"])

    def _on_deleted(self, moment: Moment) -> None:
        label = moment.event.facts["label"]
        if label not in self.cast.recorder_ids:
            return
        step = self._step(
            "release", f"{self._who(label)} is deleted, and with it goes everything that it kept.", moment.event.site
        )
        self._free(label, step)
        self._state(label, "spent")

    def _on_release(self, moment: Moment) -> None:
        label = moment.event.facts["label"]
        if self.steps[-1]["kind"] != "gradients":
            self._step("release", "", moment.event.site)
        self._told = True
        step = self.steps[-1]
        step["say"] = f"{step['say']} {self._who(label)} lets go of everything that it kept.".strip()
        self._free(label, step)
        self._state(label, "spent")
