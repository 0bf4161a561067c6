import type { Me } from "@bulkhead/client";
import type { Cli, Define } from "../cli.ts";
import { openClient } from "../cli.ts";
import { profileName } from "../settings/connection.ts";
import { harmlessLine } from "@bulkhead/core/harmless";

interface WhoamiOptions {
  profiles?: true;
}

export const defineWhoami: Define = (command, act) => {
  command
    .option("--profiles", "the profiles that are kept, without asking any server")
    .action(act((cli, { profiles }: WhoamiOptions) => (profiles ? listProfiles(cli) : whoami(cli))));
};

/** A key for people: its name and role, and whose it is. */
export const who = ({ key, tenant }: Me): string =>
  harmlessLine(`${key.name} (${key.role}${key.agentId === undefined ? "" : ` for ${key.agentId}`})`) +
  harmlessLine(tenant === null ? ", the platform's administrator" : ` of ${tenant.name}`);

async function whoami(cli: Cli): Promise<void> {
  const { terminal } = cli;
  const connection = await cli.connection();
  const me = await (await openClient(connection)).me();
  const { url, profile } = connection;
  if (terminal.json) return terminal.value({ url, profile: profile ?? null, ...me });
  const { key, tenant, features } = me;
  terminal.fields({
    server: url,
    profile: profile ?? "none: the key is that of BULKHEAD_KEY",
    tenant:
      tenant === null
        ? "none: the platform's administrator"
        : `${tenant.name} (${tenant.slug}, ${tenant.id})`,
    key: `${key.name} (${key.id})`,
    role: key.role,
    agent: key.agentId,
    expires: key.expiresAt,
    features: Object.entries(features)
      .filter(([, there]) => there)
      .map(([name]) => name)
      .join(", "),
  });
}

async function listProfiles(cli: Cli): Promise<void> {
  const config = await cli.config();
  const current = profileName({ config, profile: undefined });
  const rows = Object.entries(config.profiles).map(([name, { url }]) => ({
    name,
    url,
    current: name === current,
  }));
  if (cli.terminal.json) return cli.terminal.value({ profiles: rows });
  if (rows.length === 0) return cli.terminal.next("No profile is kept. Log in: bulkhead login");
  cli.terminal.table(
    [{ title: "" }, { title: "profile" }, { title: "server", flexible: true }],
    rows.map(({ name, url, current: isCurrent }) => [isCurrent ? "*" : "", name, url]),
  );
}
