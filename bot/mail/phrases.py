"""The words by which mail programs and people end a reply, in many languages: greetings, signatures, headers.

Structure goes before words (see ``reply``); these only take away what is left.
"""

import re
from functools import cache

from engine import TITLES
from engine.words import list_parameters

PRODUCTS = re.compile(
    r"\b(?:iphone|ipad|ipod|android|galaxy|samsung|huawei|xiaomi|redmi|oneplus|pixel|blackberry|fairphone|nokia|xperia|"
    r"outlook|yahoo|proton(?:mail)?|gmx|web\.de|hotmail|thunderbird|k-?9|fairemail|spark|airmail|edison|bluemail|"
    r"windows|smartphone|mail\.ru|qq|163|t-online|telekom|laposte|orange|libero|seznam|wp\.pl|onet|hey\.com|tuta(?:nota)?|"
    r"avast|avg|norton|mcafee|kaspersky|virus\w*)\b|iphone|smartphone|outlook|яндекс|手机|スマートフォン|網易|网易|qq邮箱|아이폰|갤럭시",
    re.IGNORECASE,
)
"""Names in the lines that mail programs add: "Sent from my iPhone"."""

_SENT = (
    r"sent (?:from|with|via|using|by)|get outlook|gesendet|verschickt|versandt|von unterwegs|von meinem|holen sie sich|"
    r"envoyé|envoyée|envoye|provenance|télécharge[rz]|obtenir|enviado|enviada|enviat|inviato|inviata|scarica|"
    r"wysłan[eoy]|verstuurd|verzonden|skickat|skickad|sendt|send fra|lähetetty|odesláno|odoslané|trimis|gönderildi|"
    r"отправлено|надіслано|изпратено|послато|poslano|poslato|küldve|küldött|στάλθηκε|απεσταλμένο|išsiųsta|nosūtīts|saadetud|"
    r"送信|から送|发送|發送|发自|發自|傳送|보냄|보낸|전송|gửi từ|được gửi|dikirim|ส่งจาก|נשלח|أُرسل|أرسل|تم الإرسال"
)
SENT = re.compile(rf"^\W*(?:\w+ ){{0,6}}?(?:{_SENT})|(?:{_SENT})\W*$", re.IGNORECASE)

CONFIDENTIAL = re.compile(
    r"confiden|vertraulich|vertrouwelijk|riservat|poufn|důvěrn|dôvern|bizalmas|luottamuksell|konfiden|fortrolig|gizli|"
    r"конфиденциал|конфіденц|εμπιστευτικ|機密|机密|保密|기밀|bảo mật|סודי|سري|privileged|disclaimer|intended recipient|"
    r"empfänger bestimmt|destinataire|destinatari[oa]|geadresseerde|mottagare|adresat|címzett",
    re.IGNORECASE,
)
"""Words of the clauses that offices put below every mail."""

