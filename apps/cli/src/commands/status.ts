import type { Cli, Define } from "../cli.ts";
import { tellFaults } from "../sync/fault-lines.ts";
import { chosen, openSync, type SyncOptions } from "../sync/open-sync.ts";
import { tellRows } from "../sync/plan-view.ts";

export const defineStatus: Define = (command, act) => {
  command
    .argument("[tools...]", "only these")
    .option("--folder <path>", "the folder of the tools; the present one unless said")
    .option("--agent <id>", "this agent's own tools")
    .action(act((cli, tools: string[], options: SyncOptions) => status(cli, tools, options)));
};

async function status(cli: Cli, names: readonly string[], options: SyncOptions): Promise<void> {
  const { terminal } = cli;
  const sync = await openSync(cli, options);
  const rows = chosen(sync.rows, names).filter(({ standing }) => standing !== "gone");
  const { faults } = sync.mine;
  if (terminal.json) {
    const tools = rows.map(({ name, agentId, standing, file, theirs }) => {
      const { version, pendingVersion, updatedAt } = theirs ?? {};
      return { name, agentId, standing, file, version, pendingVersion, updatedAt };
    });
    return terminal.value({ tools, faults });
  }
  tellFaults(terminal, faults);
  if (rows.length > 0) tellRows(terminal, rows);
  else terminal.note("Neither the folder nor the server has tools.", "dim");
}
