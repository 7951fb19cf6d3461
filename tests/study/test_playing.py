"""Players in surveys: the same machinery, files that say who played, and figures of games."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest

from crenel.rules.catalogue import find_game
from crenel.rules.deals import deal
from crenel.rules.notation import format_board
from crenel.solver.result import Limit
from crenel.study.executors import process_crew, serial_crew
from crenel.study.playing import Playing, play_games
from crenel.study.report import read_report
from crenel.study.results import ForeignResults, connect, make_terms, open_results, read_shards
from crenel.study.statistics import wilson, wilson_of_means
from crenel.study.survey import Survey, Tally
from crenel.study.tables import format_csv, format_markdown, report_tables
from crenel.study.work import BOARDS, Chunk, Row, Solved, Task, provenance, solve_chunk
from tests.study.works import LIMIT, deadly, plain_crew, untimed, write_folder

CITADEL = find_game("citadel")
GREEDY = Playing("greedy", 3, 1)
WANTED = Chunk("ms", 1, 60)


def rows_of(folder: Path, playing: Playing = GREEDY) -> list[Row]:
    with open_results(folder, make_terms(CITADEL, Limit(), playing=playing)) as results:
        return list(results.rows(WANTED))


def surveyed(folder: Path, crew: object = None, wanted: Chunk = WANTED, playing: Playing = GREEDY) -> Tally:
    with open_results(folder, make_terms(CITADEL, Limit(), playing=playing)) as results:
        survey = Survey(CITADEL, wanted, Limit(), folder=results, playing=playing)
        return survey.run(crew or serial_crew())  # type: ignore[arg-type]


def test_a_survey_holds_what_the_player_did(tmp_path: Path) -> None:
    tally = surveyed(tmp_path)
    rows = rows_of(tmp_path)
    assert [row.deal for row in rows] == WANTED.names
    assert tally.games == 3 * 60
    assert 0 < tally.wins == sum(row.wins or 0 for row in rows)
    assert tally.unwinnable == 0, "a player proves nothing"
    for row in rows:
        games = play_games(deal(CITADEL, row.deal), row.deal, GREEDY)
        assert (row.games, row.wins, row.states) == (3, games.wins, games.moves)
        assert (row.cost, row.tableau_moves, row.foundation_moves, row.redeals) == (
            games.cost,
            games.tableau_moves,
            games.foundation_moves,
            games.redeals,
        )
        assert (row.verdict, row.limit) == (("winnable", None) if games.wins else ("undecided", "player"))


def test_processes_play_the_same_games_and_a_survey_goes_on(tmp_path: Path) -> None:
    alone = tmp_path / "alone"
    surveyed(alone)
    together = tmp_path / "together"
    surveyed(together, wanted=replace(WANTED, last=17))
    with process_crew(2) as crew:
        tally = surveyed(together, crew)
    assert untimed(rows_of(together)) == untimed(rows_of(alone))
    assert tally.games == 180


def test_boards_of_a_file_are_played() -> None:
    boards = tuple(format_board(deal(CITADEL, f"ms:{number}")).encode() for number in (3, 4))
    tally = Survey(CITADEL, Chunk(BOARDS, 1, 2), Limit(), boards=boards, playing=GREEDY).run(serial_crew())
    assert (tally.deals, tally.games) == (2, 6)


def test_a_folder_is_of_one_player(tmp_path: Path) -> None:
    surveyed(tmp_path, wanted=Chunk("ms", 1, 3))
    for other, words in (
        (None, "of a player .greedy, 3 of each deal, seed 1., not of the solver"),
        (replace(GREEDY, games=4), "not of a player .greedy, 4 of each deal, seed 1."),
        (replace(GREEDY, seed=2), "not of a player .greedy, 3 of each deal, seed 2."),
        (replace(GREEDY, player="random"), "not of a player .random"),
    ):
        terms = make_terms(CITADEL, Limit(), playing=other)
        with pytest.raises(ForeignResults, match=words), open_results(tmp_path, terms):
            pass
    with connect() as database:
        (shard, *_) = read_shards(database, tmp_path)
    assert shard.terms.playing == GREEDY
    assert shard.made == provenance(True) != provenance()


def test_a_deal_whose_workers_die_was_not_played(tmp_path: Path) -> None:
    """A worker that dies costs the games of one deal, never the survey."""
    with open_results(tmp_path / "out", make_terms(CITADEL, Limit(), playing=GREEDY)) as results:
        with process_crew(1) as crew:
            work = Deadly(str(tmp_path / "diary"))
            survey = Survey(CITADEL, Chunk("ms", 1, 4), Limit(), folder=results, playing=GREEDY, work=work)
            tally = survey.run(crew)
        rows = list(results.rows(WANTED))
    assert tally.games == 9
    assert [(row.limit, row.games) for row in rows if row.deal == "ms:3"] == [("worker", None)]


class Deadly:
    """Work that kills its process at deal 3, and else has the deals played."""

    def __init__(self, diary: str) -> None:
        self.diary = diary

    def __call__(self, task: Task) -> Solved:
        deadly(task, frozenset({3}), self.diary)
        return solve_chunk(task)


def test_a_report_tells_of_games(tmp_path: Path) -> None:
    rows = [
        Row(
            f"ms:{number}",
            "winnable" if wins else "undecided",
            None if wins else "player",
            games=4,
            wins=wins,
        )
        for number, wins in enumerate((4, 0, 2, 0, 1, 0), 1)
    ]
    played, solved = tmp_path / "played", tmp_path / "solved"
    played.mkdir()
    with open_results(played, make_terms(CITADEL, Limit(), playing=replace(GREEDY, games=4))) as results:
        results.write(Chunk("ms", 1, 6), rows, provenance(True))
    write_folder(solved, [Row(f"ms:{number}", "winnable", cost=3) for number in range(1, 7)], "citadel")
    report = read_report([solved, played])
    figures = report.surveys[1]
    assert (figures.label, figures.title) == ("Citadel, greedy", "Citadel")
    assert report.surveys[0].played is None
    assert figures.played is not None
    assert (figures.played.games, figures.played.wins, figures.played.share.share) == (24, 7, 7 / 24)
    mean = 7 / 24
    variance = sum((wins / 4 - mean) ** 2 for wins in (4, 0, 2, 0, 1, 0)) / 5
    assert figures.played.share.interval == wilson_of_means(mean, variance, 6)
    assert report.comparisons == (), "a player's games are not compared with verdicts"
    tables = {table.title: table for table in report_tables(report)}
    assert len(tables["Winnable deals"].rows) == 1
    assert tables["Games of simulated players"].rows[0][1:5] == ("4", "24", "7", "29.17 %")
    assert "greedy" in format_markdown(tables.values())
    assert ",greedy,24,7," in format_csv(report)


def test_the_interval_of_means_is_that_of_wilson_for_single_games() -> None:
    for wins, total in ((30, 100), (1, 50), (999, 1000)):
        share = wins / total
        variance = share * (1 - share) * total / (total - 1)
        ours, theirs = wilson_of_means(share, variance, total), wilson(wins, total)
        assert math.isclose(ours.low, theirs.low, rel_tol=0.03)
        assert math.isclose(ours.high, theirs.high, rel_tol=0.03)


def test_the_interval_of_means_is_wider_when_the_games_of_a_deal_go_together() -> None:
    """Ten games of each of 100 deals, each deal all won or all lost: as good as 100 games, not as 1,000."""
    together = wilson_of_means(0.3, 0.3 * 0.7 * 100 / 99, 100)
    apart = wilson_of_means(0.3, 0.3 * 0.7 / 10, 100)
    assert together.high - together.low > 3 * (apart.high - apart.low)
    assert wilson_of_means(0.0, 0.0, 40) == wilson(0, 40)
    assert wilson_of_means(1.0, 0.0, 40) == wilson(40, 40)


def test_no_kernel_is_prepared_for_players() -> None:
    assert LIMIT.memory
    survey = Survey(CITADEL, Chunk("ms", 1, 2), Limit(), playing=GREEDY)
    assert survey.run(plain_crew()).games == 6
