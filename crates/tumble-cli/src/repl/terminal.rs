//! The session on a terminal: a line editor with history, colours, completion and open brackets.

use super::complete::{Candidate, Known};
use super::line::{Naming, goes_on, naming};
use super::menu::Quiet;
use super::pieces::{Kind, pieces};
use super::saved::{Rolls, Writer};
use super::session::{Next, Session};
use crate::dice::{self, Typed};
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
use tumble::{Limits, Vars, everyday, prepare};

const MENU: &str = "completions";
const REMEMBERED: usize = 1000;

/// Answers lines until somebody leaves, or until there is no way to edit lines: not every terminal says where its cursor
/// is. Then nothing is given.
pub(super) fn run(session: &mut Session, out: &mut dyn Write) -> io::Result<Option<u8>> {
    session.ask = Some(ask);
    let seen = Seen::default();
    seen.update(session);
    let mut editor = editor(&seen);
    loop {
        out.flush()?;
        let text = match editor.read_line(&Lead(session.notation.name, "> ")) {
            Ok(Signal::Success(text)) => text,
            Ok(Signal::CtrlD) => return Ok(Some(0)),
            Ok(_) => continue,
            Err(_) => {
                session.ask = None;
                return Ok(None);
            }
        };
        // Whatever happens to the answer, the line is remembered.
        let _ = editor.sync_history();
        if let Next::Quit = session.answer(&text, out)? {
            return Ok(Some(0));
        }
        wait::forget();
        seen.update(session);
    }
}

/// Asks for a line; the editor hears Ctrl-C itself.
fn ask(question: &str) -> Typed {
    match Reedline::create().with_ansi_colors(screen::colour()).read_line(&Lead(question, "")) {
        Ok(Signal::Success(line)) => Typed::Line(line),
        Ok(_) => Typed::Cancelled,
        Err(_) => dice::ask(question),
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
        .with_marker("> ")
        .with_max_completion_height(12)
        .with_max_description_width(50)
        .with_description_mode(DescriptionMode::PreferRight);
    let editor = Reedline::create()
        .with_ansi_colors(screen::colour())
        .with_highlighter(Box::new(seen.clone()))
        .with_completer(Box::new(seen.clone()))
        .with_validator(Box::new(seen.clone()))
        .with_quick_completions(true)
        .with_partial_completions(true)
        .with_menu(ReedlineMenu::EngineCompleter(Box::new(Quiet(completions))))
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
struct Lead<'t>(&'t str, &'static str);

impl Prompt for Lead<'_> {
    fn render_prompt_left(&self) -> Cow<'_, str> {
        self.0.into()
    }

    fn render_prompt_right(&self) -> Cow<'_, str> {
        "".into()
    }

    fn render_prompt_indicator(&self, _: PromptEditMode) -> Cow<'_, str> {
        self.1.into()
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
struct Seen(Arc<Mutex<Known>>);

impl Default for Seen {
    fn default() -> Seen {
        Seen(Arc::new(Mutex::new(Known { notation: everyday(), vars: Vars::new(), saved: Rolls::new() })))
    }
}

impl Seen {
    fn get(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn update(&self, session: &Session) {
        let (vars, saved) = (session.vars.clone(), session.saved.clone());
        *self.get() = Known { notation: session.notation, vars, saved };
    }
}

impl Validator for Seen {
    fn validate(&self, line: &str) -> ValidationResult {
        if goes_on(self.get().notation, line) { ValidationResult::Incomplete } else { ValidationResult::Complete }
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
        for (kind, range) in pieces(seen.notation, text) {
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
        // The roll is what follows a name; one with saved rolls in it has no places of its own.
        let start = match naming(seen.notation, text) {
            Some(Naming::Value { text: value, .. }) => text.trim_end().len() - value.len(),
            Some(Naming::Roll { .. }) => return styled,
            None => 0,
        };
        let writer =
            Writer { rolls: &seen.saved, notation: seen.notation, vars: &seen.vars, limits: &Limits::default() };
        if writer.written_out(&text[start..]).is_ok_and(|written| written.text == text[start..])
            && let Err(errors) = prepare(seen.notation, &text[start..], &seen.vars)
        {
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
        let before = text.get(..cursor).unwrap_or_default();
        let one = |found: Candidate| Suggestion {
            value: found.value,
            description: Some(found.about).filter(|about| !about.is_empty()),
            span: Span::new(found.start, before.len()),
            append_whitespace: found.blank,
            ..Suggestion::default()
        };
        self.get().candidates(before).into_iter().map(one).collect()
    }
}
