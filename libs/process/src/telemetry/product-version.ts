import { readFileSync } from "node:fs";

const ROOT_PACKAGE = new URL("../../../../package.json", import.meta.url);

/** The version of Bulkhead that is installed here, as the root package.json has it. */
export function productVersion(): string {
  const { version } = JSON.parse(readFileSync(ROOT_PACKAGE, "utf8")) as { version: string };
  return version;
}
