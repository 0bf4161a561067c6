// Monaco with what an editor of tools needs: two languages, and the features that people expect. Everything below is loaded
// when somebody opens an editor, and no sooner.
// oxlint-disable import/no-unassigned-import -- A feature is there once its file is loaded.
import "monaco-editor/features/bracketMatching/register.js";
import "monaco-editor/features/caretOperations/register.js";
import "monaco-editor/features/clipboard/register.js";
import "monaco-editor/features/codeAction/register.js";
import "monaco-editor/features/codeEditor/register.js";
import "monaco-editor/features/codicon/register.js";
import "monaco-editor/features/comment/register.js";
import "monaco-editor/features/contextmenu/register.js";
import "monaco-editor/features/cursorUndo/register.js";
import "monaco-editor/features/dnd/register.js";
import "monaco-editor/features/find/register.js";
import "monaco-editor/features/folding/register.js";
import "monaco-editor/features/format/register.js";
import "monaco-editor/features/gotoError/register.js";
import "monaco-editor/features/gotoLine/register.js";
import "monaco-editor/features/hover/register.js";
import "monaco-editor/features/iPadShowKeyboard/register.js";
import "monaco-editor/features/indentation/register.js";
import "monaco-editor/features/lineSelection/register.js";
import "monaco-editor/features/linesOperations/register.js";
import "monaco-editor/features/longLinesHelper/register.js";
import "monaco-editor/features/multicursor/register.js";
import "monaco-editor/features/parameterHints/register.js";
import "monaco-editor/features/quickCommand/register.js";
import "monaco-editor/features/quickOutline/register.js";
import "monaco-editor/features/readOnlyMessage/register.js";
import "monaco-editor/features/rename/register.js";
import "monaco-editor/features/smartSelect/register.js";
import "monaco-editor/features/snippet/register.js";
import "monaco-editor/editor/contrib/suggest/browser/suggestController.js";
import "monaco-editor/features/toggleTabFocusMode/register.js";
import "monaco-editor/features/tokenization/register.js";
import "monaco-editor/features/unicodeHighlighter/register.js";
import "monaco-editor/features/unusualLineTerminators/register.js";
import "monaco-editor/features/wordHighlighter/register.js";
import "monaco-editor/features/wordOperations/register.js";
import "monaco-editor/languages/definitions/javascript/register.js";
import "monaco-editor/languages/definitions/typescript/register.js";
import "./editor.css";
import * as workers from "virtual:monaco-workers";

export { editor, KeyCode, MarkerSeverity, Uri } from "monaco-editor/editor/editor.api.js";
export { jsonDefaults } from "monaco-editor/languages/features/json/register.js";
export {
  javascriptDefaults,
  typescriptDefaults,
} from "monaco-editor/languages/features/typescript/register.js";

const WORKERS: Readonly<Record<string, string>> = {
  javascript: workers.ts,
  typescript: workers.ts,
  json: workers.json,
};

globalThis.MonacoEnvironment = {
  getWorker: (_module, label) =>
    new Worker(WORKERS[label] ?? workers.editor, { type: "module", name: label }),
};
