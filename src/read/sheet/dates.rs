//! Numbers as cells show them: plain, as dates, as times, with the words of their formats.

use std::fmt::Write;

use super::patterns::Pattern;

/// Seconds of a day.
const DAY: f64 = 86_400.0;

/// Last serial day that is a date: 9999-12-31.
const MAX_SERIAL: f64 = 2_958_466.0;

/// What day 0 of a workbook is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::read) enum Epoch {
    /// 1900, with a 29 February that there was not (ECMA-376, 18.17.4.1).
    Of1900,
    /// 1904, from the first Macintosh.
    Of1904,
}

/// How a number format shows a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::read) enum Shape {
    /// As it is.
    Number,
    /// With leading zeros, or words around it.
    Pattern(Pattern),
    /// In hundredths.
    Percent,
    /// A day, with the time of day when it has one.
    Date,
    /// A time of day.
    Time,
    /// Hours that go on after 24.
    Elapsed,
}

impl Shape {
    /// The shape of a built-in format (ECMA-376, 18.8.30); 27 to 36 and 50 to 58 are dates in East Asian languages.
    pub(in crate::read) fn of_builtin(id: u32) -> Self {
        match id {
            9 | 10 => Self::Percent,
            14..=17 | 22 | 27..=31 | 36 | 50..=54 | 57 | 58 => Self::Date,
            18..=21 | 32..=35 | 45 | 47 | 55 | 56 => Self::Time,
            46 => Self::Elapsed,
            _ => Self::Number,
        }
    }

    /// The shape of a format code, judged by its first section.
    pub(in crate::read) fn of_code(code: &str) -> Self {
        let (mut has_day, mut has_time, mut has_month_or_minute, mut is_elapsed) =
            (false, false, false, false);
        let (mut is_number, mut is_percent) = (false, false);
        let mut chars = code.chars();
        while let Some(c) = chars.next() {
            match c {
                '"' => {
                    chars.by_ref().find(|it| *it == '"');
                }
                '\\' | '_' | '*' => {
                    chars.next();
                }
                '[' => {
                    let inside: String = chars.by_ref().take_while(|it| *it != ']').collect();
                    let lower = inside.to_lowercase();
                    is_elapsed |= !lower.is_empty()
                        && (lower.chars().all(|it| it == 'h')
                            || lower.chars().all(|it| it == 'm')
                            || lower == "s"
                            || lower == "ss");
                }
                ';' => break,
                '0' | '#' | '?' if !has_day && !has_time && !has_month_or_minute && !is_elapsed => {
                    is_number = true;
                }
                '%' => is_percent = true,
                'G' | 'g' if code.to_lowercase().starts_with("general") => {
                    return Self::numeric(code);
                }
                'y' | 'Y' | 'd' | 'D' => has_day = true,
                'h' | 'H' | 's' | 'S' => has_time = true,
                'm' | 'M' => has_month_or_minute = true,
                _ => {}
            }
        }
        if is_percent {
            Self::Percent
        } else if is_number {
            Self::numeric(code)
        } else if is_elapsed {
            Self::Elapsed
        } else if has_day || (has_month_or_minute && !has_time) {
            Self::Date
        } else if has_time {
            Self::Time
        } else {
            Self::numeric(code)
        }
    }

    fn numeric(code: &str) -> Self {
        Pattern::of_code(code).map_or(Self::Number, Self::Pattern)
    }

    /// Writes `number`: plainly with 15 digits, or in ISO 8601.
    pub(in crate::read) fn show(&self, number: f64, epoch: Epoch) -> String {
        let is_date = number.is_finite() && (0.0..MAX_SERIAL).contains(&number);
        match self {
            Self::Number => plain(number),
            Self::Pattern(pattern) => {
                let plain = plain(number);
                pattern.show(number, &plain).unwrap_or(plain)
            }
            Self::Percent => format!("{}%", plain(number * 100.0)),
            _ if !is_date => plain(number),
            Self::Date => {
                let mut seconds = (number * DAY).round();
                if epoch == Epoch::Of1904 {
                    seconds += 1462.0 * DAY;
                }
                let (day, rest) = ((seconds / DAY).floor(), seconds.rem_euclid(DAY));
                let time = if rest > 0.0 { format!("T{}", clock(rest)) } else { String::new() };
                format!("{}{time}", date(day as i64))
            }
            Self::Time if number >= 1.0 => Self::Date.show(number, epoch),
            Self::Time => clock((number * DAY).round().rem_euclid(DAY)),
            Self::Elapsed => clock((number * DAY).round()),
        }
    }
}

