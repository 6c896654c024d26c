"""Lessons: every right answer leads on, every legal action is answered, and the rules refuse what they should."""

from collections.abc import Iterator

import pytest

from engine import TITLES, Action, LogError, RuleError
from engine.lessons import (
    Exercise,
    Lesson,
    Stage,
    Verdict,
    find_lesson,
    follow_lesson,
    judge_action,
    list_lessons,
    list_terms,
    matches,
    read_action,
    write_action,
)

MAX_TEXT_WORDS, MAX_ANSWER_WORDS = 62, 42
"""Of a situation and of an answer: what a phone shows without scrolling."""
MAX_SITUATIONS = 12
"""Positions that are tried of a step that lasts."""
LESSONS = [lesson for game in TITLES for lesson in list_lessons(game)]
each_lesson = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: f"{lesson.game}-{lesson.id}")


def list_actions(step: Exercise, stage: Stage) -> list[Action]:
    """Return every legal action of a step, with the tips and typed runs of open verbs."""
    game = stage.game
    typed = [read_action(game.setup.title, words) for words in step.tries]
    tips = [tip.action for tip in game.tips(stage.seat) if tip.action.verb in game.title.open_verbs]
    return list(dict.fromkeys([*game.legal(stage.seat), *tips, *typed]))


Tried = list[tuple[Action, Verdict]]
WALKED: dict[tuple[str, int], list[tuple[Exercise, Stage, Tried]]] = {}


def walk(lesson: Lesson) -> list[tuple[Exercise, Stage, Tried]]:
    """Return each step with its position, and what comes of every legal action."""
    name = (lesson.game, lesson.number)
    WALKED[name] = WALKED.get(name) or [*_walk(lesson)]
    return WALKED[name]


def _walk(lesson: Lesson) -> Iterator[tuple[Exercise, Stage, Tried]]:
    """Go on by the first right action."""
    stage, lasted = follow_lesson(lesson), 0
    while stage.step < len(lesson.step):
        assert stage.seat in stage.game.ask().seats
        step = lesson.step[stage.step]
        tried = [(action, judge_action(lesson, stage, action)) for action in list_actions(step, stage)]
        yield step, stage, tried
        right = [verdict.next for _, verdict in tried if verdict.next is not None]
        assert right, f"no right answer to “{step.ask}”"
        lasted = lasted + 1 if right[0].step == stage.step else 0
        assert lasted < MAX_SITUATIONS
        stage = right[0]


@each_lesson
def test_every_legal_action_has_an_answer_of_its_own(lesson: Lesson) -> None:
    for step, _, tried in walk(lesson):
        for action, verdict in tried:
            assert verdict.say, f"“{step.ask}” has no answer to {write_action(action)}: {verdict.facts}"
            assert "{" not in verdict.say
            assert len(verdict.say.split()) <= MAX_ANSWER_WORDS, verdict.say


@each_lesson
def test_every_right_answer_leads_to_the_next_step(lesson: Lesson) -> None:
    for _, stage, tried in walk(lesson):
        for action, verdict in tried:
            after = verdict.next
            if after is not None and after.step < len(lesson.step):
                assert after.seat in after.game.ask().seats, write_action(action)
                assert after.step >= stage.step


@each_lesson
def test_no_answer_is_written_in_vain(lesson: Lesson) -> None:
    hit = {number: set[str]() for number in range(len(lesson.step))}
    for _, stage, tried in walk(lesson):
        hit[stage.step] |= {str(verdict.comment) for _, verdict in tried}
    for number, step in enumerate(lesson.step):
        assert {str(comment) for comment in (*step.accept, *step.answer)} - hit[number] == set()


@each_lesson
def test_the_rules_refuse_what_a_lesson_shows_as_illegal(lesson: Lesson) -> None:
    for step, stage, _ in walk(lesson):
        for words in step.refused:
            with pytest.raises(RuleError):
                stage.game.play(stage.seat, read_action(lesson.game, words))


@each_lesson
def test_a_lesson_is_short_and_cites_what_exists(lesson: Lesson) -> None:
    topics = {topic for _, topic, _ in TITLES[lesson.game].words.rules({})}
    pictures = {picture.name for picture in TITLES[lesson.game].views.pictures} | {
        name for _, stage, _ in walk(lesson) for name in stage.game.pictures()
    }
    assert set(lesson.rules) <= topics
    assert set(lesson.terms) <= {term.name for term in list_terms(lesson.game)}
    for step in lesson.step:
        assert len(step.text.split()) <= MAX_TEXT_WORDS, step.text
        assert step.hint
        assert not step.picture or step.picture in pictures


def test_courses_explain_all_they_need() -> None:
    """From eight to twelve lessons each, about ten questions, and a practice table at the end."""
    for game in TITLES:
        course = list_lessons(game)
        assert 8 <= len(course) <= 12
        assert [lesson.practice for lesson in course] == [False] * (len(course) - 1) + [True]
        assert 9 <= sum(len(lesson.question) for lesson in course) <= 12
        assert len({lesson.id for lesson in course}) == len(course)


def test_terms_stand_in_the_rulebook() -> None:
    for game, title in TITLES.items():
        sections = {section for section, _, _ in title.words.rules({})}
        terms = list_terms(game)
        assert {term.section for term in terms} - sections == set()
        assert len({term.name.lower() for term in terms}) == len(terms)
        assert all(term.text.endswith(".") for term in terms)


def test_moves_lead_back_to_the_place() -> None:
    lesson = find_lesson("1860", "auction")
    assert lesson is not None
    stage = follow_lesson(lesson, [read_action("1860", "bid 20")])
    assert (stage.step, stage.game.ask().kind) == (1, "choose a lot")
    with pytest.raises(LogError, match="lesson has changed"):
        follow_lesson(lesson, [read_action("1860", "pass")])


@pytest.mark.parametrize(
    ("pattern", "words", "fits"),
    [
        ("bid 15..49", "bid 15", True),
        ("bid 15..49", "bid 50", False),
        ("bid 50..", "bid 640", True),
        ("bid ..49", "bid 0", True),
        ("buy C&N *", "buy C&N ipo", True),
        ("buy *", "buy C&N ipo", True),
        ("buy", "buy C&N ipo", True),
        ("sell IOW 3|4", "sell IOW 4", True),
        ("sell IOW 3|4", "sell IOW 1", False),
        ("sell *", "sell-private CMH", False),
        ("run *", "run 2+1 F2.0-[F2.1]-G5; 3+2 A1-B2", True),
        ("train 1F*|2L* ECR *", "train 2L* ECR 0", True),
        ("pass *", "pass", True),
        ("bid 5", "bid", False),
        ("bid 5", "bid 5 C&N", True),
    ],
)
def test_patterns(pattern: str, words: str, fits: bool) -> None:
    assert matches(pattern, words) is fits
