import { resolve } from "node:path";
import type { Cli, Define } from "../cli.ts";
import { usageFault } from "../faults/cli-fault.ts";
import { writeWhole } from "../settings/write-whole.ts";

interface TypesOptions {
  output?: string;
  globals?: true;
}

export const defineTypes: Define = (command, act) => {
  command
    .argument("[tool]", "one tool's; left out: all tools'")
    .option("-o, --output <file>", "write them to a file, such as tools.d.ts")
    .option("--globals", "instead: what a tool's own code sees (args, utils, api, …)")
    .action(act((cli, tool: string | undefined, options: TypesOptions) => types(cli, tool, options)));
};

async function types(cli: Cli, tool: string | undefined, { output, globals }: TypesOptions): Promise<void> {
  if (globals && tool !== undefined)
    throw usageFault("--globals are the same for every tool.", "Leave one of the two out.");
  const { tools } = await cli.client();
  const text = await (globals ? tools.globals() : tool === undefined ? tools.allTypes() : tools.types(tool));
  const { terminal } = cli;
  if (output === undefined) return terminal.json ? terminal.value({ types: text }) : terminal.text(text);
  try {
    await writeWhole(resolve(output), text);
  } catch (error) {
    throw usageFault(`${output} can't be written: ${(error as Error).message}.`, "Name another file by -o.");
  }
  if (terminal.json) return terminal.value({ file: output, bytes: Buffer.byteLength(text) });
  terminal.note(`✓ Wrote ${output}.`, "green");
}
