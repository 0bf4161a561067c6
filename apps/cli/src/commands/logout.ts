import type { Cli, Define } from "../cli.ts";
import { CliFault, EXIT } from "../faults/cli-fault.ts";
import { writeConfig } from "../settings/config-file.ts";
import { profileName } from "../settings/connection.ts";

interface LogoutOptions {
  all?: true;
}

export const defineLogout: Define = (command, act) => {
  command
    .option("--all", "forget every profile")
    .addHelpText("after", "\nThe key itself goes on working; an owner deletes it by bulkhead keys rm.")
    .action(act((cli, options: LogoutOptions) => logout(cli, options)));
};

async function logout(cli: Cli, { all }: LogoutOptions): Promise<void> {
  const { terminal } = cli;
  const config = await cli.config();
  const named = profileName({ profile: cli.options.profile, config });
  const forgotten = all
    ? Object.keys(config.profiles)
    : [named].filter((name) => Object.hasOwn(config.profiles, name));
  if (forgotten.length === 0 && !all)
    throw new CliFault(`There is no profile "${named}".`, {
      exit: EXIT.refused,
      code: "cli.not_logged_in",
      next: "See which there are: bulkhead whoami --profiles",
    });
  const profiles = Object.fromEntries(
    Object.entries(config.profiles).filter(([name]) => !forgotten.includes(name)),
  );
  const { current } = config;
  const stays = current !== undefined && Object.hasOwn(profiles, current);
  await writeConfig(cli.configPath, { ...(stays ? { current } : {}), profiles });
  if (terminal.json) terminal.value({ forgotten });
  else
    terminal.line(
      `✓ Forgot ${forgotten.length === 0 ? "nothing: no profile was kept" : forgotten.join(", ")}.`,
    );
  if (cli.env["BULKHEAD_KEY"]) terminal.note("BULKHEAD_KEY is still set and goes on being used.");
}
