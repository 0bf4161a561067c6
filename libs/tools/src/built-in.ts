export { BUILT_IN_TOOLS, openBuiltInTools, whyMissing } from "./built-in/built-in-tools.ts";
export { openData } from "./built-in/data/capability.ts";
export { NO_ENGINE } from "./built-in/web/search/find-engine.ts";
export { decideCommand, judgeCommand, type JudgedCommand } from "./built-in/shell/judge/judge-command.ts";
export { openFiles } from "./built-in/files/capability.ts";
export { openShell } from "./built-in/shell/capability.ts";
export { BackgroundCommands } from "./shell/background-commands.ts";
export { openShells } from "./shell/open-shells.ts";
export { openMemory } from "./built-in/memory/capability.ts";
