import { inspectedCode } from "../inspected-code.ts";

/** The tools that a code calls, null where it may call any. Shared with all who ask. */
export const calledToolsIn = (code: string): readonly string[] | null => inspectedCode(code).calledTools;
