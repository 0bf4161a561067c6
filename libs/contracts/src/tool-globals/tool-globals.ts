import { argumentGlobals } from "@bulkhead/core/declare-schema";
import { readFileSync } from "node:fs";
import type * as body from "./body-types.ts";
import type * as tool from "./tool-types.ts";
import type * as web from "./web-types.ts";

/** Every global but the arguments and Temporal; the guest's tests compare theirs with it. */
export type ToolGlobals = typeof tool & typeof web & typeof body;

const read = (name: string): string => readFileSync(new URL(`./${name}.ts`, import.meta.url), "utf8");

/** A module's declarations as global ones. */
const asGlobal = (text: string): string =>
  text.replaceAll(/^import [^;]*;\n+/gm, "").replaceAll(/^export /gm, "");

const HEAD = `// What the code of a tool sees beside the language: for compilers with lib ["esnext"], without the DOM or Node.
// The code is the body of an async function; Temporal is the language's own.
/// <reference lib="esnext" />
`;

const DECLARED = [
  "tool-types",
  "file-types",
  "shell-types",
  "data-types",
  "outside-types",
  "schedule-types",
  "web-types",
  "body-types",
]
  .map((name) => asGlobal(read(name)))
  .join("\n");

/** The globals of a tool as a TypeScript declaration file; `argumentsType` is the type of its arguments, if that is known. */
export const toolGlobals = (argumentsType?: string): string =>
  `${HEAD}\n${DECLARED}${argumentGlobals(argumentsType)}`;
