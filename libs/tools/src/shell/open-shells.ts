import type { McpLauncher } from "@bulkhead/core";
import { CommandTurns } from "./command-turns.ts";
import { startPrograms } from "./namespaces/start-programs.ts";
import type { ShellDeps } from "./run-command.ts";
import type { ShellChild } from "./shell-process.ts";
import { startVirtualShell, type ShellGround } from "./virtual/virtual-shell.ts";

export interface Shells extends Pick<ShellDeps, "turns" | "start"> {
  /** Ends all commands; nothing is left when it has resolved. */
  close(): Promise<void>;
}

/** The engines of one worker; nothing is started before the first command. */
export function openShells(ground: ShellGround, launcher: McpLauncher): Shells {
  const children = new Set<ShellChild>();
  const kept = (child: ShellChild): ShellChild => {
    children.add(child);
    void child.ended.then(() => children.delete(child));
    return child;
  };
  return {
    turns: new CommandTurns(),
    start: {
      virtual: async () => kept(startVirtualShell(ground)),
      namespaces: async (tenantId) => kept(await startPrograms(launcher, tenantId)),
    },
    async close() {
      await Promise.all(
        [...children].map(async (child) => {
          child.kill();
          await child.ended;
        }),
      );
    },
  };
}
