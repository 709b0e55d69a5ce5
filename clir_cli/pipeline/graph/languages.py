"""Stages that learn a language from plain text: its adapter, or (MLM-src, MLM-trg) all weights of the encoder."""

from pathlib import Path
from typing import Any

from clir_cli.config.choices import bitext_for, language_length
from clir_cli.config.schema import languages_of
from clir_cli.pipeline.graph.base import dumped, remembered
from clir_cli.pipeline.graph.first_stage import FirstStage
from clir_cli.pipeline.stage import Stage

Base = tuple[dict[str, Stage], dict[str, list[Path]], dict[str, Any]]


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
    def head(self, language: str, model: str | None = None) -> Stage:
        """What names hidden pieces of a language's text, over the encoder of ``model`` (None: of all but MORES)."""
        adapters = self.settings.adapters
        recipe = {"steps": adapters.head_steps, "epochs": None, "learning_rate": adapters.head_learning_rate}
        return self._learning("head", language, language, recipe, {}, {}, model)

    @remembered
    def adapt(self, language: str, invertible: bool = True, model: str | None = None, share: float = 1.0) -> Stage:
        """The adapter of a language, in the encoder of ``model``, after ``share`` of the steps it has otherwise."""
        adapters = self.settings.adapters
        recipe = language_length(self.settings, language, share)._asdict() | {"learning_rate": adapters.learning_rate}
        shape = {"reduction": adapters.reduction, "left_out": adapters.left_out, "invertible": invertible}
        name = f"{language}{'' if invertible else ' -inv'}{'' if share == 1 else f', {share:g} of the steps'}"
        needs = {"head": self.head(language, model)}
        return self._learning("adapt", name, language, recipe, {"language": language, "shape": shape}, needs, model)

    @remembered
    def adapt_encoder(self, language: str) -> Stage:
        """The encoder, after masked language modelling of all its weights on text of a language."""
        adapters = self.settings.adapters
        recipe = language_length(self.settings, language)._asdict() | {"learning_rate": adapters.full_learning_rate}
        if adapters.full_steps is not None:
            recipe |= {"steps": adapters.full_steps, "epochs": None}
        needs = {"head": self.head(language)}
        return self._learning("adapt_encoder", f"{language} all weights", language, recipe, {}, needs, None)

    def _learning(
        self,
        function: str,
        name: str,
        language: str,
        recipe: dict[str, Any],
        settings: dict[str, Any],
        needs: dict[str, Stage],
        model: str | None,
    ) -> Stage:
        start, files, encoder = self._shared_base() if model is None else self.base_of(model)
        adapters = self.settings.adapters
        learned = adapters.languages[language]
        settings = settings | {
            "recipe": recipe | {key: getattr(adapters, key) for key in ("batch", "mask", "whole_words", "max_pieces")},
            "encoder": encoder | {"text": self.settings.encoder.text},
            "seed": self.settings.training.seed,
            "threads": self.settings.training.threads,
            "precision": self._precision(self.settings),
            "text": {"collections": learned.collections, "bitext": {}},
        }
        files = dict(files)
        needs = needs | start | {f"collection {each}": self.collection(each) for each in learned.collections}
        if learned.text:
            files["text"] = list(learned.text)
        for pair in learned.bitext:
            bitext = bitext_for(self.settings, pair)
            assert bitext is not None
            files[f"bitext {pair}"] = [bitext.source if languages_of(pair)[0] == language else bitext.target]
            settings["text"]["bitext"][pair] = bitext.encoding
        # Checkpoints of a run are part of how it is made, and of nothing that it makes.
        hints = {"checkpoint_every": adapters.checkpoint_every}
        kind = "head" if function == "head" else "adapt"
        name = f"{self.experiment.name} {name}"
        return self._stage(kind, name, f"languages:{function}", settings, needs=needs, files=files, hints=hints)

    def adapters_of(self, model: str, pair: str, source: str) -> Base:
        """Adapters that ``pair`` goes through in a model: stages, files of finished ones, and what is said of them.

        ``source``: the pair that the model is trained on; languages that are not of it may have learned less. What is
        said is ``spoken`` (language of query and document), ``invertible``, and ``hub`` (those by name).
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
                share = 1.0 if language in chosen.spoken(source) else chosen.share
                needs[f"adapter {language}"] = self.adapt(language, invertible, own, share)
            elif Path(given.adapter).is_dir():
                files[f"adapter {language}"] = [Path(given.adapter)]
            else:
                hub[language] = {"name": given.adapter, "revision": given.revision}
        return needs, files, {"spoken": list(spoken), "invertible": invertible, "hub": hub}
