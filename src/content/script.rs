//! Scripts, as far as several stages have to agree about them.

/// Whether `c` is a letter of a script that writes words without spaces, or (Hangul) whose words take endings that no
/// stemmer here knows: such texts are searched by pairs of characters.
pub fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{E00}'..='\u{EFF}'         // Thai, Lao
        | '\u{1000}'..='\u{109F}'     // Myanmar
        | '\u{1100}'..='\u{11FF}'     // Hangul Jamo
        | '\u{1780}'..='\u{17FF}'     // Khmer
        | '\u{3005}'..='\u{3007}'     // 々 〆 〇
        | '\u{3041}'..='\u{30FF}'     // Hiragana, Katakana
        | '\u{3105}'..='\u{318F}'     // Bopomofo, Hangul
        | '\u{31F0}'..='\u{31FF}'     // Katakana
        | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' // Han
        | '\u{A960}'..='\u{A97F}' | '\u{AA60}'..='\u{AA7F}' // Hangul, Myanmar
        | '\u{AC00}'..='\u{D7FF}'     // Hangul
        | '\u{F900}'..='\u{FAFF}'     // Han
        | '\u{FF66}'..='\u{FFDC}'     // half-width Katakana and Hangul
        | '\u{20000}'..='\u{323AF}'   // Han
    ) && c.is_alphanumeric()
}
