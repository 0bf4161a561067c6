import { readColour, withAlpha } from "../read-colour.ts";
import { editor } from "./monaco.ts";

/** The names of tokens.css that the editor is painted with. */
const NAMES = [
  "surface",
  "raised",
  "sunken",
  "hover",
  "line",
  "line-strong",
  "ink",
  "ink-2",
  "ink-3",
  "accent",
  "accent-strong",
  "accent-soft",
  "on-accent",
  "good",
  "warn",
  "warn-soft",
  "bad",
  "info",
  "ai",
  "calm-soft",
] as const;
type Colours = Record<(typeof NAMES)[number], string>;

/** What the page's colours are now, in the one notation that Monaco reads. */
function pageColours(): Colours {
  const probe = document.body.appendChild(document.createElement("span"));
  try {
    return Object.fromEntries(
      NAMES.map((name) => {
        probe.style.color = `color-mix(in srgb, var(--${name}) 100%, var(--${name}))`;
        const colour = readColour(getComputedStyle(probe).color);
        if (colour === null) throw new Error(`The colour ${name} cannot be read.`);
        return [name, colour];
      }),
    ) as Colours;
  } finally {
    probe.remove();
  }
}

const CLEAR = "#00000000";

function rulesOf(of: Colours): editor.ITokenThemeRule[] {
  const rules: [token: string, colour: string, fontStyle?: string][] = [
    ["", of.ink],
    ["comment", of["ink-3"]],
    ["comment.doc", of["ink-3"]],
    ["keyword", of.ai],
    ["string", of.good],
    ["string.escape", of.info],
    ["string.key.json", of.info],
    ["string.value.json", of.good],
    ["keyword.json", of.ai],
    ["number", of.warn],
    ["regexp", of.bad],
    ["delimiter", of["ink-2"]],
    ["type.identifier", of.info],
    ["invalid", of.bad],
  ];
  // Rules have their colours without a hash, and without alpha.
  return rules.map(([token, colour]) => ({ token, foreground: colour.slice(1, 7) }));
}

