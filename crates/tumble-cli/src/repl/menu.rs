//! The menu of what can come next: reedline's own, which says nothing where there is nothing to say.

use reedline::{Completer, Editor, IdeMenu, Menu, MenuEvent, Painter, Suggestion};

/// A menu that is not there while it is empty.
pub(super) struct Quiet(pub(super) IdeMenu);

impl Menu for Quiet {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn indicator(&self) -> &str {
        self.0.indicator()
    }

    fn is_active(&self) -> bool {
        self.0.is_active()
    }

    fn menu_event(&mut self, event: MenuEvent) {
        self.0.menu_event(event);
    }

    fn can_quick_complete(&self) -> bool {
        self.0.can_quick_complete()
    }

    fn can_partially_complete(&mut self, updated: bool, editor: &mut Editor, completer: &mut dyn Completer) -> bool {
        self.0.can_partially_complete(updated, editor, completer)
    }

    fn update_values(&mut self, editor: &mut Editor, completer: &mut dyn Completer) {
        self.0.update_values(editor, completer);
    }

    fn update_working_details(&mut self, editor: &mut Editor, completer: &mut dyn Completer, painter: &Painter) {
        self.0.update_working_details(editor, completer, painter);
    }

    fn replace_in_buffer(&self, editor: &mut Editor) {
        self.0.replace_in_buffer(editor);
    }

    fn menu_required_lines(&self, columns: u16) -> u16 {
        if self.get_values().is_empty() { 0 } else { self.0.menu_required_lines(columns) }
    }

    fn menu_string(&self, lines: u16, colours: bool) -> String {
        if self.get_values().is_empty() { String::new() } else { self.0.menu_string(lines, colours) }
    }

    fn min_rows(&self) -> u16 {
        if self.get_values().is_empty() { 0 } else { self.0.min_rows() }
    }

    fn get_values(&self) -> &[Suggestion] {
        self.0.get_values()
    }

    fn set_cursor_pos(&mut self, place: (u16, u16)) {
        self.0.set_cursor_pos(place);
    }
}
