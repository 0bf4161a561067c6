import type { CheckSchema } from "@bulkhead/contracts";
import { openSchemaChecker } from "@bulkhead/tools/schema";

const ROOT = "result";

/** Judges `{$schema}` of examples as the service judges results; threads that it may need end by `close`. */
export function openExampleSchemas(): { checkSchema: CheckSchema; close: () => Promise<void> } {
  const checker = openSchemaChecker();
  return {
    async checkSchema(schema, value) {
      if (typeof schema !== "object" || schema === null || Array.isArray(schema))
        return [{ path: "", message: "a JSON Schema as an object in $schema" }];
      const faults = await checker.checkResult("", JSON.stringify(schema), schema, value);
      return faults.map(({ path, message }) => ({ path: withoutRoot(path), message }));
    },
    close: () => checker.close(),
  };
}

const withoutRoot = (path: string): string =>
  path === ROOT ? "" : path.startsWith(`${ROOT}.`) ? path.slice(ROOT.length + 1) : path;