_GREETINGS = """
best regards|best wishes|kind regards|warm regards|regards|cheers|thanks|thank you|
many thanks|thx|ty|sincerely|yours|
all the best|best|take care|bye|see you|br|rgds|
mit freundlichen grüßen|mit freundlichem gruß|freundliche grüße|viele grüße|
viele grüsse|liebe grüße|lieben gruß|
liebe grüsse|schöne grüße|beste grüße|herzliche grüße|grüße|grüsse|gruß|gruss|lg|vg|
mfg|bg|danke|vielen dank|dank|servus|tschüss|bis dann|
cordialement|bien cordialement|bien à vous|bien à toi|amicalement|amitiés|bises|
bisous|salutations|sincères salutations|
merci|merci beaucoup|merci d'avance|à bientôt|à plus|cdlt|
saludos|un saludo|saludos cordiales|atentamente|un abrazo|abrazos|gracias|
muchas gracias|hasta luego|cordialmente|
saluti|cordiali saluti|distinti saluti|un saluto|grazie|grazie mille|ciao|a presto|
pozdrawiam|z poważaniem|pozdrowienia|serdecznie pozdrawiam|z pozdrowieniami|dziękuję|
dzięki|pozdr|
met vriendelijke groet|met vriendelijke groeten|vriendelijke groet|
vriendelijke groeten|groeten|groetjes|groet|bedankt|dank je|mvg|hartelijke groet|
vänliga hälsningar|med vänliga hälsningar|hälsningar|mvh|tack|bästa hälsningar|
med venlig hilsen|venlig hilsen|med vennlig hilsen|vennlig hilsen|hilsen|vh|tak|takk|
mange tak|de bedste hilsner|
ystävällisin terveisin|terveisin|t|kiitos|parhain terveisin|terv|
s pozdravem|s přátelským pozdravem|zdraví|díky|děkuji|pěkný den|s pozdravom|ďakujem|
lep pozdrav|pozdrav|pozdravi|hvala|srdačan pozdrav|
üdvözlettel|üdv|köszönöm|köszi|tisztelettel|cu stimă|cu respect|mulțumesc|multumesc|
toate cele bune|
saygılarımla|saygılar|selamlar|sevgiler|teşekkürler|iyi günler|
с уважением|с наилучшими пожеланиями|всего доброго|спасибо|привет|з повагою|дякую|
поздрави|благодаря|с поздрав|
με εκτίμηση|φιλικά|χαιρετισμούς|ευχαριστώ|pagarbiai|ačiū|ar cieņu|paldies|
lugupidamisega|tänan|
abraço|abraços|um abraço|atenciosamente|cumprimentos|com os melhores cumprimentos|
melhores cumprimentos|obrigado|obrigada|att|até logo|
salutacions|una abraçada|gràcies|
よろしくお願いします|よろしくお願いいたします|よろしく|宜しく|敬具|ありがとう|以上|此致|敬礼|敬禮|祝好|谢谢|謝謝|顺祝|
감사합니다|고맙습니다|드림|올림|trân trọng|cảm ơn|salam|terima kasih|hormat|
תודה|בברכה|שלום|شكرا|شكراً|مع التحية|تحياتي|مع أطيب
"""
_GREETING_WORDS = "|".join(re.escape(each.strip()) for each in _GREETINGS.replace("\n", "").split("|") if each.strip())
_AFTER = r"(?:\W*$|[\s,!.:;\-–—]+(?!\d)\S.{0,40}$|ございます.*$|いたします.*$)"
GREETING = re.compile(
    rf"^\W*+(?:(?:{_GREETING_WORDS}){_AFTER}|[^\d\sa-z]{{0,12}}(?:よろしく|宜しく|お願い(?:し|致し|いたし)|감사합니다|谢谢|謝謝)\D{{0,30}}$)",
    re.IGNORECASE,
)

WISH = re.compile(
    r"^\W*(?:have an? |enjoy |talk soon|speak soon|until |(?:einen? )?(?:schöne|guten?) |(?:bon|bonne|belle|bel) |"
    r"recibe |(?:que )?teng[ao]s? |buon[ao]? |tenham? |(?:bom|boa|bons) |fijne? |prettige? |miłego |udanego |hezk|pěkn|"
    r"krásn|hav? en |god |trevlig |hyvää |mukavaa |szép |jó |iyi |kolay |хорош|всего |доброго |гарного |всього |"
    r"καλ[όήέ]|よい|良い|それでは|では|以上|お願い|宜しく|祝|좋은|수고|행복|יום |ערב |שבוע |يوم|مساء)",
    re.IGNORECASE,
)
"""How a wish begins that some write instead of a greeting: "Bonne journée"."""

