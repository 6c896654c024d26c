"""A finished game as one file: a page with all its positions, to be kept or put on any web space.

It holds its own style, letters and program, and asks for nothing from anywhere. Neither an address nor the number of a
table is in it, and it shows what a bystander saw.
"""

import base64
import hashlib
import re
from html import escape

import msgspec

from bot.model.errors import BotError
from bot.service.services import Services
from bot.web.course import AFTERWARDS, PageCourses, make_afterwards
from bot.web.figures import ALBUM, AlbumAsked, list_album_figures
from bot.web.front import STATIC, load_static
from render.fonts import choose_face

MODULES = ("zoom.js", "board.js", "album.js")
FACES = ("bold", "semi", "text", "signs")
"""Letters that every album needs; that of its title's names comes with them."""
_FACE = re.compile(r"url\((\w+)\.woff2\)")
_LINK = re.compile(r"<a href=.*</a>")
_BODY = re.compile(r"<body>.*</body>", re.DOTALL)


async def make_album(services: Services, game: int) -> bytes:
    """Return a finished game as an HTML page.

    Raises:
        BotError: there is no such game, or it goes on.
    """
    here = await services.table.load_position(game)
    if here.game.result() is None:
        raise BotError("An album is made of a finished game; this one isn't over. /view film shows it so far.")
    title = here.game.title
    afterwards = await make_afterwards(services, here)
    course = await PageCourses(services).load(here, None)
    labels = {**{picture.name: picture.label for picture in title.views.pictures}, **AFTERWARDS}
    known = [*list_album_figures(title), *afterwards]
    course = msgspec.structs.replace(course, pictures=tuple((name, labels[name]) for name in known), companies=())
    asked = AlbumAsked(here.table.names, here.table.name, afterwards)
    packed = await services.workers.do_once(ALBUM, asked, here.course)
    return write_album(msgspec.json.encode(course), packed, here.table.name, choose_face(title.views.identity.face))


def write_album(course: bytes, packed: bytes, name: str, face: str) -> bytes:
    """Return the page of an album: its course as JSON, its figures packed, the name of its table, its own face."""
    files = load_static()
    script = "\n".join(_read_module(module) for module in MODULES)

    def find_letters(found: re.Match[str]) -> str:
        wanted = found[1] in (*FACES, face)
        data = base64.b64encode(files[f"{found[1]}.woff2"][0]).decode() if wanted else ""
        return f"url(data:font/woff2;base64,{data})"

    style = _FACE.sub(find_letters, files["page.css"][0].decode())
    body = _BODY.search((STATIC / "page.html").read_text(encoding="utf-8"))
    assert body is not None
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; font-src data:; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    parts = (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f'<title>{escape(name)}</title><link rel="icon" href="data:,"><style>{style}</style>',
        f"<!-- Letters under the SIL Open Font License:\n{files['licences.txt'][0].decode()}\n-->\n</head>",
        _LINK.sub("", body[0].replace("</body>", "")),
        f'<script type="application/json" id="course">{course.decode().replace("<", chr(92) + "u003c")}</script>',
        f'<script type="application/octet-stream" id="figures">{base64.b64encode(packed).decode()}</script>',
        f'<script type="module">{script}</script>\n</body>\n</html>\n',
    )
    return "\n".join(parts).encode()


def _read_module(name: str) -> str:
    """Return a module without what ties it to others: an album has them in one piece."""
    lines = load_static()[name][0].decode().splitlines()
    return "\n".join(line.removeprefix("export ") for line in lines if not line.startswith("import "))


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
