import type { ToolVersionEvidence } from "@bulkhead/client";
import { PERMISSION_WORDS, type Permission } from "../../../format/permission-words.ts";
import { limitWords } from "../tool-facts.ts";

type Grown = ToolVersionEvidence["grown"][number];

const ANY = "*";

const isPermission = (name: string): name is Permission => Object.hasOwn(PERMISSION_WORDS, name);

/** What a version can do that the last approved one could not, in one sentence. */
export function grownWords({ kind, target, before, after }: Grown): string {
  const isAny = target === ANY;
  switch (kind) {
    case "permission":
      return `Has the permission ${target}. ${isPermission(target) ? PERMISSION_WORDS[target] : ""}`.trim();
    case "host":
      return isAny ? "Reaches any public host." : `Reaches ${target}.`;
    case "service":
      return `Uses the keys of the service ${target}.`;
    case "tool":
      return isAny ? "May call any other tool." : `Calls the tool ${target}.`;
    case "limit": {
      const was = before === undefined ? "" : `, from ${limitWords(target, before)}`;
      return after === undefined
        ? `A higher limit: ${target}.`
        : `A higher limit: ${limitWords(target, after)}${was}.`;
    }
  }
}