const coloursOf = (of: Colours): editor.IColors => ({
  foreground: of.ink,
  descriptionForeground: of["ink-2"],
  disabledForeground: of["ink-3"],
  errorForeground: of.bad,
  focusBorder: of.accent,
  "icon.foreground": of["ink-2"],
  "textLink.foreground": of["accent-strong"],
  "textLink.activeForeground": of["accent-strong"],
  "textCodeBlock.background": of.sunken,
  "textPreformat.foreground": of.ink,
  "textPreformat.background": of.sunken,
  "widget.shadow": CLEAR,
  "widget.border": of.line,
  "editor.background": of.surface,
  "editor.foreground": of.ink,
  "editorCursor.foreground": of["accent-strong"],
  "editorLineNumber.foreground": of["ink-3"],
  "editorLineNumber.activeForeground": of.ink,
  "editor.selectionBackground": withAlpha(of["accent-soft"], 0.25),
  "editor.inactiveSelectionBackground": of["accent-soft"],
  "editor.selectionHighlightBackground": of["calm-soft"],
  "editor.wordHighlightBackground": of["calm-soft"],
  "editor.wordHighlightStrongBackground": of["accent-soft"],
  "editor.findMatchBackground": withAlpha(of.warn, 0.4),
  "editor.findMatchHighlightBackground": of["warn-soft"],
  "editor.lineHighlightBackground": of.hover,
  "editor.lineHighlightBorder": CLEAR,
  "editorBracketMatch.background": of["calm-soft"],
  "editorBracketMatch.border": of["line-strong"],
  "editorIndentGuide.background1": of.line,
  "editorIndentGuide.activeBackground1": of["line-strong"],
  "editorWhitespace.foreground": of["line-strong"],
  "editorError.foreground": of.bad,
  "editorWarning.foreground": of.warn,
  "editorInfo.foreground": of.info,
  "editorUnicodeHighlight.border": of.warn,
  "editorUnicodeHighlight.background": of["warn-soft"],
  "editorUnnecessaryCode.opacity": "#000000aa",
  "editorOverviewRuler.border": CLEAR,
  "editorGutter.foldingControlForeground": of["ink-3"],
  "editor.foldBackground": of["accent-soft"],
  "editor.rangeHighlightBackground": of.hover,
  "peekView.border": of["line-strong"],
  "peekViewTitle.background": of.raised,
  "peekViewTitleLabel.foreground": of.ink,
  "peekViewTitleDescription.foreground": of["ink-2"],
  "peekViewEditor.background": of.sunken,
  "peekViewResult.background": of.raised,
  "peekViewResult.lineForeground": of.ink,
  "peekViewResult.fileForeground": of.ink,
  "peekViewResult.selectionBackground": of["accent-soft"],
  "peekViewResult.selectionForeground": of.ink,
  "editorWidget.background": of.raised,
  "editorWidget.foreground": of.ink,
  "editorWidget.border": of.line,
  "editorHoverWidget.background": of.raised,
  "editorHoverWidget.border": of.line,
  "editorHoverWidget.statusBarBackground": of.sunken,
  "editorSuggestWidget.background": of.raised,
  "editorSuggestWidget.border": of.line,
  "editorSuggestWidget.foreground": of.ink,
  "editorSuggestWidget.selectedBackground": of["accent-soft"],
  "editorSuggestWidget.selectedForeground": of.ink,
  "editorSuggestWidget.highlightForeground": of["accent-strong"],
  "editorSuggestWidget.focusHighlightForeground": of["accent-strong"],
  "editorMarkerNavigation.background": of.raised,
  "list.hoverBackground": of.hover,
  "list.focusBackground": of["accent-soft"],
  "list.focusForeground": of.ink,
  "list.highlightForeground": of["accent-strong"],
  "quickInput.background": of.raised,
  "quickInput.foreground": of.ink,
  "quickInputList.focusBackground": of["accent-soft"],
  "quickInputList.focusForeground": of.ink,
  "pickerGroup.border": of.line,
  "pickerGroup.foreground": of["ink-3"],
  "keybindingLabel.background": of.sunken,
  "keybindingLabel.foreground": of["ink-2"],
  "keybindingLabel.border": of.line,
  "keybindingLabel.bottomBorder": of["line-strong"],
  "menu.background": of.raised,
  "menu.foreground": of.ink,
  "menu.border": of.line,
  "menu.separatorBackground": of.line,
  "menu.selectionBackground": of["accent-soft"],
  "menu.selectionForeground": of.ink,
  "input.background": of.surface,
  "input.foreground": of.ink,
  "input.border": of["line-strong"],
  "input.placeholderForeground": of["ink-3"],
  "inputOption.activeBackground": of["accent-soft"],
  "inputOption.activeBorder": of.accent,
  "inputOption.activeForeground": of.ink,
  "toolbar.hoverBackground": of.hover,
  "scrollbar.shadow": CLEAR,
  "scrollbarSlider.background": of["calm-soft"],
  "scrollbarSlider.hoverBackground": of["line-strong"],
  "scrollbarSlider.activeBackground": of["line-strong"],
});

/** Paints every editor as the page is painted. */
function paint(): void {
  const of = pageColours();
  const isDark = document.documentElement.dataset["theme"] === "dark";
  const name = isDark ? "console-dark" : "console-light";
  editor.defineTheme(name, {
    base: isDark ? "vs-dark" : "vs",
    inherit: true,
    rules: rulesOf(of),
    colors: coloursOf(of),
  });
  editor.setTheme(name);
}

/** From now on, whenever the page turns light or dark. */
export function followPageTheme(): void {
  paint();
  new MutationObserver(paint).observe(document.documentElement, { attributeFilter: ["data-theme"] });
}
