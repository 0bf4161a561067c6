import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

/** Monaco's workers as its makers built them: to build them anew would take twice as long as all of the console. */
const BUILT = fileURLToPath(new URL("../../min/vs/assets", import.meta.resolve("monaco-editor/editor.js")));
const WORKERS = ["editor", "json", "ts"] as const;
const TEMPORAL = fileURLToPath(import.meta.resolve("temporal-spec/global")).replace(/\.js$/, ".d.ts");

const NAME = "virtual:monaco-workers";
const ID = `\0${NAME}`;

/** Ships the workers as files of their own: the addresses of all of them are the module `virtual:monaco-workers`. */
export function monacoWorkers(): Plugin {
  let isServed = false;
  return {
    name: "monaco-workers",
    configResolved: ({ command }) => void (isServed = command === "serve"),
    resolveId: { filter: { id: /^virtual:monaco-workers$/ }, handler: () => ID },
    load: {
      filter: { id: /^\0virtual:monaco-workers$/ },
      handler() {
        const lines = WORKERS.map((worker) => {
          const path = builtFile(worker);
          if (isServed) return `export { default as ${worker} } from ${JSON.stringify(`${path}?url`)};`;
          const source = worker === "ts" ? forTools(readFileSync(path, "utf8")) : readFileSync(path);
          const file = this.emitFile({ type: "asset", name: `${worker}.worker.js`, source });
          return `export const ${worker} = import.meta.ROLLUP_FILE_URL_${file};`;
        });
        return lines.join("\n");
      },
    },
  };
}

function builtFile(worker: string): string {
  const [name, ...others] = readdirSync(BUILT).filter((file) => file.startsWith(`${worker}.worker-`));
  if (name === undefined || others.length > 0) throw new Error(`Monaco has not one worker ${worker}.`);
  return join(BUILT, name);
}

/** Without declarations of browsers, which no tool runs in, and with those of Temporal, which this TypeScript has none of. */
function forTools(code: string): string {
  let left = 0;
  const changed = code.replaceAll(
    /(\w+)\["lib\.(dom|webworker|scripthost)\b([\w.]*)"\]=`[^`\\]*(?:\\[^][^`\\]*)*`/g,
    (_whole, libs: string, of: string, rest: string) => {
      left += 1;
      return of === "scripthost"
        ? `${libs}["lib.temporal.d.ts"]=${JSON.stringify(readFileSync(TEMPORAL, "utf8"))}`
        : `${libs}["lib.${of}${rest}"]=""`;
    },
  );
  if (left !== 8) throw new Error(`Of Monaco's declarations of browsers ${left} were found.`);
  return changed;
}
