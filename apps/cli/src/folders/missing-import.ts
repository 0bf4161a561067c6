import type { Message } from "esbuild";
import { IS_PATH } from "./looked-at.ts";

const PACKAGE = /^(?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*(?=\/|$)/i;

/**
 * What is said of an import that leads nowhere, with what its writer can do; null for a message of something else. The bundler's
 * own advice is for who calls the bundler.
 */
export function missingImport({ text, notes }: Pick<Message, "text" | "notes">): string | null {
  const [, specifier] = /^Could not resolve "([^"]+)"/.exec(text) ?? [];
  if (specifier === undefined) return null;
  if (IS_PATH.test(specifier)) return `imports ${specifier}, and there is no such file`;
  const why = notes.find((note) => !note.text.includes(" as external "))?.text.replace(/:$/, "");
  if (why !== undefined) return `imports ${specifier}, which leads nowhere: ${why}`;
  const [name] = PACKAGE.exec(specifier) ?? [];
  return name === undefined
    ? `imports ${specifier}, which is neither a path (those begin with ./ or ../) nor a package; aliases of tsconfig.json are not followed`
    : `imports ${specifier}, which is not installed: npm install ${name}, or ./${specifier} where a file is meant`;
}
