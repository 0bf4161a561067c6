/** What a command has left. */
interface CommandResult {
  /** The first 128 KiB of each output; `truncated` where there was more. */
  stdout: string;
  stderr: string;
  exitCode: number;
  timedOut: boolean;
  truncated: boolean;
  engine: "virtual" | "namespaces";
  /** Files of the workspace that it wrote and removed. */
  written: number;
  removed: number;
  /** What of its changes is not saved, and why: somebody else wrote the file meanwhile, or a bound was reached. */
  unsaved: { path: string; why: string }[];
  /** Something of the command was secret, and ran as [REDACTED]. */
  covered?: boolean;
}

/**
 * Runs a command line of bash over the caller's workspace, at /workspace and without a network:
 * `const { stdout } = await utils.exec("sort -u names.txt", { cwd: "data", timeoutMs: 10_000 })`. A command that fails resolves
 * with its `exitCode`; a refusal rejects with an Error whose `code` is `not_found`, `invalid_request`, `capability_denied` or
 * `capability_limit`. Files that it changes are saved when it ends. It takes 60 s unless set, and the run's time at most.
 */
export type RunCommand = (
  command: string,
  options?: { cwd?: string; timeoutMs?: number; env?: Record<string, string>; stdin?: string },
) => Promise<CommandResult>;
