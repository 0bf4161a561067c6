import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const STYLES = fileURLToPath(new URL("../src/code-editor/monaco/strict-styles.ts", import.meta.url));

const use = (names: string): string => `import { ${names} } from ${JSON.stringify(STYLES)};\n`;

/** What Monaco's own files are changed to; the build fails where a file has not what is to be changed. */
const CHANGES: { file: RegExp; code?: RegExp; change: (code: string) => string }[] = [
  {
    file: /\.js$/,
    code: /createElement\('style'\)/,
    change: (code) =>
      use("adoptedStyle") + code.replaceAll("document.createElement('style')", "adoptedStyle()"),
  },
  {
    // Lines and what lies over them are written as HTML with styles in it.
    file: /\/esm\/vs\/editor\/(?!common\/(languages|viewModel)\/)/,
    code: /style="|\.innerHTML = |\.insertAdjacentHTML\(/,
    change: (code) =>
      use("insertHtml, setHtml") +
      code
        .replaceAll('style="', 'data-style="')
        .replaceAll(/([\w.]+)\.innerHTML = ([\w.]+);/g, "setHtml($1, $2);")
        .replaceAll(/([\w.]+)\.insertAdjacentHTML\((\S+), (\w+)\);/g, "insertHtml($1, $2, $3);"),
  },
  {
    // Editors of differences, of which the page has none.
    file: /\/standalone\/browser\/standalone(?:Code)?Editor\.js$/,
    change: (code) =>
      replaced(code, /^import \{ (\w*DiffEditorWidget) \} from .*;$/m, "const $1 = class {};"),
  },
  {
    // It takes in every feature there is, for workers that are started without an editor.
    file: /\/internal\/common\/workers\.js$/,
    change: (code) => replaced(code, /^import '.*';\n/gm, ""),
  },
  {
    // A worker that is given by `MonacoEnvironment`; else the build would ship this file as it is, which nobody asks for.
    file: /\/editor\/browser\/services\/editorWorkerService\.js$/,
    change: (code) => replaced(code, /new URL\([^)]*import\.meta\.url\)/, "undefined"),
  },
  {
    // The workers stand beside: see monaco-workers.ts.
    file: /\/features\/\w+\/workerManager\.js$/,
    change: (code) => replaced(code, /createWorker: \(\) => new Worker\(.*\),\n/, ""),
  },
];

function replaced(code: string, what: string | RegExp, by: string): string {
  const changed = code.replace(what, by);
  if (changed === code) throw new Error(`Monaco has no ${String(what)} any more.`);
  return changed;
}

/**
 * Fits Monaco into a page whose policy takes styles of its own host's files alone: none in the page, and none in HTML that a
 * script writes.
 */
export const strictMonaco = (): Plugin => ({
  name: "strict-monaco",
  transform: {
    filter: {
      id: /\/node_modules\/monaco-editor\/esm\/vs\/.*\.js$/,
      code: /createElement\('style'\)|style="|\('style', |\.innerHTML = |\.insertAdjacentHTML\(|import\.meta\.url|defaultWorkerFactory|DiffEditorWidget \}/,
    },
    handler(code, id) {
      const changes = CHANGES.filter((one) => one.file.test(id) && (one.code?.test(code) ?? true));
      const changed = changes.reduce((text, { change }) => change(text), code);
      if (
        /createElement\(["']style["']\)|setAttribute\(["']style["']|[ "'`]style="/.test(changed) &&
        !CLIPBOARD.test(id)
      )
        throw new Error(`${id} writes styles that the page's policy refuses.`);
      return changes.length === 0 ? undefined : { code: changed, map: null };
    },
  },
});

/** What these write is copied, and stands in no page. */
const CLIPBOARD = /\/common\/(languages\/textToHtmlTokenizer|viewModel\/viewModelImpl)\.js$/;