_OPENINGS = (
    "hi|hello|hallo|hey|dear|good (?:morning|evening|"
    "afternoon|day)|guten (?:tag|morgen|abend)|"
    "moin(?: moin)?|servus|liebe[rs]?|"
    "sehr geehrte[r]?|bonjour|bonsoir|salut|coucou|hola|"
    "buenos días|buenas|buongiorno|buonasera|ciao|cześć|"
    "dzień dobry|witam|"
    "hoi|goedemorgen|goedendag|beste|hej|hejsan|god dag|moi|"
    "hei|terve|ahoj|dobrý den|szia|sziasztok|bună|merhaba|"
    "selam|"
    "привет|здравствуйте|добрый день|вітаю|привіт|γεια|olá|"
    "oi|bom dia|boa tarde|boa noite|こんにちは|お疲れ様です|你好|您好|안녕하세요|"
    "שלום|مرحبا|السلام عليكم|xin chào"
)
_BANNERS = (
    r"(?:external|extern|externe|externo)(?:[ -](?:e-?)?mail| sender| message)?\]?|"
    r"(?:external|extern)[^\]\n]{0,30}\](?:\W{1,3}[^\W\d]+){4,40}\W*|"
    r"(?:do not|don['’]t|never|please do not) (?:click|open|reply|follow)\b[^\d\n]{0,200}|"
    r"(?=[^\n]*\b(?:e-?mail|message|nachricht|absender|sender|expéditeur|courriel)\b)"
    r"[^\d\n]{0,80}\b(?:external|externen?|externe|outside|außerhalb|extérieure?)\b[^\d\n]{0,160}|"
    r"[^\d\n]{0,60}\b(?:unless you (?:recogni[sz]e|know|trust|expect)|content is safe)\b[^\d\n]{0,160}|"
    r"(?:caution|warning|attention|achtung|vorsicht)\W[^\n]{0,60}\b(?:external|extern|outside|außerhalb|extérieur)[^\n]{0,200}"
)
_POLITE = (
    "(?:いつも)?(?:大変)?お世話になっ|お疲れ(?:様|さま)|はじめまして|お忙しいところ|수고(?:하십니다|많으십니다)|辛苦了"
)
_TITLES = "様|さま|さん|殿|御中|先生|女士|您好|你好|님|씨"
OPENING = re.compile(
    rf"^\W*+(?:(?:{_OPENINGS})(?:\W*|[\s,]+[^\d:]{{1,30}}?[,!.:،、。]*)|(?:{_POLITE})[^\d]{{0,40}}|"
    rf"[^\d\s,]{{1,20}}\s?(?:{_TITLES})\W*|{_BANNERS})$",
    re.IGNORECASE,
)
"""How a mail begins: a salutation, or the banner that an office puts above what comes from outside."""

BETWEEN_RULES = re.compile(r"^\W*?(?<![-_=*─—–])[-_=*─—–]{3,}+\s*+[^\W\d_].{2,200}?\s*[-_=*─—–]{3,}\W*$")
"""-----Original Message-----, in any language."""
RULE = re.compile(r"^[-_=*─—–]{8,}$")
SIGNATURE = re.compile(r"^(?:--|—|__|–)$")
HEADER = re.compile(r"^\**([^\W\d_][^:：*\d]{0,24}?)\s?\**\s?[:：]\**\s*(.*)$")
"""A line as "From: …" of a header block, in any language."""
FORWARD_HEAD = re.compile(
    r"begin forwarded message|anfang der weitergeleiteten|début du message transféré", re.IGNORECASE
)

LIMIT_WORDS = ("most", "max", "maximum", "auto")
"""Words with which maximum bids and other standing orders begin."""
AUTO_COMMANDS = ("pass", "buy", "bid", "run", "skip", "build", "fast", "list", "clear")
COMMANDS = (
    *LIMIT_WORDS,
    "undo", "redo", "yes", "no", "map", "market", "log", "games", "help", "why", "remind", "stop", "start", "away",
    "board", "report", "link", "snooze", "table", "rules", "status", "show", "view", "pass", "leave", "info", "quiet",
    "style", "mute", "unmute",
)  # fmt: skip
"""Words that are no moves."""


@cache
def list_verbs() -> frozenset[str]:
    """Return the words with which moves begin, at any table."""
    return frozenset(kind.verb for title in TITLES.values() for kind in title.actions if kind.verb)


@cache
def list_vocabulary() -> frozenset[str]:
    """Return the words with which orders begin, at any table."""
    names = {each.name for title in TITLES.values() for kind in title.actions for each in list_parameters(kind)}
    return frozenset(
        list_verbs()
        | names
        | set(COMMANDS)
        | {"best", "pay", "no", "withhold", "split", "half", "full", "none", "all", "lay"}
    )
