"""List every sentence people can read, with its place; ``--lint`` lists those of a kind we do not write.

``python -m tests.sentences [--lint] [PART OF A PLACE ...]``
"""

import argparse
import sys
from collections import Counter

from tests.sentences.collect import collect_sentences
from tests.sentences.lint import find_hits, find_unused_exceptions


def main() -> int:
    """Print the list, or the hits; return 1 if there are hits."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--lint", action="store_true", help="list the sentences of a kind we do not write")
    parser.add_argument("places", nargs="*", help="parts of the places to list, as bot/mail; all if left out")
    options = parser.parse_args()
    sentences = collect_sentences()
    chosen = [each for each in sentences if not options.places or any(part in each.place for part in options.places)]
    if not options.lint:
        sys.stdout.writelines(f"{each.place}  {each.text}\n" for each in chosen)
        return 0
    hits, unused = find_hits(chosen), find_unused_exceptions(sentences)
    sys.stdout.writelines(f"{sentence.place}  [{kind}]  {sentence.text}\n" for kind, sentence in hits)
    sys.stdout.writelines(f"tests/sentences/lint.py  [exception no longer needed]  {part}\n" for part in unused)
    counts = [f"{count} {kind}" for kind, count in Counter(hit.kind for hit in hits).most_common()]
    sys.stdout.write("; ".join([f"{len(chosen)} sentences, {len(hits)} hits", *counts]) + "\n")
    return 1 if hits or unused else 0


if __name__ == "__main__":
    sys.exit(main())
