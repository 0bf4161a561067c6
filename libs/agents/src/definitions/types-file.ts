import { declareMember, shownName, type Tool } from "@bulkhead/core";
import { TYPES_CHARS_MAX } from "./formats.ts";
import type { WrittenDefinitions } from "./tool-definitions.ts";

/** Characters of a file of all tools' types: more than an editor takes in at a time. */
const FILE_CHARS_MAX = 4 * 1024 * 1024;

const HEAD = `// The arguments and results of tools, for those who call them: BulkheadTools["name"]["arguments"].
interface BulkheadTools {
`;

/** A tenant's tools, as the format `typescript` writes them, in one declaration file; those beyond its bound are counted. */
export function typesFile({ json, omitted }: WrittenDefinitions, charsMax = FILE_CHARS_MAX): string {
  const told = JSON.parse(json.toString()) as { member: string }[];
  const members: string[] = [];
  let chars = 0;
  for (const { member } of told) {
    chars += member.length + 1;
    if (chars > charsMax) break;
    members.push(member);
  }
  const left = omitted + told.length - members.length;
  if (left > 0) members.push(`  // Left out, since all together are too long: ${left} tools.`);
  return fileOf(members);
}

/** One tool's types as a declaration file, under the name by which all of them have it. */
export const toolTypesFile = (tool: Tool): string =>
  fileOf([declareMember({ ...tool, name: shownName(tool) }, TYPES_CHARS_MAX)]);

const fileOf = (members: readonly string[]): string =>
  `${HEAD}${members.map((one) => `${one}\n`).join("")}}\n`;
