import type { Template } from "@bulkhead/client";
import { CONFIG_NAME } from "@bulkhead/core";
import { CliFault, EXIT } from "../faults/cli-fault.ts";
import { isRecord } from "../input/is-record.ts";

/** Files of a template, and bytes of all of them. */
const FILES_MAX = 50;
const BYTES_MAX = 2 * 1_048_576;

/** What a tool's folder may hold, and nothing else: a path of a server's is never taken for more than one of these. */
const PATH =
  /^(?:manifest\.json|tool\.[jt]s|approval\.js|README\.md|package\.json|examples\/[A-Za-z0-9][A-Za-z0-9._-]{0,63}\.json)$/;
const NPM_NAME = /^(?:@[a-z0-9][a-z0-9._-]{0,100}\/)?[a-z0-9][a-z0-9._-]{0,100}$/;
const NPM_VERSION = /^\d{1,9}\.\d{1,9}\.\d{1,9}(?:-[0-9A-Za-z.-]{1,50})?$/;

/** The folder of a tool that is made of a template, and the npm packages that have to be installed there. */
interface TemplateFolder {
  files: ReadonlyMap<string, string>;
  /** Such as `diff@9.0.0`. */
  packages: string[];
}

/**
 * What a server gives as a template's files, as the folder of a tool of this name. A fault where it is anything but that. Its
 * `package.json` only says which packages have to be installed: they belong to the folder around, which has one lock file, and an
 * installer would run scripts and follow addresses that a server writes.
 */
export function templateFiles(template: Pick<Template, "files">, name: string): TemplateFolder {
  const entries = isRecord(template.files) ? Object.entries(template.files) : [];
  if (entries.length > FILES_MAX) throw refused(`has more than ${FILES_MAX} files`);
  let bytes = 0;
  for (const [path, text] of entries) {
    if (!PATH.test(path)) throw refused(`has a file ${JSON.stringify(path.slice(0, 100))}`);
    if (typeof text !== "string") throw refused(`has no text for ${path}`);
    bytes += Buffer.byteLength(text);
  }
  if (bytes > BYTES_MAX) throw refused(`is larger than ${BYTES_MAX} bytes`);
  const files = new Map<string, string>(entries);
  if (new Set(entries.map(([path]) => path.toLowerCase())).size < files.size)
    throw refused("has two files of one name");
  if (!files.has("tool.js") && !files.has("tool.ts")) throw refused("has no code");
  files.set("manifest.json", named(parsed(files, "manifest.json"), files.get("manifest.json") ?? "", name));
  const packages = files.has("package.json") ? packagesOf(parsed(files, "package.json")) : [];
  files.delete("package.json");
  return { files, packages };
}

/** The services of which a key is needed, as they stand in a command that a person copies. */
export function templateServices({ services }: Pick<Template, "services">): string[] {
  if (!services.every((service) => CONFIG_NAME.test(service)))
    throw refused("needs a service that is no service's name");
  return services;
}

function parsed(files: ReadonlyMap<string, string>, path: string): Record<string, unknown> {
  const text = files.get(path);
  if (text === undefined) throw refused(`has no ${path}`);
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    // Told below.
  }
  throw refused(`has a ${path} that is no JSON object`);
}

/** The text as it is where it has the name already. */
const named = (manifest: Record<string, unknown>, text: string, name: string): string =>
  manifest["name"] === name ? text : toJson({ ...manifest, name });

function packagesOf({ dependencies }: Record<string, unknown>): string[] {
  const listed = isRecord(dependencies) ? Object.entries(dependencies) : [];
  return listed.map(([name, version]) => {
    if (NPM_NAME.test(name) && typeof version === "string" && NPM_VERSION.test(version))
      return `${name}@${version}`;
    throw refused("needs an npm package that is not named with one exact version");
  });
}

const toJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const refused = (why: string): CliFault =>
  new CliFault(`The server's template ${why}; nothing of it was written.`, {
    exit: EXIT.unreachable,
    code: "cli.template_refused",
    next: "Is this the right server? See: bulkhead whoami",
  });
