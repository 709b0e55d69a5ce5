"""Commands that look into trained models."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from clir_cli.cli import options as opt

PANEL = "Analyses"


def register(app: typer.Typer) -> None:
    app.command("gap", rich_help_panel=PANEL)(gap_command)


def gap_command(
    pair: opt.Pairs = None,
    model: opt.Models = None,
    fold: opt.Folds = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="The same as CSV, with the bands.")
    ] = None,
    figure: Annotated[
        list[Path] | None,
        typer.Option("--figure", metavar="FILE", help="Draw it: .pdf, .png or .svg, column width; repeatable."),
    ] = None,
    config: opt.Config = None,
    experiment: opt.ExperimentName = None,
    sets: opt.Sets = None,
    jobs: opt.Jobs = None,
    quiet: opt.Quiet = False,
    debug: opt.Debug = False,
) -> None:
    """Show how near translations lie in each layer, and pairs drawn at random (MAT, figure 4)."""
    gap(opt.common(config, experiment, sets, jobs, quiet), pair, model, fold, out, figure or [])


def gap(
    options: opt.Common,
    pairs: list[str] | None,
    models: list[str] | None,
    folds: Iterable[int] | None,
    out: Path | None,
    figures: Sequence[Path] = (),
) -> None:
    from clir_cli.cli import console, making
    from clir_cli.lines import check_place, write_whole

    if out is not None:
        check_place(out)
    if figures:
        from clir_cli.report.figures.style import format_of

        for file in figures:
            format_of(file)
    plan = making.make(options, "gap", making.select(pairs, models, list(folds or [])))
    from clir_cli.analysis.translation_gap import Line, lines, read_gap

    files: dict[tuple[str, str], list[Path]] = {}
    for stage in plan.targets:
        files.setdefault((str(stage.pair), str(stage.model)), []).append(plan.artifact(stage) / "gap.npz")
    by_pair: dict[str, dict[str, Mapping[str, Line]]] = {}
    rows, written = [], ["pair,model,layer,inputs,topics,kind,mean,low,high\n"]
    for (pair, model), places in files.items():
        found = read_gap(places)
        drawn = lines(found)
        by_pair.setdefault(pair, {})[plan.graph.rows.label(model)] = drawn
        topics = len(set(found.topics))
        for layer in range(found.translated.shape[1]):
            shown = [f"{drawn[kind].mean[layer]:.3f}" for kind in ("translated", "random")]
            line = drawn["gap"]
            band = f"[{line.low[layer]:+.3f}, {line.high[layer]:+.3f}]"
            rows.append([pair, model, str(layer), *shown, f"{line.mean[layer]:+.3f}", band])
            written += [
                f"{pair},{model},{layer},{len(found.topics)},{topics},{kind},"
                f"{line.mean[layer]:.6f},{line.low[layer]:.6f},{line.high[layer]:.6f}\n"
                for kind, line in drawn.items()
            ]
    console.show_table(
        ["pair", "model", "layer", "translations", "others", "gap", "95 %"],
        rows,
        right=["layer", "translations", "others", "gap"],
    )
    console.tell("Cosine similarity, mean over inputs; layer 0: the embeddings; bands: bootstrap over topics.")
    if out is not None:
        with write_whole(out) as stream:
            stream.writelines(written)
        console.say(str(out))
    if figures:
        from clir_cli.report.figures.gap import draw_gap
        from clir_cli.report.figures.style import save

        drawing = draw_gap(by_pair)
        for file in figures:
            save(drawing, file)
            console.say(str(file))
