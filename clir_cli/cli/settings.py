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
    as_json: Annotated[bool, typer.Option("--json", help="For a program to read.")] = False,
    config: opt.Config = None,
    experiment: Annotated[
        str | None,
        typer.Option("--experiment", "-e", metavar="NAME", help="Only this one, and all that it lacks; default: all."),
    ] = None,
    debug: opt.Debug = False,
) -> None:
    """Is this machine ready? Python, Java, GPU, memory, disk, the hub, and the data of each experiment."""
    doctor(opt.common(config, experiment, None), as_json=as_json)


def doctor(options: opt.Common, *, as_json: bool = False) -> None:
    import json

    from clir_cli.cli import console
    from clir_cli.cli.checkup.examine import examine
    from clir_cli.cli.checkup.findings import Finding, Health

    findings: list[Finding] = []
    for finding in examine(options.config, options.experiment):
        findings.append(finding)
        if not as_json:  # at once: some take seconds
            health = finding.health
            console.say(f"{health.symbol} {finding.what}: {finding.text}", health.style)
            for line in finding.details:
                console.say(f"     {line}", health.style)
    is_ready = all(finding.health is not Health.bad for finding in findings)
    if as_json:
        data = {"ready": is_ready, "findings": [finding.as_data() for finding in findings]}
        console.show_text(json.dumps(data, indent=1, ensure_ascii=False))
    if not is_ready:
        raise typer.Exit(1)
