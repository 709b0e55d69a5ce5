"""Where adapters stand, and which of them a piece goes through.

    h     = LN(r)                                 r = a' + FFN(a'), the layer's own
    LA    = U_l f(D_l h) + r                      language adapter
    TA    = U_t f(D_t LA) + r                     task adapter, with the same r (MAD-X, equation 2)
    out   = LN(TA)

So stacked, a task adapter with U_t = 0 undoes the language adapter of its layer: only what it makes of LA goes on.
AdapterHub stacks differently (``adapterhub``): the task adapter reads LN(LA) and adds to LA itself.

The places have no weights of their own: those are kept once, in ``AdapterSet``, whatever number of encoders is filled.
"""

from collections.abc import Callable
from typing import Literal, TypeVar, get_args

import torch
from torch import Tensor, nn

from clir_cli.encoders.adapters.adapter import Adapter
from clir_cli.encoders.adapters.bottleneck import Bottleneck
from clir_cli.encoders.encoder import Encoder
from clir_cli.encoders.layer import Layer, Sides, add
from clir_cli.errors import DataError

Part = TypeVar("Part")
Stacking = Literal["paper", "adapterhub"]
Segments = Literal["own", "query", "document"]
"""Which language's adapter a piece goes through: that of its own text, or one text's for all pieces."""


def of_segments(segments: Segments, query: str | None, document: str | None) -> tuple[str | None, str | None]:
    """Languages that the query's and the document's pieces go through, from the languages of the two texts."""
    return {"own": (query, document), "query": (query, query), "document": (document, document)}[segments]


class Switch:
    """What all places of a model look at: adapters by name, and the two languages in force."""

    def __init__(self, stacking: Stacking, last_dropped: int | None) -> None:
        self.stacking: Stacking = stacking
        self.last_dropped = last_dropped
        self.languages: dict[str, Adapter] = {}
        self.tasks: dict[str, Adapter] = {}
        self.query: str | None = None
        self.document: str | None = None

    def bottleneck(self, language: str | None, number: int) -> Bottleneck | None:
        """A language's in a layer; None without the language, or where that layer has none."""
        if language is None or number == self.last_dropped:
            return None
        return self.languages[language].bottleneck(number)


class LayerPlace(nn.Module):
    """Fills a layer's ``adapt``: the language's bottleneck, then the task's."""

    def __init__(self, switch: Switch, number: int, task: str | None) -> None:
        super().__init__()
        self._switch, self._number, self._task = switch, number, task

    def forward(self, r: Tensor, norm: nn.Module, sides: Sides) -> Tensor:
        """``r`` [B, m, d] -> [B, m, d], before the layer's last norm; ``sides`` as in ``Layer.forward``."""
        switch = self._switch
        task = None if self._task is None else switch.tasks[self._task].bottleneck(self._number)
        query = switch.bottleneck(switch.query, self._number)
        document = switch.bottleneck(switch.document, self._number)
        h = norm(r)
        spoken = r if query is document is None else self._speak(query, document, r, h, sides, task is not None)
        if task is None:
            return spoken
        if switch.stacking == "adapterhub":
            return add(task(norm(spoken)), spoken)
        return add(task(h if spoken is r else spoken), r)

    def _speak(
        self,
        query: Bottleneck | None,
        document: Bottleneck | None,
        r: Tensor,
        h: Tensor,
        sides: Sides,
        goes_on: bool,
    ) -> Tensor:
        """LA, each piece through its own language's bottleneck; without one it passes as it is.

        Before a task adapter of the paper's stacking, "as it is" is ``h``: what that adapter reads where there is no
        language adapter.
        """
        plain = h if goes_on and self._switch.stacking == "paper" else r

        def through(part: Bottleneck | None) -> Tensor:
            return plain if part is None else add(part(h), r)

        return by_side(query, document, sides, through)


def by_side(query: Part, document: Part, sides: Sides, through: Callable[[Part], Tensor]) -> Tensor:
    """``through(query)`` for the query's pieces and ``through(document)`` for the document's: [B, m, d].

    Raises ``ValueError`` where the two differ and nobody said which pieces are whose.
    """
    if query is document or sides == "query":
        return through(query)
    if sides == "document":
        return through(document)
    if sides is None:
        raise ValueError("query and document go through different adapters: say which pieces are whose")
    return torch.where(sides.unsqueeze(-1), through(document), through(query))


class InputPlace(nn.Module):
    """Fills the place after an encoder's embeddings: the languages' invertible adapters."""

    def __init__(self, switch: Switch) -> None:
        super().__init__()
        self._switch = switch

    def forward(self, e: Tensor, sides: Sides) -> Tensor:
        """[B, m, d] -> [B, m, d]."""
        query, document = (
            None if language is None else self._switch.languages[language].invertible
            for language in (self._switch.query, self._switch.document)
        )
        return by_side(query, document, sides, lambda part: e if part is None else part(e))


class AdapterSet(nn.Module):
    """The adapters of a model: those of languages, which are frozen, and those of its task, by the way they stand in.

    ``stacking``: how a task adapter stands on a language adapter. ``drop_last``: no language adapter in the last layer
    (MAD-X 2.0). ``segments``: which language a piece goes through, once ``speak`` is told the two languages.
    """

    def __init__(
        self, layers: int, *, stacking: Stacking = "paper", drop_last: bool = False, segments: Segments = "own"
    ) -> None:
        """``layers``: of the encoder, or of the longest way through a model. Raises ``DataError`` for unknown words."""
        super().__init__()
        for word, known in ((stacking, get_args(Stacking)), (segments, get_args(Segments))):
            if word not in known:
                raise DataError(f"Adapters know no {word!r}.", f"Choose among {', '.join(known)}.")
        self.languages = nn.ModuleDict()
        self.tasks = nn.ModuleDict()
        self.segments: Segments = segments
        self.switch = Switch(stacking, layers - 1 if drop_last else None)

    def add_language(self, language: str, adapter: Adapter) -> None:
        """Make a language known; its weights are used as they are and do not move."""
        adapter.requires_grad_(False)
        self.languages[language] = adapter
        self.switch.languages[language] = adapter

    def add_task(self, way: str, adapter: Adapter) -> None:
        """The task adapter of a way through the model; its weights move."""
        self.tasks[way] = adapter
        self.switch.tasks[way] = adapter

    def fill_layer(self, layer: Layer, number: int, way: str | None = None) -> None:
        """Put the place of layer ``number`` of a way into ``layer``; a way of None: without a task adapter."""
        layer.adapt = LayerPlace(self.switch, number, way if way in self.switch.tasks else None)

    def fill_inputs(self, encoder: Encoder) -> None:
        """Put the place of the invertible adapters into ``encoder``."""
        encoder.invertible = InputPlace(self.switch)

    def speak(self, query: str | None, document: str | None) -> None:
        """From now on queries are in one language and documents in another; None: no adapter, as without any.

        Raises ``DataError`` for a language without an adapter here.
        """
        chosen = of_segments(self.segments, query, document)
        for language in chosen:
            if language is not None and language not in self.switch.languages:
                known = ", ".join(self.switch.languages) or "none"
                raise DataError(f"There is no adapter of language {language} here (there are: {known}).", "Add it.")
        self.switch.query, self.switch.document = chosen

    @property
    def identity(self) -> str:
        """What decides scores beside the weights: how adapters stand, and the languages in force."""
        switch = self.switch
        return f"{switch.stacking} {switch.last_dropped} {self.segments} {switch.query} {switch.document}"

    @property
    def tells_sides(self) -> bool:
        """Whether it matters which pieces are the query's."""
        return self.switch.query != self.switch.document
