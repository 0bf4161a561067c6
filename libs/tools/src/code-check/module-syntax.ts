import type { AnyNode } from "acorn";
import { GLOBALS_INSTEAD } from "./advice.ts";
import type { Offence } from "./code-fault.ts";

/** For `import` in any form that brings a value in. */
export const IMPORT_ADVICE = `import is not available to tools: ${GLOBALS_INSTEAD}`;

/** For `export`, which is no forbidden pattern but no part of a function body either. */
export const EXPORT_ADVICE =
  "export is not available to tools: return the result instead, or export one function as the default, which is then called.";

/** The offence of a node that only modules may hold; null for every other node. */
export function moduleOffence(node: AnyNode): Offence | null {
  switch (node.type) {
    case "ImportDeclaration":
      return { at: node.start, rule: "import", message: IMPORT_ADVICE };
    case "ImportExpression":
      return {
        at: node.start,
        rule: "import",
        message: `import() is not available to tools: ${GLOBALS_INSTEAD}`,
      };
    case "MetaProperty":
      // `new.target` is the other meta property, and harmless.
      if (node.meta.name !== "import") return null;
      return { at: node.start, rule: "import", message: "import.meta is not available to tools." };
    case "ExportNamedDeclaration":
    case "ExportDefaultDeclaration":
    case "ExportAllDeclaration":
      return { at: node.start, rule: "syntax", message: EXPORT_ADVICE };
    default:
      return null;
  }
}
