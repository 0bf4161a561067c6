import { openClient, type Cli, type Define } from "../cli.ts";
import { usageFault } from "../faults/cli-fault.ts";
import { writeConfig, type ConfigFile } from "../settings/config-file.ts";
import {
  checkProfileName,
  chosenUrl,
  isHeardByOthers,
  keyFrom,
  PROFILE_DEFAULT,
  serverUrl,
} from "../settings/connection.ts";
import { askSecret, askText, readStdin } from "../terminal/ask.ts";
import { who } from "./whoami.ts";

const URL_SUGGESTED = "http://127.0.0.1:3000";

interface LoginOptions {
  keyStdin?: true;
}

export const defineLogin: Define = (command, act) => {
  command
    .argument("[url]", "the server, such as https://bulkhead.example.com")
    .option("--key-stdin", "read the key from stdin instead of asking for it")
    .addHelpText(
      "after",
      "\nThe key is asked for, without showing it, tried at the server, and kept in a file that only you may read.",
    )
    .action(act((cli, url: string | undefined, options: LoginOptions) => login(cli, url, options)));
};

async function login(cli: Cli, said: string | undefined, { keyStdin }: LoginOptions): Promise<void> {
  const { terminal, options } = cli;
  const config = await cli.config();
  const url = said === undefined ? await askUrl(cli, config) : serverUrl(said, "The address");
  if (isHeardByOthers(url))
    terminal.warn(`! Over ${url} others can read the key on its way. Use https.`, "yellow");
  const key = await readKey(cli, Boolean(keyStdin));
  const me = await terminal.during("Trying the key…", async () => (await openClient({ url, key })).me());
  const name = options.profile === undefined ? freeName(config, url) : checkProfileName(options.profile);
  await writeConfig(cli.configPath, {
    current: name,
    profiles: { ...config.profiles, [name]: { url, key } },
  });
  if (terminal.json) terminal.value({ profile: name, url, ...me });
  else terminal.line(`✓ Logged in at ${url} as ${who(me)}. The profile is "${name}".`, "green");
}

async function askUrl(cli: Cli, config: ConfigFile): Promise<string> {
  const { url, profile } = cli.options;
  const known = chosenUrl({ url, profile, env: cli.env, config });
  if (url !== undefined || (known !== undefined && !cli.terminal.interactive)) return known ?? "";
  if (!cli.terminal.interactive)
    throw usageFault("No server is named.", "Say which: bulkhead login <url> --key-stdin");
  return serverUrl(await askText(cli.terminal, "Server", known ?? URL_SUGGESTED), "The address");
}

/** A key is never an argument: every process of the machine could read it there. */
async function readKey({ terminal }: Cli, fromStdin: boolean): Promise<string> {
  if (!fromStdin && !terminal.interactive)
    throw usageFault(
      "Nobody can be asked for the key here.",
      "Give it on stdin: bulkhead login <url> --key-stdin",
    );
  const key = fromStdin ? await readStdin(terminal) : await askSecret(terminal, "API key (it is not shown)");
  return keyFrom(key, "That");
}

/** `default`, or the server's host where that is another server's, so that no kept key is lost. */
function freeName({ profiles }: ConfigFile, url: string): string {
  const [known] = Object.entries(profiles).find(([, profile]) => profile.url === url) ?? [];
  if (known !== undefined) return known;
  if (!Object.hasOwn(profiles, PROFILE_DEFAULT)) return PROFILE_DEFAULT;
  return checkProfileName(new URL(url).host.replaceAll(/[^A-Za-z0-9.-]/g, "-").replace(/^[.-]+/, ""));
}
