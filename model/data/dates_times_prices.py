"""Days, dates, times and prices in English and French, sampled at random; numbers up to twenty in words."""

from random import Random

from regard.model.data import number_words
from regard.model.data.word_forms import Forms

_ENGLISH_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_FRENCH_DAYS = "lundi mardi mercredi jeudi vendredi samedi dimanche".split()
_ENGLISH_MONTHS = "January February March April May June July August September October November December".split()
_FRENCH_MONTHS = "janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split()
DAYS: dict[str, str] = dict(zip(_ENGLISH_DAYS, _FRENCH_DAYS, strict=True))
MONTHS: dict[str, str] = dict(zip(_ENGLISH_MONTHS, _FRENCH_MONTHS, strict=True))
UNTIL_TWENTY = {number: (number_words.english(number), number_words.french(number)) for number in range(21)}


def day(random: Random) -> Forms:
    """Return a day of the week, in English also in the plural."""
    english, french = random.choice(list(DAYS.items()))
    return {"": english, "s": f"{english}s"}, {"": french}


def date(random: Random) -> Forms:
    """Return a day of a month: *May 1st* or *the 1st of May*, *1er mai*."""
    english, french = random.choice(list(MONTHS.items()))
    day = random.randrange(1, 29)
    ending = {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd"}.get(day, "th")
    forms = (f"{english} {day}", f"{english} {day}{ending}", f"{day} {english}", f"the {day}{ending} of {english}")
    return {"": random.choice(forms)}, {"": f"{'1er' if day == 1 else day} {french}"}


def price(random: Random) -> Forms:
    """Return an amount in dollars or euros."""
    amount = random.choice((random.randrange(2, 20), random.randrange(2, 1000)))
    written, said = random.choice((("${}", "{} dollars"), ("{} dollars", "{} dollars"), ("{} euros", "{} euros")))
    return {"": written.format(amount)}, {"": said.format(amount)}


def money(random: Random) -> Forms:
    """Return a price with cents: *$5.99*, *5,99 $*."""
    whole, cents = (
        random.choice((random.randrange(1, 20), random.randrange(1, 1000))),
        random.choice((99, 50, 95, random.randrange(1, 100))),
    )
    sign = random.choice("$$€£")
    return {"": f"{sign}{whole}.{cents:02}"}, {"": f"{whole},{cents:02} {sign}"}


def percentage(random: Random) -> Forms:
    """Return a percentage: *3.5%*, *3,5 %*."""
    whole = random.randrange(1, 100)
    if random.random() < 0.5:
        return {"": f"{whole}%"}, {"": f"{whole} %"}
    tenth = random.randrange(1, 10)
    return {"": f"{whole}.{tenth}%"}, {"": f"{whole},{tenth} %"}


def full_date(random: Random) -> Forms:
    """Return a date with its year: *March 3, 2004*, *3 mars 2004*."""
    english, french = random.choice(list(MONTHS.items()))
    day, year = random.randrange(1, 29), random.randrange(1800, 2040)
    ending = {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd"}.get(day, "th")
    ways = (
        f"{english} {day}, {year}",
        f"{day} {english} {year}",
        f"{english} {day}{ending}, {year}",
        f"the {day}{ending} of {english} {year}",
    )
    return {"": random.choice(ways)}, {"": f"{'1er' if day == 1 else day} {french} {year}"}


def time(random: Random) -> Forms:
    """Return a time of day, in digits or words, sometimes with the part of the day."""
    kind = random.random()
    if kind < 0.2:
        return _half_of_day(random)
    if kind < 0.3:
        return _part_of_day(random)
    hour, minute = random.randrange(1, 13), random.choice((0, 0, 15, 30, 45, random.randrange(1, 60)))
    english, french = UNTIL_TWENTY[hour]
    french = {1: "une", 12: "midi"}.get(hour, french)
    said = french if hour == 12 else f"{french} heure{'s' * (hour > 1)}"
    if minute == 0:
        shown = random.choice((f"{english} o'clock", f"{hour} o'clock"))
        return {"": shown}, {"": said if shown.startswith(english) else f"{hour} heure{'s' * (hour > 1)}"}
    if minute == 30 and random.random() < 0.6:
        return {"": f"half past {english}"}, {"": f"{said} et demi{'e' * (hour < 12)}"}
    if minute == 15 and random.random() < 0.6:
        return {"": f"quarter past {english}"}, {"": f"{said} et quart"}
    if minute == 45 and hour > 1 and random.random() < 0.6:
        return {"": f"quarter to {english}"}, {"": f"{said} moins le quart"}
    hour = random.choice((hour, random.randrange(2, 24)))
    return {"": f"{hour}:{minute:02}"}, {"": f"{hour} h {minute:02}"}


def _half_of_day(random: Random) -> Forms:
    """Return a time with am or pm: *6 pm*, *18 heures*."""
    hour, afternoon = random.randrange(1, 12), random.random() < 0.6
    minute = random.choice((0, 0, 0, 15, 30, 45))
    written = f"{hour}:{minute:02}" if minute else str(hour)
    mark = random.choice(("pm", " pm", " p.m.") if afternoon else ("am", " am", " a.m."))
    said = hour + 12 * afternoon
    return {"": written + mark}, {"": f"{said} h {minute:02}" if minute else f"{said} heure{'s' * (said > 1)}"}


def _part_of_day(random: Random) -> Forms:
    """Return a time with its part of the day: *seven in the morning*, *sept heures du matin*."""
    hours, part, said = random.choice(
        (
            (range(2, 12), "in the morning", "du matin"),
            (range(2, 6), "in the afternoon", "de l'après-midi"),
            (range(6, 12), "in the evening", "du soir"),
        )
    )
    english, french = UNTIL_TWENTY[random.choice(hours)]
    written, half = random.choice(((f"{english} o'clock", ""), (english, ""), (f"half past {english}", " et demie")))
    return {"": f"{written} {part}"}, {"": f"{french} heures{half} {said}"}
