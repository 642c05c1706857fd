"""Days, dates, times and prices as English and French write them, drawn by chance; numbers up to twenty in words."""

from random import Random

from model.data.word_forms import Forms

DAYS = dict(
    zip(
        ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
        ["lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"],
        strict=True,
    )
)
MONTHS = dict(
    zip(
        [
            "January",
            "February",
            "March",
            "April",
            "May",
            "June",
            "July",
            "August",
            "September",
            "October",
            "November",
            "December",
        ],
        [
            "janvier",
            "février",
            "mars",
            "avril",
            "mai",
            "juin",
            "juillet",
            "août",
            "septembre",
            "octobre",
            "novembre",
            "décembre",
        ],
        strict=True,
    )
)
UNTIL_TWENTY = dict(
    enumerate(
        zip(
            [
                "zero",
                "one",
                "two",
                "three",
                "four",
                "five",
                "six",
                "seven",
                "eight",
                "nine",
                "ten",
                "eleven",
                "twelve",
                "thirteen",
                "fourteen",
                "fifteen",
                "sixteen",
                "seventeen",
                "eighteen",
                "nineteen",
                "twenty",
            ],
            [
                "zéro",
                "un",
                "deux",
                "trois",
                "quatre",
                "cinq",
                "six",
                "sept",
                "huit",
                "neuf",
                "dix",
                "onze",
                "douze",
                "treize",
                "quatorze",
                "quinze",
                "seize",
                "dix-sept",
                "dix-huit",
                "dix-neuf",
                "vingt",
            ],
            strict=True,
        )
    )
)


def day(random: Random) -> Forms:
    """A day of the week, in English in the plural too."""
    english, french = random.choice(list(DAYS.items()))
    return {"": english, "s": f"{english}s"}, {"": french}


def date(random: Random) -> Forms:
    """A month and its day: *May 1st*, *1er mai*."""
    english, french = random.choice(list(MONTHS.items()))
    day = random.randrange(1, 29)
    ending = {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd"}.get(day, "th")
    written = random.choice((f"{english} {day}", f"{english} {day}{ending}"))
    return {"": written}, {"": f"{'1er' if day == 1 else day} {french}"}


def price(random: Random) -> Forms:
    """Dollars or euros."""
    amount = random.choice((random.randrange(2, 20), random.randrange(2, 1000)))
    written, said = random.choice((("${}", "{} dollars"), ("{} dollars", "{} dollars"), ("{} euros", "{} euros")))
    return {"": written.format(amount)}, {"": said.format(amount)}


def time(random: Random) -> Forms:
    """By the clock, in digits or in words."""
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
    hour = random.choice((hour, random.randrange(2, 24)))
    return {"": f"{hour}:{minute:02}"}, {"": f"{hour} h {minute:02}"}
