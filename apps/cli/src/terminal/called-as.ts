import { dirname, resolve, sep } from "node:path";

/** The name under which the program is installed, and by which texts name its commands. */
const PROGRAM = "bulkhead";

/** What runs a project's own programs, by the first word of what package managers call themselves. */
const RUNNERS: Readonly<Record<string, string>> = { pnpm: "pnpm exec", yarn: "yarn", bun: "bunx" };

interface Called {
  /** The file that Node was started with; null where nobody knows. */
  script: string | undefined;
  /** The present folder. */
  folder: string;
  env: Readonly<Record<string, string | undefined>>;
}

/**
 * The words by which whoever called this program calls it again: a shell finds one that is installed for all by its name, and one
 * of the project around the present folder by the project's package manager.
 */
export function calledAs({ script, folder, env }: Called): string {
  const [project, inPackages] = (script ?? "").split(`${sep}node_modules${sep}`);
  if (inPackages === undefined || !isIn(resolve(folder), project || sep)) return PROGRAM;
  const manager = env["npm_config_user_agent"]?.split("/")[0] ?? "";
  return `${Object.hasOwn(RUNNERS, manager) ? RUNNERS[manager] : "npx"} ${PROGRAM}`;
}

const isIn = (folder: string, project: string): boolean =>
  folder === project || (dirname(folder) !== folder && isIn(dirname(folder), project));

/** A sentence of our own with its commands as they are called. */
export const asCalled = (text: string, program: string): string =>
  text.replaceAll(/(?<![\w.-])bulkhead (?=[a-z-])/g, `${program} `);
