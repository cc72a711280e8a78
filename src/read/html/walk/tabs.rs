//! Tabs: the label of each stands above what it shows, wherever the page lists the labels.

use super::super::dom::{self, NodeRef, Traits, following};
use super::Walk;

/// Nodes that may be looked at, in all, to find what tabs show. Chosen: a thousand lists of tabs need a part of it.
pub(super) const TAB_BUDGET: usize = 500_000;

/// Labels that wait for their panels; more come from broken pages.
const MAX_WAITING: usize = 1000;

/// Most tabs of a list whose panels are looked for.
const MAX_TABS: usize = 100;

/// Elements around a list of tabs in which its panels are looked for.
const MAX_AROUND: usize = 3;

/// A tab of a list.
struct Tab<'a> {
    label: String,
    id: &'a str,
    /// The id of what it shows; may be empty.
    target: &'a str,
    is_button: bool,
}

impl<'a> Tab<'a> {
    fn of(node: NodeRef<'a>, traits: &Traits<'a>) -> Self {
        let fragment = |name: &str| traits.attr(name).and_then(|it| it.strip_prefix('#'));
        let target =
            traits.attr("aria-controls").or_else(|| fragment("data-bs-target")).or_else(|| fragment("href"));
        Self {
            label: dom::fold(&dom::short_text(node, 200)),
            id: traits.id,
            target: target.unwrap_or_default().trim(),
            is_button: traits.name == "button",
        }
    }
}

/// Whether an element lists tabs: by its role, and pymdownx and VitePress by class.
pub(super) fn is_list(node: NodeRef<'_>, traits: &Traits<'_>) -> bool {
    traits.role == "tablist"
        || (traits.class.contains("tab")
            && (traits.has_class(&["tabbed-labels"]) || (traits.has_class(&["tabs"]) && is_in_group(node))))
}

/// Whether an element is what a tab shows.
fn is_panel(node: NodeRef<'_>, traits: &Traits<'_>) -> bool {
    traits.role == "tabpanel"
        || (!traits.class.is_empty()
            && (traits.has_class(&["tabpanel", "tab-pane", "tabcontent", "tabbed-block"])
                || (traits.name == "div"
                    && node.parent().is_some_and(|it| {
                        dom::traits(&it).is_some_and(|it| it.has_class(&["blocks"])) && is_in_group(it)
                    }))))
}

/// Whether an element is a part of a VitePress group of code blocks.
fn is_in_group(node: NodeRef<'_>) -> bool {
    node.parent().as_ref().and_then(dom::traits).is_some_and(|it| it.has_class(&["vp-code-group"]))
}

impl<'a> Walk<'a> {
    /// Takes a list of tabs; `true` when nothing of it is written where it stands, since each label goes to its panel.
    pub(super) fn takes_tabs(&mut self, node: NodeRef<'a>) -> bool {
        let is_tab = |traits: &Traits<'_>| traits.role == "tab" || traits.name == "label";
        let is_entered = |it: NodeRef<'_>| dom::traits(&it).is_none_or(|it| !is_tab(&it));
        let mut tabs = Vec::new();
        for it in dom::descend(node, is_entered).take(2000) {
            match dom::traits(&it) {
                Some(traits) if is_tab(&traits) => tabs.push(Tab::of(it, &traits)),
                Some(_) => {}
                None if it.value().as_text().is_some_and(|it| !it.trim().is_empty()) => {
                    return false;
                }
                None => {}
            }
        }
        tabs.retain(|it| !it.label.is_empty());
        let Some(first) = tabs.first() else { return false };
        let is_filter = |it: &Tab<'_>| it.is_button && !it.target.is_empty() && it.target == first.target;
        if tabs.len() > 1 && !self.is_full_page && tabs.iter().all(is_filter) {
            // javadoc: buttons that choose among the rows of one table.
            let count = self.dropped.entry("control").or_default();
            count.n_elements += tabs.len();
            count.n_bytes += tabs.iter().map(|it| it.label.len()).sum::<usize>();
            return true;
        }
        if tabs.len() > MAX_TABS {
            return false;
        }
        let panels = self.panels_after(node);
        let mut labelled = Vec::new();
        for (at, tab) in tabs.iter().enumerate() {
            let is_named = |panel: &&NodeRef<'a>| {
                dom::traits(panel).is_some_and(|it| {
                    let labels = it.attr("aria-labelledby").unwrap_or_default();
                    (!tab.target.is_empty() && it.id == tab.target)
                        || (!tab.id.is_empty() && labels == tab.id)
                })
            };
            let by_place = || panels.get(at).filter(|_| panels.len() == tabs.len());
            let Some(panel) = panels.iter().find(is_named).or_else(by_place) else {
                return false;
            };
            labelled.push((*panel, tab.label.clone()));
        }
        if labelled.len() + self.tab_labels.len() > MAX_WAITING {
            return false;
        }
        self.tab_labels.append(&mut labelled);
        true
    }

    /// The panels that follow a list of tabs, up to the next list.
    fn panels_after(&mut self, list: NodeRef<'a>) -> Vec<NodeRef<'a>> {
        let mut panels = Vec::new();
        for scope in list.ancestors().take(MAX_AROUND) {
            let mut next = following(list, scope);
            while let Some(node) = next {
                if self.tab_budget == 0 {
                    return Vec::new();
                }
                self.tab_budget -= 1;
                next = match dom::traits(&node) {
                    Some(traits) if is_list(node, &traits) => break,
                    Some(traits) if is_panel(node, &traits) => {
                        panels.push(node);
                        following(node, scope)
                    }
                    _ => node.first_child().or_else(|| following(node, scope)),
                };
            }
            if !panels.is_empty() {
                break;
            }
        }
        panels
    }

    /// Writes the label of a panel that is entered, where one waits.
    pub(super) fn label_panel(&mut self, node: NodeRef<'a>) {
        let Some(at) = self.tab_labels.iter().rposition(|(panel, _)| *panel == node) else { return };
        let (_, label) = self.tab_labels.remove(at);
        self.end_block();
        self.line.push(&label);
        self.end_block();
    }
}
