//! The session on a terminal: a line editor with history, colours, completion and open brackets.

use super::line::{self, is_open};
use super::pieces::{Kind, pieces};
use super::session::{COMMANDS, Next, Session};
use crate::{screen, wait};
use nu_ansi_term::Color;
use reedline::{
    Completer, DescriptionMode, EditCommand, Emacs, FileBackedHistory, Highlighter, IdeMenu, KeyCode, KeyModifiers,
    MenuBuilder, Prompt, PromptEditMode, PromptHistorySearch, Reedline, ReedlineEvent, ReedlineMenu, Signal, Span,
    StyledText, Suggestion, ValidationResult, Validator, default_emacs_keybindings,
};
use std::borrow::Cow;
use std::env::var_os;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tumble::{NOTATIONS, Notation, Vars, everyday, prepare};

const MENU: &str = "completions";
const REMEMBERED: usize = 1000;

/// Answers lines until somebody leaves.
pub(super) fn run(mut session: Session, out: &mut dyn Write) -> io::Result<u8> {
    let seen = Seen::default();
    seen.update(&session);
    let mut editor = editor(&seen);
    loop {
        out.flush()?;
        let text = match editor.read_line(&Lead(session.notation().name))? {
            Signal::Success(text) => text,
            Signal::CtrlD => return Ok(0),
            _ => continue,
        };
        // Whatever happens to the answer, the line is remembered.
        let _ = editor.sync_history();
        if let Next::Quit = session.answer(&text, out)? {
            return Ok(0);
        }
        wait::forget();
        seen.update(&session);
    }
}

fn editor(seen: &Seen) -> Reedline {
    let mut keys = default_emacs_keybindings();
    let menu = ReedlineEvent::UntilFound(vec![ReedlineEvent::Menu(MENU.to_owned()), ReedlineEvent::MenuNext]);
    keys.add_binding(KeyModifiers::NONE, KeyCode::Tab, menu);
    keys.add_binding(KeyModifiers::SHIFT, KeyCode::BackTab, ReedlineEvent::MenuPrevious);
    keys.add_binding(KeyModifiers::ALT, KeyCode::Enter, ReedlineEvent::Edit(vec![EditCommand::InsertNewline]));
    let completions = IdeMenu::default()
        .with_name(MENU)
        .with_max_completion_height(10)
        .with_max_description_width(50)
        .with_description_mode(DescriptionMode::PreferRight);
    let editor = Reedline::create()
        .with_ansi_colors(screen::colour())
        .with_highlighter(Box::new(seen.clone()))
        .with_completer(Box::new(seen.clone()))
        .with_validator(Box::new(seen.clone()))
        .with_menu(ReedlineMenu::EngineCompleter(Box::new(completions)))
        .with_edit_mode(Box::new(Emacs::new(keys)));
    // Without a folder that can be written, the session remembers its own lines only.
    match history_file().and_then(|file| FileBackedHistory::with_file(REMEMBERED, file).ok()) {
        Some(history) => editor.with_history(Box::new(history)),
        None => editor,
    }
}

/// `history` in the folder for the data of programs.
fn history_file() -> Option<PathBuf> {
    let set = |name| var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = || set("HOME").map(|home| home.join(".local").join("share"));
    let folder = set("XDG_DATA_HOME").or_else(|| set("APPDATA")).or_else(home)?;
    Some(folder.join("tumble").join("history"))
}

/// What is written before a line.
struct Lead(&'static str);

impl Prompt for Lead {
    fn render_prompt_left(&self) -> Cow<'_, str> {
        self.0.into()
    }

    fn render_prompt_right(&self) -> Cow<'_, str> {
        "".into()
    }

    fn render_prompt_indicator(&self, _: PromptEditMode) -> Cow<'_, str> {
        "> ".into()
    }

    fn render_prompt_multiline_indicator(&self) -> Cow<'_, str> {
        "… ".into()
    }

    fn render_prompt_history_search_indicator(&self, search: PromptHistorySearch) -> Cow<'_, str> {
        format!(" (search: {}) ", search.term).into()
    }
}

