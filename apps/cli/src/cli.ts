import { homedir } from "node:os";
import type { Bulkhead } from "@bulkhead/client";
import type { Command } from "commander";
import { configPath, readConfig, type ConfigFile } from "./settings/config-file.ts";
import { chooseConnection, type Connection } from "./settings/connection.ts";
import { Terminal } from "./terminal/terminal.ts";
import { VERSION } from "./version.ts";

/** What the process is started with. */
export interface Start {
  env: Readonly<Record<string, string | undefined>>;
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  /** How its user calls the program; by its name unless said. */
  program?: string;
}

export interface GlobalOptions {
  url?: string;
  profile?: string;
  json?: boolean;
  quiet?: boolean;
}

/** What each command gets: the terminal, the settings, and a client that is only loaded where one is needed. */
export class Cli {
  readonly terminal: Terminal;
  readonly options: GlobalOptions;
  readonly env: Start["env"];
  readonly configPath: string;
  #isWarned = false;

  constructor(start: Start, options: GlobalOptions) {
    const { env } = start;
    this.env = env;
    this.options = options;
    const { json = false, quiet = false } = options;
    this.terminal = new Terminal({ ...start, json, quiet });
    this.configPath = configPath({ env, home: homedir() });
  }

  /** As the file is now; what is to be said about it is said once. */
  config(): Promise<ConfigFile> {
    return readConfig(this.configPath, (sentence) => {
      if (!this.#isWarned) this.terminal.warn(`! ${sentence}`, "yellow");
      this.#isWarned = true;
    });
  }

  /** Where to ask and with which key; a fault says how to log in. */
  async connection(): Promise<Connection> {
    const { url, profile } = this.options;
    return chooseConnection({ url, profile, env: this.env, config: await this.config() });
  }

  async client(): Promise<Bulkhead> {
    const connection = await this.connection();
    return openClient(connection);
  }
}

/** A person waits: what fails is tried once more, and then told. */
const RETRIES = 1;

export async function openClient({ url, key }: Connection): Promise<Bulkhead> {
  const { Bulkhead } = await import("@bulkhead/client");
  return new Bulkhead({ url, key, retries: RETRIES, userAgent: `bulkhead-cli/${VERSION}` });
}

/** Fills a command that has its name and summary so far: arguments, options, subcommands and what they do. */
export type Define = (command: Command, act: Act) => void;

/** Wraps what a command does: it gets the command line's parts first, then its arguments and its options. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- A handler keeps the types of what it gets.
export type Act = <Rest extends unknown[]>(
  handler: (cli: Cli, ...rest: Rest) => Promise<void>,
) => (...said: unknown[]) => Promise<void>;
