"""Stages that learn a language from plain text: its adapter, or (MLM-src, MLM-trg) all weights of the encoder."""

from pathlib import Path
from typing import Any

from clir_cli.config.choices import bitext_for
from clir_cli.config.schema import languages_of
from clir_cli.pipeline.graph.base import dumped, remembered
from clir_cli.pipeline.graph.first_stage import FirstStage
from clir_cli.pipeline.stage import Stage

Base = tuple[dict[str, Stage], dict[str, list[Path]], dict[str, Any]]

_RECIPE = {"languages", "reduction", "left_out", "full_learning_rate", "full_steps"}


class Languages(FirstStage):
    """What language adapters are trained on, and in."""

    def base_of(self, model: str) -> Base:
        """The encoder that adapters of a model stand in: stages, files, and settings that say which; one for all folds.

        A MORES has one of its own: what it was trained for ranking as.
        """
        chosen, pretrain = self.settings.models[model], self.settings.pretrain
        if chosen.kind == "mores" and pretrain is not None and pretrain.ranking is not None:
            return {"start": self.pretrain_model(model)}, {}, {}
        return self._shared_base()

    def _shared_base(self) -> Base:
        if self.settings.pretrain is not None:
            return {"start": self.pretrain()}, {}, {}
        encoder = dumped(self.settings.encoder)
        settings = {name: encoder[name] for name in ("checkpoint", "revision", "layers")}
        return {}, self._checkpoint_files(settings), settings

    def language_is_given(self, language: str) -> bool:
        """Whether its adapter is finished already: a folder, or on the hub."""
        return self.settings.adapters.languages[language].adapter is not None

    @remembered
    def adapt(self, language: str, invertible: bool = True, model: str | None = None) -> Stage:
        """The adapter of a language, in the encoder of ``model`` (None: that of all but MORES)."""
        adapters = self.settings.adapters
        settings = {
            "language": language,
            "shape": {"reduction": adapters.reduction, "left_out": adapters.left_out, "invertible": invertible},
            "recipe": dumped(adapters, _RECIPE),
        }
        name = f"{self.experiment.name} {language}{'' if invertible else ' -inv'}"
        base = self._shared_base() if model is None else self.base_of(model)
        return self._learning(name, "languages:adapt", language, settings, base)

    @remembered
    def adapt_encoder(self, language: str) -> Stage:
        """The encoder, after masked language modelling of all its weights on text of a language."""
        adapters = self.settings.adapters
        recipe = dumped(adapters, _RECIPE) | {"learning_rate": adapters.full_learning_rate}
        if adapters.full_steps is not None:
            recipe |= {"steps": adapters.full_steps, "epochs": None}
        name = f"{self.experiment.name} {language} all weights"
        base = self._shared_base()
        return self._learning(name, "languages:adapt_encoder", language, {"recipe": recipe}, base)

    def _learning(self, name: str, function: str, language: str, settings: dict[str, Any], base: Base) -> Stage:
        start, files, encoder = base
        learned = self.settings.adapters.languages[language]
        settings |= {
            "encoder": encoder | {"text": self.settings.encoder.text},
            "seed": self.settings.training.seed,
            "threads": self.settings.training.threads,
            "precision": self._precision(self.settings),
            "text": {"collections": learned.collections, "bitext": {}},
        }
        files = dict(files)
        needs = start | {f"collection {each}": self.collection(each) for each in learned.collections}
        if learned.text:
            files["text"] = list(learned.text)
        for pair in learned.bitext:
            bitext = bitext_for(self.settings, pair)
            assert bitext is not None
            files[f"bitext {pair}"] = [bitext.source if languages_of(pair)[0] == language else bitext.target]
            settings["text"]["bitext"][pair] = bitext.encoding
        # Checkpoints of a run are part of how it is made, and of nothing that it makes.
        hints = {"checkpoint_every": settings["recipe"].pop("checkpoint_every")}
        return self._stage("adapt", name, function, settings, needs=needs, files=files, hints=hints)

    def adapters_of(self, model: str, pair: str) -> Base:
        """Adapters that a model of ``pair`` goes through: stages, files of finished ones, and what is said of them.

        The last is ``spoken`` (language of query and document), ``invertible``, and ``hub`` (those by name).
        """
        chosen = self.settings.models[model].adapters
        assert chosen is not None
        spoken = chosen.spoken(pair)
        needs: dict[str, Stage] = {}
        files: dict[str, list[Path]] = {}
        hub: dict[str, Any] = {}
        invertible = chosen.language and chosen.invertible
        own = model if self.settings.models[model].kind == "mores" else None
        for language in dict.fromkeys(name for name in spoken if name is not None):
            given = self.settings.adapters.languages[language]
            if given.adapter is None:
                needs[f"adapter {language}"] = self.adapt(language, invertible, own)
            elif Path(given.adapter).is_dir():
                files[f"adapter {language}"] = [Path(given.adapter)]
            else:
                hub[language] = {"name": given.adapter, "revision": given.revision}
        return needs, files, {"spoken": list(spoken), "invertible": invertible, "hub": hub}
