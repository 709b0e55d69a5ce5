"""Commands about the machine and the settings."""

from typing import Annotated

import typer

from clir_cli.cli import options as opt

PANEL = "The whole experiment"


def register(app: typer.Typer) -> None:
    app.command("config", rich_help_panel=PANEL)(config_command)
    app.command("doctor", rich_help_panel=PANEL)(doctor_command)


def config_command(
    pair: opt.OnePair = None,
    list: Annotated[bool, typer.Option("--list", help="Names and descriptions of the experiments.")] = False,
    describe: Annotated[bool, typer.Option("--describe", help="Every key there is, with its meaning.")] = False,
    config: opt.Config = None,
    experiment: opt.ExperimentName = None,
    sets: opt.Sets = None,
    debug: opt.Debug = False,
) -> None:
    """Check an experiment and print it with every default filled in."""
    options = opt.common(config, experiment, sets)
    if describe:
        describe_settings()
    elif list:
        list_all(options)
    else:
        show_settings(options, pair)


def show_settings(options: opt.Common, pair: str | None) -> None:
    import yaml

    from clir_cli.cli import console, making
    from clir_cli.config.load import resolved

    loaded = making.open_experiment(options)
    plain = resolved(loaded, pair)
    text = yaml.safe_dump({loaded.name: plain}, sort_keys=False, allow_unicode=True, width=120)
    console.show_text(f"# {loaded.file}\n{text}")


def list_all(options: opt.Common) -> None:
    from pathlib import Path

    from clir_cli.cli import console
    from clir_cli.config.load import find_file, list_experiments

    experiments = list_experiments(options.config or find_file(Path.cwd()))
    console.show_table(["experiment", "description"], [[name, text] for name, text in experiments.items()])


def describe_settings() -> None:
    from clir_cli.cli import console
    from clir_cli.config.describe import describe

    console.show_text(describe())


def doctor_command(
    config: opt.Config = None,
    debug: opt.Debug = False,
) -> None:
    """Is this machine ready? Python, libraries, Java, GPU, disk, data."""
    doctor(opt.common(config, None, None))


def doctor(options: opt.Common) -> None:
    from clir_cli.cli import console
    from clir_cli.cli.checkup import Health, examine

    findings = [*examine(options.config)]
    for finding in findings:
        console.say(f"{finding.health.symbol} {finding.what}: {finding.text}", finding.health.style)
    if any(finding.health is Health.bad for finding in findings):
        raise typer.Exit(1)
