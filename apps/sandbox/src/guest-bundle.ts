import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";

const IMPORT = /^import \{([^}]*)\} from "\.\/([a-z0-9-]+)\.ts";$/gm;
const EXPORT = /^export (?=(?:async )?(?:const|let|function\*?|class) ([A-Za-z0-9_$]+))/gm;
/** Its names are the bundle's own parameters. */
const BRIDGE = "bridge";

/**
 * The guest as one script whose value is `(post, ask) => enter`. Each module becomes a function that returns its
 * exports, after those it imports; only `import { a } from "./b.ts"` and exported declarations are understood,
 * which the linter of the guest's folder and the tests of the sandbox keep true.
 */
export function bundleGuest(folder: URL, entry: string): string {
  const modules: string[] = [];
  const seen = new Set<string>([BRIDGE]);
  const add = (name: string): void => {
    if (seen.has(name)) return;
    seen.add(name);
    const source = stripTypeScriptTypes(readFileSync(new URL(`${name}.ts`, folder), "utf8"));
    for (const [, , imported] of source.matchAll(IMPORT)) add(imported as string);
    modules.push(moduleFunction(name, source));
  };
  add(entry);
  return `(function (post, ask) {"use strict";\n${modules.join("\n")}\nreturn ${variable(entry)}.enter;\n})`;
}

const variable = (name: string): string => `module_${name.replaceAll("-", "_")}`;

function moduleFunction(name: string, source: string): string {
  const exported = [...source.matchAll(EXPORT)].map((match) => match[1]);
  const body = source
    .replace(IMPORT, (_, names: string, from: string) =>
      from === BRIDGE ? "" : `const {${names}} = ${variable(from)};`,
    )
    .replace(EXPORT, "");
  return `const ${variable(name)} = (() => {${body}\nreturn {${exported.join(", ")}};\n})();`;
}
