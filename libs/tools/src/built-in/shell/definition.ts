import { PROCESS_KEPT_MS, PROCESSES_MAX, type ProvidedTool, type ShellToolName } from "@bulkhead/core";
import {
  BACKGROUND_MS_MAX,
  BACKGROUND_OUTPUT_BYTES_MAX,
  CHANGED_FILES_MAX,
  COMMAND_MS_DEFAULT,
  EXEC_WALL_MS,
  OUTPUT_BYTES_MAX,
  WRITTEN_BYTES_MAX,
} from "./bounds.ts";
import { SHELL_TOOL_PARAMETERS } from "./schema.ts";

const KIB = 1_024;

const define = (name: ShellToolName, title: string, description: string, wallMs?: number): ProvidedTool => ({
  name,
  title,
  description,
  group: "runtime",
  parameters: SHELL_TOOL_PARAMETERS[name],
  annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
  needs: "shell",
  letBy: "name",
  capability: "shell",
  ...(wallMs !== undefined && { wallMs }),
});

/** As models are told of them: what, when, and within what bounds. */
export const SHELL_TOOLS: Readonly<Record<ShellToolName, ProvidedTool>> = {
  exec: define(
    "exec",
    "Run a command",
    `Runs a command line of bash over the workspace at /workspace and answers { stdout, stderr, exitCode, timedOut, truncated, ` +
      `engine, written, removed, unsaved }. There is no network, and each call begins afresh: variables and the current folder ` +
      `don't last. Files that it changes are saved when it ends: up to ${CHANGED_FILES_MAX} files and ` +
      `${WRITTEN_BYTES_MAX / KIB / KIB} MiB, folders only with files in them; unsaved names what was not saved and why. ` +
      `Each output keeps its first ${OUTPUT_BYTES_MAX / KIB} KiB. It is stopped after timeoutMs, ${COMMAND_MS_DEFAULT / 1_000} s ` +
      `unless set; process runs what takes longer, and in the background. With the engine "virtual" the usual tools of text and data are there (grep, sed, awk, jq, yq, tar, find …), ` +
      `but no programs of a machine.`,
    EXEC_WALL_MS,
  ),
  process: define(
    "process",
    "Run a command in the background",
    `Runs command lines that take longer than a call should wait: start answers { id, status }; output answers what it has said ` +
      `since a position, with { status, exitCode, output, next }, the first ${BACKGROUND_OUTPUT_BYTES_MAX / KIB} KiB in all; list ` +
      `shows your own, running ones and those that ended within ${PROCESS_KEPT_MS / 60_000} minutes. At most ${PROCESSES_MAX} of a ` +
      `tenant run at one time, ${BACKGROUND_MS_MAX / 60_000} minutes at most. Files that it changes are saved when it ends. One ` +
      `whose worker has gone is lost. With the engine "virtual" it says all at its end, and its input is stdin of start.`,
  ),
};
