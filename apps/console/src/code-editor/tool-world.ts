import { argumentGlobals, declareArguments } from "@bulkhead/core/declare-schema";
import { isObject } from "../format/json-object.ts";
import type { EditorLib } from "./editor-text.ts";

/** Characters of the type of a tool's arguments; a longer one is told less deep. */
const ARGUMENTS_CHARS_MAX = 64 * 1024;

/**
 * What a tool's code finds in its world: the globals, as the API tells them, and the arguments by the schema of the tool's
 * parameters, with their descriptions. Of what it doesn't understand in the schema the type is `unknown`.
 */
export function toolWorld(globals: string, parameters: unknown): EditorLib[] {
  return [
    { path: "tool-globals.d.ts", text: globals.replace(argumentGlobals(), "") },
    {
      path: "tool-arguments.d.ts",
      text: argumentGlobals(
        isSchema(parameters) ? declareArguments(parameters, ARGUMENTS_CHARS_MAX) : undefined,
      ),
    },
  ];
}

type Schema = Parameters<typeof declareArguments>[0];

const isSchema = (value: unknown): value is Schema => isObject(value);
