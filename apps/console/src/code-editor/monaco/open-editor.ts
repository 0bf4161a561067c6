import { harmless, harmlessLine } from "@bulkhead/core/harmless";
import {
  Echoes,
  SERVED_CHARS_MAX,
  type EditorPlace,
  type EditorProblem,
  type EditorText,
} from "../editor-text.ts";
import { editor, KeyCode, MarkerSeverity, Uri } from "./monaco.ts";
import { followPageTheme } from "./theme.ts";
import { addLibs, setSchema, setUpLanguages } from "./tool-language.ts";

/** Where somebody was in the plain field that the editor takes the place of: offsets, or null if not in it. */
export interface Caret {
  start: number;
  end: number;
}

export interface EditorEvents {
  onChange: (value: string) => void;
  /** Null where saving is the page's. */
  onSave: (() => void) | null;
}

export interface OpenEditor {
  /** Shows what is given from now on; what stays as it was costs nothing. */
  show(text: EditorText, events: EditorEvents): void;
  close(): void;
}

setUpLanguages();
followPageTheme();

/** Who marks the problems that are given. */
const OWNER = "console";
const FONT = '"JetBrains Mono Variable"';
const PLAIN_BRACKETS = { enabled: false, independentColorPoolPerBracketType: false };
const ENDINGS = { javascript: "js", typescript: "ts", json: "json", plaintext: "txt" } as const;
let count = 0;

const LOOKS: editor.IStandaloneEditorConstructionOptions = {
  automaticLayout: true,
  // A field that the browser knows as one: the page's keys and readers of screens then do, too.
  editContext: false,
  fixedOverflowWidgets: true,
  fontFamily: `${FONT}, ui-monospace, monospace`,
  fontSize: 13,
  lineHeight: 20,
  hideCursorInOverviewRuler: true,
  lineDecorationsWidth: 6,
  lineNumbersMinChars: 3,
  minimap: { enabled: false },
  padding: { top: 10, bottom: 10 },
  quickSuggestions: { comments: false, other: true, strings: false },
  renderControlCharacters: true,
  scrollBeyondLastLine: false,
  scrollbar: { alwaysConsumeMouseWheel: false, horizontalScrollbarSize: 10, verticalScrollbarSize: 10 },
  stickyScroll: { enabled: false },
  unicodeHighlight: { invisibleCharacters: true, ambiguousCharacters: true, includeComments: true },
  useShadowDOM: false,
  wordBasedSuggestions: "off",
};

/** Opens an editor in an element. */
export function openEditor(host: HTMLElement, first: EditorText, caret: Caret | null): OpenEditor {
  count += 1;
  const uri = Uri.parse(`file:///${count}/text.${ENDINGS[first.language]}`);
  const model = editor.createModel(first.value, languageOf(first, first.value.length), uri);
  model.updateOptions({ bracketColorizationOptions: PLAIN_BRACKETS });
  // As the text is indented; by two spaces where it is not.
  model.detectIndentation(true, 2);
  const view = editor.create(host, { ...LOOKS, model });
  const echoes = new Echoes();
  let shown: Partial<EditorText> = { value: first.value };
  let events: EditorEvents = { onChange: () => {}, onSave: null };
  let isGiven = false;
  let removeLibs = (): void => {};

  const fitLanguage = (text: Pick<EditorText, "language">): void => {
    const language = languageOf(text, model.getValueLength());
    if (language !== model.getLanguageId()) editor.setModelLanguage(model, language);
  };

  model.onDidChangeContent(() => {
    fitLanguage(first);
    if (isGiven) return;
    const value = model.getValue();
    echoes.tell(value);
    events.onChange(value);
  });
  view.onKeyDown((event) => {
    if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
    if (event.keyCode !== KeyCode.KeyS || events.onSave === null) return;
    event.preventDefault();
    event.stopPropagation();
    events.onSave();
  });
  host.addEventListener("keydown", passOn, { capture: true });
  // Where the font can't be had, what was measured is what is shown.
  void document.fonts.load(`13px ${FONT}`).then(() => editor.remeasureFonts());

  function giveValue(value: string): void {
    if (value === shown.value) return;
    if (value === model.getValue()) return echoes.forget();
    if (echoes.isEcho(value)) return;
    echoes.forget();
    isGiven = true;
    // As an edit, so that it can be undone.
    model.pushEditOperations([], [{ range: model.getFullModelRange(), text: value }], () => null);
    isGiven = false;
  }

  return {
    show(text, next) {
      events = next;
      giveValue(text.value);
      if (text.label !== shown.label) view.updateOptions({ ariaLabel: text.label });
      if (text.readOnly !== shown.readOnly) view.updateOptions({ readOnly: text.readOnly });
      if (text.wrap !== shown.wrap) view.updateOptions({ wordWrap: text.wrap ? "on" : "off" });
      if (text.problems !== shown.problems) editor.setModelMarkers(model, OWNER, text.problems.map(markerOf));
      if (!isSame(text.schema, shown.schema) && text.language === "json")
        setSchema(uri.toString(), text.schema);
      if (!isSame(text.libs, shown.libs) && text.language !== "json") {
        removeLibs();
        removeLibs = addLibs(text.libs);
      }
      if (shown.label === undefined && caret !== null) goOnAt(caret);
      if (text.goTo !== null && text.goTo !== shown.goTo) goTo(text.goTo);
      shown = text;
    },
    close() {
      removeLibs();
      setSchema(uri.toString(), null);
      view.dispose();
      model.dispose();
      host.removeEventListener("keydown", passOn, { capture: true });
    },
  };

  function goTo({ line, column }: EditorPlace): void {
    view.setPosition({ lineNumber: line, column });
    view.revealLineInCenterIfOutsideViewport(line);
    view.focus();
  }

  function goOnAt({ start, end }: Caret): void {
    const [from, to] = [model.getPositionAt(start), model.getPositionAt(end)];
    view.setSelection({
      startLineNumber: from.lineNumber,
      startColumn: from.column,
      endLineNumber: to.lineNumber,
      endColumn: to.column,
    });
    view.focus();
  }
}

/** The page's palette opens from everywhere; Monaco would wait for a second key. */
function passOn(event: KeyboardEvent): void {
  if (event.key !== "k" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
  event.preventDefault();
  event.stopPropagation();
  document.dispatchEvent(new KeyboardEvent("keydown", event));
}

/** Whether two lists or schemas hold the same, each of which may be made anew at every drawing of the page. */
const isSame = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other);

/** A long text is of no language, so that nothing reads it anew at each key. */
const languageOf = ({ language }: Pick<EditorText, "language">, chars: number): string =>
  chars > SERVED_CHARS_MAX ? "plaintext" : language;

const markerOf = (problem: EditorProblem): editor.IMarkerData => ({
  message: harmless(problem.message),
  severity: problem.severity === "error" ? MarkerSeverity.Error : MarkerSeverity.Warning,
  startLineNumber: problem.line,
  startColumn: problem.column,
  endLineNumber: problem.endLine ?? problem.line,
  // Without an end, the word that begins there.
  endColumn: problem.endColumn ?? problem.column,
  ...(problem.source !== undefined && { source: harmlessLine(problem.source) }),
});