/// What the editor knows of the session.
#[derive(Clone)]
struct Seen(Arc<Mutex<(&'static Notation, Vars)>>);

impl Default for Seen {
    fn default() -> Seen {
        Seen(Arc::new(Mutex::new((everyday(), Vars::new()))))
    }
}

impl Seen {
    fn get(&self) -> MutexGuard<'_, (&'static Notation, Vars)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn update(&self, session: &Session) {
        *self.get() = (session.notation(), session.vars().clone());
    }
}

impl Validator for Seen {
    fn validate(&self, line: &str) -> ValidationResult {
        if is_open(self.get().0, line) { ValidationResult::Incomplete } else { ValidationResult::Complete }
    }
}

impl Highlighter for Seen {
    /// Colours by kind; a place that cannot be right however the text goes on is marked.
    fn highlight(&self, text: &str, _: usize) -> StyledText {
        let seen = self.get();
        let mut styled = StyledText::new();
        if text.starts_with(':') {
            styled.push((Color::Purple.normal(), text.to_owned()));
            return styled;
        }
        for (kind, range) in pieces(seen.0, text) {
            let style = match kind {
                Kind::Number => Color::Cyan.normal(),
                Kind::Die => Color::Green.bold(),
                Kind::Operator => Color::Yellow.normal(),
                Kind::Quoted => Color::Green.normal(),
                Kind::Comment => Color::DarkGray.normal(),
                Kind::Name | Kind::Plain => Color::Default.normal(),
            };
            styled.push((style, text[range].to_owned()));
        }
        // What follows `x =` is the text.
        let start = line::binding(text).map_or(0, |(_, value)| text.trim_end().len() - value.len());
        if let Err(errors) = prepare(seen.0, &text[start..], &seen.1) {
            let place = errors.first().span;
            if start + place.end < text.trim_end().len() && place.start < place.end {
                styled.style_range(start + place.start, start + place.end, Color::Red.underline());
            }
        }
        styled
    }
}

impl Completer for Seen {
    fn complete(&mut self, text: &str, cursor: usize) -> Vec<Suggestion> {
        let seen = self.get();
        suggestions(seen.0, &seen.1, text.get(..cursor).unwrap_or_default())
    }
}

/// What can stand at the end of `before`: commands, notations, names, and what the notation has.
fn suggestions(notation: &Notation, vars: &Vars, before: &str) -> Vec<Suggestion> {
    let is_word = |c: char| c.is_alphabetic() || c == '_' || c == ':';
    let start =
        before.rfind(|c| !is_word(c)).map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
    let (word, span) = (&before[start..], Span::new(start, before.len()));
    let one = |value: &str, description: String, append_whitespace| Suggestion {
        value: value.to_owned(),
        description: Some(description),
        span,
        append_whitespace,
        ..Suggestion::default()
    };
    if start == 0 && word.starts_with(':') {
        let rows = COMMANDS.iter().filter(|row| row.name.starts_with(word));
        return rows.map(|row| one(row.name, row.meaning.to_owned(), true)).collect();
    }
    if before.starts_with(":notation ") {
        let rows = NOTATIONS.iter().filter(|row| row.name.starts_with(word));
        return rows.map(|row| one(row.name, row.description.to_owned(), false)).collect();
    }
    let names = vars.iter().filter(|(name, _)| name.starts_with(word)).map(|(name, n)| one(name, n.to_string(), false));
    let mut found: Vec<Suggestion> = names.collect();
    for piece in notation.reference {
        let lead: String = piece.spelling.chars().take_while(|c| c.is_alphabetic() && !c.is_uppercase()).collect();
        if lead.is_empty() || !lead.starts_with(word) || found.iter().any(|known| known.value == lead) {
            continue;
        }
        let doc = format!("{}  {}  {}", piece.spelling, piece.meaning, piece.example.replace('\n', " "));
        found.push(one(&lead, doc, false));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use tumble::notation;

    fn check(name: &str, before: &str, offered: &[&str]) {
        let vars = Vars::from([("str".to_owned(), 3)]);
        let found = suggestions(notation(name).unwrap(), &vars, before);
        let values: Vec<&str> = found.iter().map(|one| one.value.as_str()).collect();
        assert_eq!(values, offered, "{before}");
    }

    #[test]
    fn what_fits_is_offered() {
        check("tabletop", ":o", &[":odds"]);
        check("tabletop", ":notation t", &["tabletop", "troll"]);
        check("tabletop", "d20 + st", &["str"]);
        check("tabletop", "4d6k", &["kh", "kl"]);
        check("troll", "sum la", &["largest"]);
        check("troll", "é foreac", &["foreach"]);
    }
}
