import type { Bulkhead } from "@bulkhead/client";
import { TOOL_NAME, TOOL_NAME_LENGTH_MAX } from "@bulkhead/core";
import { mkdir, realpath, rmdir } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import type { Cli, Define } from "../cli.ts";
import { usageFault } from "../faults/cli-fault.ts";
import { writeNewFiles } from "../project/write-new-files.ts";
import { templateFiles, templateServices } from "../templates/template-files.ts";
import { askChoice, askText } from "../terminal/ask.ts";
import { harmlessLine } from "@bulkhead/core/harmless";

interface NewOptions {
  folder: string;
  list?: true;
}

export const defineNew: Define = (command, act) => {
  command
    .argument("[template]", "the template's name; left out: it is asked for")
    .argument("[name]", "the tool's name and its folder's; left out: the template's")
    .option("--folder <folder>", "the folder of the tools", ".")
    .option("--list", "list the templates")
    .action(
      act((cli, template: string | undefined, name: string | undefined, options: NewOptions) =>
        options.list ? list(cli) : create(cli, template, name, options),
      ),
    );
};

async function create(
  cli: Cli,
  said: string | undefined,
  saidName: string | undefined,
  { folder }: NewOptions,
): Promise<void> {
  if (saidName !== undefined) checkToolName(saidName);
  if (said === undefined && !cli.terminal.interactive) return list(cli);
  const client = await cli.client();
  const wanted = said ?? (await askTemplate(cli, client));
  const name = saidName ?? (said === undefined ? await askText(cli.terminal, "Name", wanted) : wanted);
  checkToolName(name);
  const template = await cli.terminal.during("Getting the template…", () => client.templates.get(wanted));
  const { files, packages } = templateFiles(template, name);
  const services = templateServices(template);
  const target = await makeToolFolder(folder, name);
  const { written } = await writeNewFiles(target, files).catch(async (error: unknown) => {
    // Why it can't be written is told, and not that a folder stays into which somebody else has written.
    await rmdir(target).catch(() => undefined);
    throw error;
  });
  tell(cli, { folder, target, written, packages, services });
}

async function list(cli: Cli): Promise<void> {
  const { terminal } = cli;
  const { templates } = await (await cli.client()).templates.list();
  if (terminal.json) return terminal.value({ templates });
  terminal.table(
    [{ title: "template" }, { title: "what" }, { title: "needs" }, { title: "description", flexible: true }],
    templates.map(({ name, title, permissions, services, description }) => [
      name,
      title,
      [...permissions, ...services].join(", "),
      description,
    ]),
  );
  terminal.next("Take one: bulkhead new <template> [name]", "dim");
}

async function askTemplate({ terminal }: Cli, client: Bulkhead): Promise<string> {
  const { templates } = await client.templates.list();
  const choices = templates.map(({ name, title, description }) => ({
    value: name,
    label: harmlessLine(`${name}: ${title}`),
    hint: harmlessLine(description),
  }));
  if (choices.length === 0) throw usageFault("The server has no templates.", "Begin by: bulkhead init");
  return askChoice(terminal, "Which template?", choices);
}

function checkToolName(name: string): void {
  if (TOOL_NAME.test(name) && name.length <= TOOL_NAME_LENGTH_MAX) return;
  throw usageFault(
    `"${name}" can't be the name of a tool.`,
    `Begin with a small letter; further ones, digits and _ may follow, ${TOOL_NAME_LENGTH_MAX} in all.`,
  );
}

/** A new folder; one that is there is left alone, whatever it holds. */
async function makeToolFolder(folder: string, name: string): Promise<string> {
  const around = resolve(folder);
  try {
    await mkdir(around, { recursive: true });
    const target = join(await realpath(around), name);
    await mkdir(target);
    return target;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "EEXIST")
      throw usageFault(`${join(folder, name)} is there already.`, "Give the tool another name.");
    throw usageFault(`${join(folder, name)} can't be made: ${message}.`, "Name another folder by --folder.");
  }
}

interface Told {
  folder: string;
  target: string;
  written: string[];
  packages: string[];
  services: string[];
}

function tell({ terminal }: Cli, { folder, target, written, packages, services }: Told): void {
  if (terminal.json) return terminal.value({ folder: target, written, packages, services });
  const shown = relative(process.cwd(), target) || ".";
  for (const path of written) terminal.line(`✓ ${join(shown, path)}`, "green");
  const steps = [
    ...(packages.length === 0
      ? []
      : [`npm install ${folder === "." ? "" : `--prefix ${folder} `}--save-exact ${packages.join(" ")}`]),
    `bulkhead test ${shown}`,
    ...services.map((service) => `bulkhead secrets set ${service}   before it is called`),
  ];
  terminal.next(`Next:\n${steps.map((step) => `  ${step}`).join("\n")}`);
}
