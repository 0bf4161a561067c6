import type { Bulkhead, CreateApiKeyAnswer, Me } from "@bulkhead/client";
import { Option } from "commander";
import { openClient, type Cli, type Define } from "../cli.ts";
import { CliFault, EXIT } from "../faults/cli-fault.ts";
import { durationMs, momentOf, shownAgo } from "../input/times.ts";
import { writeConfig } from "../settings/config-file.ts";
import type { Connection } from "../settings/connection.ts";
import { confirmOrFail } from "../terminal/ask.ts";
import { harmlessLine } from "@bulkhead/core/harmless";

const ROLES = ["owner", "developer", "agent", "viewer"] as const;
const SECOND_MS = 1_000;

interface TenantOption {
  tenant?: string;
}

interface CreateOptions extends TenantOption {
  role: (typeof ROLES)[number];
  agent?: string;
  expires?: string;
}

const TENANT: [string, string] = ["--tenant <id>", "whose keys, for an administrator"];

export const defineKeys: Define = (command, act) => {
  command
    .command("list", { isDefault: true })
    .summary("the tenant's keys, without their secrets")
    .option(...TENANT)
    .action(act((cli, options: TenantOption) => listKeys(cli, options)));
  command
    .command("create <name>")
    .summary("make a key; it is shown this once, on stdout")
    .addOption(new Option("--role <role>", "what it may do").choices(ROLES).makeOptionMandatory())
    .option("--agent <id>", "the agent that it is, for the role agent")
    .option("--expires <moment>", "until when it works: 90d (from now), 2027-01-01, …")
    .option(...TENANT)
    .action(act((cli, name: string, options: CreateOptions) => createKey(cli, name, options)));
  command
    .command("rotate [id]")
    .summary("give a key another secret; left out: the key that is used now")
    .option("--overlap <duration>", "how long the old secret works on; 1h unless said, 0s: not at all")
    .option(...TENANT)
    .action(
      act((cli, id: string | undefined, options: TenantOption & { overlap?: string }) =>
        rotateKey(cli, id, options),
      ),
    );
  command
    .command("rm <id>")
    .alias("delete")
    .summary("delete a key, and end what is open under it")
    .option("-y, --yes", "don't ask")
    .option(...TENANT)
    .action(act((cli, id: string, options: TenantOption & { yes?: true }) => removeKey(cli, id, options)));
};

/** The client, whose key it uses, and the tenant whose keys are meant. */
async function open(
  cli: Cli,
  { tenant }: TenantOption,
): Promise<{ connection: Connection; client: Bulkhead; me: Me; tenantId: string }> {
  const connection = await cli.connection();
  const client = await openClient(connection);
  const me = await client.me();
  const tenantId = tenant ?? me.tenant?.id;
  if (tenantId !== undefined) return { connection, client, me, tenantId };
  throw new CliFault("The key is the platform's administrator's, who has no tenant.", {
    exit: EXIT.usage,
    code: "tenant.required",
    next: "Say whose keys: --tenant <id>",
  });
}

async function listKeys(cli: Cli, options: TenantOption): Promise<void> {
  const { client, me, tenantId } = await open(cli, options);
  const { apiKeys } = await client.apiKeys.list(tenantId);
  if (cli.terminal.json) return cli.terminal.value({ apiKeys });
  const now = new Date();
  cli.terminal.table(
    [
      { title: "id" },
      { title: "name", flexible: true },
      { title: "role" },
      { title: "agent", flexible: true },
      { title: "made" },
      { title: "expires" },
      { title: "last used" },
    ],
    apiKeys.map((key) => [
      key.id,
      key.id === me.key.id ? `${key.name} (this one)` : key.name,
      key.role,
      key.agentId ?? "",
      shownAgo(key.createdAt, now),
      shownAgo(key.expiresAt, now),
      shownAgo(key.lastUsedAt, now),
    ]),
  );
}

async function createKey(cli: Cli, name: string, options: CreateOptions): Promise<void> {
  const { client, tenantId } = await open(cli, options);
  const { role, agent, expires } = options;
  const expiresAt = expires === undefined ? undefined : momentOf(expires, "--expires", new Date(), 1);
  tellSecret(cli, await client.apiKeys.create(tenantId, { name, role, agentId: agent, expiresAt }));
}

/** The key alone on stdout, so that it can be piped to where it is kept. */
function tellSecret({ terminal }: Cli, created: CreateApiKeyAnswer): void {
  if (terminal.json) return terminal.value(created);
  terminal.line(created.key);
  const { id, role, expiresAt } = created;
  terminal.note(
    `This is key ${id} (${role}${expiresAt === undefined ? "" : `, until ${expiresAt}`}). It is not shown again.`,
    "dim",
  );
}

/** Where the key that is used now was rotated and comes from a profile, the profile gets the new secret. */
async function rotateKey(
  cli: Cli,
  said: string | undefined,
  options: TenantOption & { overlap?: string },
): Promise<void> {
  const { connection, client, me, tenantId } = await open(cli, options);
  const id = said ?? me.key.id;
  const { overlap } = options;
  const overlapSeconds =
    overlap === undefined ? undefined : Math.ceil(durationMs(overlap, "--overlap") / SECOND_MS);
  const rotated = await client.apiKeys.rotate(tenantId, id, { overlapSeconds });
  // First of all: whatever happens next, the new secret is not lost.
  tellSecret(cli, rotated);
  const { profile } = connection;
  if (id === me.key.id && profile !== undefined) {
    // Read again: somebody may have logged in to another server meanwhile.
    const config = await cli.config();
    const profiles = { ...config.profiles, [profile]: { url: connection.url, key: rotated.key } };
    await writeConfig(cli.configPath, { ...config, profiles });
    cli.terminal.note(`The profile "${profile}" uses the new secret from now on.`, "dim");
  }
}

async function removeKey(cli: Cli, id: string, options: TenantOption & { yes?: true }): Promise<void> {
  const { client, me, tenantId } = await open(cli, options);
  const own = id === me.key.id ? " It is the one that you use now." : "";
  const { apiKeys } = await client.apiKeys.list(tenantId);
  const name = apiKeys.find((key) => key.id === id)?.name;
  const what = name === undefined ? id : `${id} (${harmlessLine(name)})`;
  await confirmOrFail(
    cli.terminal,
    `Delete ${what}? What uses it stops working.${own}`,
    Boolean(options.yes),
  );
  const deleted = await client.apiKeys.delete(tenantId, id);
  if (cli.terminal.json) return cli.terminal.value(deleted);
  cli.terminal.line(`✓ Deleted ${id}.`);
}