/// Excel keeps 15 digits; what is beyond is noise such as `0.30000000000000004`.
fn plain(number: f64) -> String {
    let rounded: f64 = format!("{number:.14e}").parse().unwrap_or(number);
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = match rounded.abs() {
        0.0 => write!(text, "0"),
        1e-9..1e21 => write!(text, "{rounded}"),
        _ => write!(text, "{rounded:e}"),
    };
    text
}

fn clock(seconds: f64) -> String {
    let seconds = seconds as u64;
    format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// The date of a serial day since 1900.
fn date(day: i64) -> String {
    // Days before the made-up 29 February 1900 count from a day later. 25,569 is 1970-01-01.
    let day = if day < 60 { day + 1 } else { day } - 25_569;
    // Days to a date in the proleptic Gregorian calendar: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".
    let shifted = day + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day_of_month = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day_of_month:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_told_apart() {
        let check = |code: &str, expected| assert_eq!(Shape::of_code(code), expected, "{code}");
        check("yyyy\\-mm\\-dd", Shape::Date);
        check("dd/mm/yy hh:mm", Shape::Date);
        check("mmm", Shape::Date);
        check("[$-409]d\\ mmmm\\ yyyy;@", Shape::Date);
        check("h:mm AM/PM", Shape::Time);
        check("mm:ss", Shape::Time);
        check("[h]:mm:ss", Shape::Elapsed);
        check("General", Shape::Number);
        check("0.00", Shape::Number);
        check("[Red]#,##0.00", Shape::Number);
        check("0%", Shape::Percent);
        check("0 \"%\"", Shape::Number);
        check("@", Shape::Number);
        check("_-* #,##0.00 [$€-1]", Shape::Number);
    }

    #[test]
    fn words_and_zeros_of_formats_are_shown() {
        let check = |code: &str, number: f64, expected: &str| {
            assert_eq!(Shape::of_code(code).show(number, Epoch::Of1900), expected, "{code}");
        };
        check("#,##0 \"days\"", 5.0, "5 days");
        check("\"day\" 0", 5.0, "day 5");
        check("General\" pcs\"", 5.0, "5 pcs");
        check("00000", 0.1 + 0.2, "00000.3");
        check("00000", 1e300, "1e300");
        check("yyyy\"Q\"0", 45_294.0, "2024-01-03");
    }

    #[test]
    fn numbers_are_shown_as_iso_dates() {
        let check = |shape: Shape, number: f64, epoch, expected: &str| {
            assert_eq!(shape.show(number, epoch), expected, "{number}");
        };
        check(Shape::Date, 45_294.0, Epoch::Of1900, "2024-01-03");
        check(Shape::Date, 45_294.5, Epoch::Of1900, "2024-01-03T12:00:00");
        check(Shape::Date, 43_832.0, Epoch::Of1904, "2024-01-03");
        check(Shape::Date, 1.0, Epoch::Of1900, "1900-01-01");
        check(Shape::Date, 59.0, Epoch::Of1900, "1900-02-28");
        check(Shape::Date, 61.0, Epoch::Of1900, "1900-03-01");
        check(Shape::Date, -1.0, Epoch::Of1900, "-1");
        check(Shape::Date, 1e12, Epoch::Of1900, "1000000000000");
        check(Shape::Time, 0.75, Epoch::Of1900, "18:00:00");
        check(Shape::Elapsed, 1.5, Epoch::Of1900, "36:00:00");
        check(Shape::Number, 0.1 + 0.2, Epoch::Of1900, "0.3");
        check(Shape::Percent, 0.0123, Epoch::Of1900, "1.23%");
        check(Shape::Number, 1e300, Epoch::Of1900, "1e300");
        check(Shape::Number, -0.0, Epoch::Of1900, "0");
        check(Shape::Number, 1_234_567.5, Epoch::Of1900, "1234567.5");
        check(Shape::Number, f64::NAN, Epoch::Of1900, "NaN");
    }
}
