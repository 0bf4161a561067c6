import { readFile, stat, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { harmlessLine } from "@bulkhead/core/harmless";
import { TENANT_LIMITS_MAX } from "@bulkhead/core/limits";
import type { Command } from "commander";
import type { Cli, Define } from "../cli.ts";
import { usageFault } from "../faults/cli-fault.ts";
import { listOptions, noteListEnd, pageLimit, takeItems, type ListOptions } from "../input/lists.ts";
import { shownAgo } from "../input/times.ts";
import { confirmOrFail, readStdinBytes } from "../terminal/ask.ts";

/** No tenant may have larger ones. */
const FILE_BYTES_MAX = TENANT_LIMITS_MAX.maxFileBytes;

/** Whose files are meant: the tenant's own unless said. */
interface WorkspaceOptions {
  agent?: string;
  user?: string;
}

const workspaceOptions = (command: Command): Command =>
  command
    .option("--agent <id>", "the agent whose files are meant; the tenant's own unless said")
    .option("--user <id>", "the user whose files are meant");

const workspaceOf = ({ agent, user }: WorkspaceOptions) => ({ agentId: agent, userId: user });

export const defineFiles: Define = (command, act) => {
  workspaceOptions(
    listOptions(
      command.command("list [folder]", { isDefault: true }).summary("list the files of a workspace, by path"),
    ),
  ).action(
    act((cli, folder: string | undefined, options: ListOptions & WorkspaceOptions) =>
      listFiles(cli, folder, options),
    ),
  );
  workspaceOptions(
    command
      .command("get <path>")
      .summary("write a file's bytes to stdout, or into a file here")
      .option("-o, --output <file>", "into this file, which must not be there")
      .option("--version-of <number>", "a former version"),
  ).action(act((cli, path: string, options: GetOptions) => getFile(cli, path, options)));
  workspaceOptions(
    command
      .command("put <file> [path]")
      .summary("write a file of this machine into the workspace; - reads stdin")
      .option("--new", "only where there is none of this path")
      .option("--if-match <etag>", "only over the file that has this ETag"),
  ).action(
    act((cli, file: string, path: string | undefined, options: PutOptions) =>
      putFile(cli, file, path, options),
    ),
  );
  workspaceOptions(
    command
      .command("rm <path>")
      .alias("delete")
      .summary("delete a file with its versions")
      .option("-r, --recursive", "a folder with all its files")
      .option("-y, --yes", "don't ask"),
  ).action(act((cli, path: string, options: RemoveOptions) => removeFile(cli, path, options)));
};

async function listFiles(
  cli: Cli,
  folder: string | undefined,
  options: ListOptions & WorkspaceOptions,
): Promise<void> {
  const { terminal } = cli;
  const query = { ...workspaceOf(options), prefix: folder, limit: pageLimit(options) };
  const found = await takeItems((await cli.client()).files.list(query), options);
  if (terminal.json) return terminal.value({ files: found.items });
  const now = new Date();
  if (found.items.length > 0)
    terminal.table(
      [{ title: "path", flexible: true }, { title: "bytes" }, { title: "version" }, { title: "changed" }],
      found.items.map(({ path, size, version, modifiedAt }) => [
        path,
        String(size),
        String(version),
        shownAgo(modifiedAt, now),
      ]),
    );
  noteListEnd(terminal, found, "There are no files.");
}

interface GetOptions extends WorkspaceOptions {
  output?: string;
  versionOf?: string;
}

async function getFile(cli: Cli, path: string, { output, versionOf, ...whose }: GetOptions): Promise<void> {
  const { terminal } = cli;
  if (versionOf !== undefined && !/^[1-9]\d{0,9}$/.test(versionOf))
    throw usageFault("A version is a whole number.", "See which there are in the console: bulkhead open");
  if (output === undefined && (terminal.json || terminal.stdoutIsTerminal))
    throw usageFault(
      terminal.json
        ? "A file's bytes are no JSON."
        : "A file's bytes may be anything; a terminal acts on some.",
      "Say where to: bulkhead files get <path> -o <file>, or | less",
    );
  const version = versionOf === undefined ? undefined : Number(versionOf);
  const bytes = await (await cli.client()).files.read(path, { ...workspaceOf(whose), version });
  if (output === undefined) return terminal.bytes(bytes);
  try {
    await writeFile(output, bytes, { flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw usageFault(`${output} is there already.`, "Name another file, or move that one away.");
  }
  if (terminal.json) return terminal.value({ path, output, bytes: bytes.length });
  terminal.line(`✓ Wrote ${bytes.length} bytes to ${output}.`);
}

interface PutOptions extends WorkspaceOptions {
  new?: true;
  ifMatch?: string;
}

async function putFile(
  cli: Cli,
  file: string,
  said: string | undefined,
  { new: isNew, ifMatch, ...whose }: PutOptions,
): Promise<void> {
  const path = said ?? basename(file);
  if (file === "-" && said === undefined)
    throw usageFault("What comes by stdin has no name.", "Name it: bulkhead files put - <path>");
  if (isNew && ifMatch !== undefined)
    throw usageFault("--new and --if-match can't both hold.", "Leave one of them out.");
  const content = file === "-" ? await readStdinBytes(cli.terminal, FILE_BYTES_MAX) : await readLocal(file);
  const written = await (
    await cli.client()
  ).files.write(path, content, workspaceOf(whose), {
    ...(isNew && { ifNoneMatch: "*" }),
    ...(ifMatch !== undefined && { ifMatch: ifMatch.startsWith('"') ? ifMatch : `"${ifMatch}"` }),
  });
  if (cli.terminal.json) return cli.terminal.value(written ?? null);
  cli.terminal.line(
    written === undefined
      ? `✓ ${harmlessLine(path)} is gone: empty, it is as good as none.`
      : written.changed
        ? `✓ Wrote ${harmlessLine(written.path)}, version ${written.version}.`
        : `✓ ${harmlessLine(written.path)} was so already.`,
  );
}

async function readLocal(file: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    if (!(await stat(file)).isFile()) throw usageFault(`${file} is no file.`, "Name a file, or - for stdin.");
    return new Uint8Array(await readFile(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw usageFault(`There is no file ${file}.`, "Name a file, or - for stdin.");
  }
}

interface RemoveOptions extends WorkspaceOptions {
  recursive?: true;
  yes?: true;
}

async function removeFile(cli: Cli, path: string, options: RemoveOptions): Promise<void> {
  const { recursive = false, yes } = options;
  const what = recursive ? "folder, with all that is in it and its versions," : "file, with its versions,";
  await confirmOrFail(cli.terminal, `Delete the ${what} ${harmlessLine(path)}?`, Boolean(yes));
  const client = await cli.client();
  const deleted = await client.files.delete(path, {
    ...workspaceOf(options),
    recursive: recursive ? "true" : "false",
  });
  if (cli.terminal.json) return cli.terminal.value(deleted);
  cli.terminal.line(`✓ Deleted ${deleted.files === 1 ? "one file" : `${deleted.files} files`}.`);
}
