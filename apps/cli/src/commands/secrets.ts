import type { Bulkhead, ConfigEntry, ConfigService } from "@bulkhead/client";
import { BulkheadError } from "@bulkhead/client";
import type { Cli, Define } from "../cli.ts";
import { CliFault, EXIT, usageFault } from "../faults/cli-fault.ts";
import { collect, listOptions, noteListEnd, pageLimit, takeItems, type ListOptions } from "../input/lists.ts";
import { shownAgo } from "../input/times.ts";
import { askSecret, askText, confirmOrFail, readStdin, withoutLineEnd } from "../terminal/ask.ts";
import { harmlessLine } from "@bulkhead/core/harmless";

interface SetOptions {
  label?: string;
  create?: true;
  host?: string[];
  default?: true;
  allowWeak?: true;
}

interface RemoveOptions {
  label?: string;
  yes?: true;
}

/** Of a service whose fields nobody has named. */
const FIELD_DEFAULT = "api_key";

export const defineSecrets: Define = (command, act) => {
  command
    .command("set <service>")
    .summary("set one value of a service, such as github or github.api_key")
    .option("--label <label>", "another entry than the default one")
    .option("--create", "make the service if there is none")
    .option("--host <host>", "with --create: where its secrets may be sent; may be repeated", collect)
    .option("--default", "make the entry the one for requests that name none")
    .option("--allow-weak", "take a value that is short or a common word")
    .addHelpText(
      "after",
      "\nThe value is asked for, without showing a secret, or read from stdin: never an argument.",
    )
    .action(act((cli, service: string, options: SetOptions) => setSecret(cli, service, options)));
  listOptions(
    command.command("list [service]", { isDefault: true }).summary("services, or what of one is set"),
  ).action(
    act((cli, service: string | undefined, options: ListOptions) =>
      service === undefined ? listServices(cli, options) : showService(cli, service),
    ),
  );
  command
    .command("rm <service>")
    .alias("delete")
    .summary("take away a value (github.api_key), an entry (--label) or a whole service")
    .option("--label <label>", "this entry, or the value in it")
    .option("-y, --yes", "don't ask")
    .action(act((cli, service: string, options: RemoveOptions) => removeSecret(cli, service, options)));
};

/** `github.api_key` is the field `api_key` of `github`; names of services may have dots, those of fields have none. */
async function find(client: Bulkhead, said: string): Promise<{ service: ConfigService; field?: string }> {
  const whole = await serviceOrNull(client, said);
  if (whole !== null) return { service: whole };
  const [name, field] = split(said);
  const service = field === undefined ? null : await serviceOrNull(client, name);
  if (service !== null && field !== undefined) return { service, field };
  throw new CliFault(`There is no service "${name}".`, {
    exit: EXIT.refused,
    code: "config_service.not_found",
    next: `Make it: bulkhead secrets set ${said} --create --host <host>. See all: bulkhead secrets list`,
  });
}

function split(said: string): [name: string, field: string | undefined] {
  const at = said.lastIndexOf(".");
  return at < 1 ? [said, undefined] : [said.slice(0, at), said.slice(at + 1)];
}

async function serviceOrNull(client: Bulkhead, name: string): Promise<ConfigService | null> {
  try {
    return await client.configServices.get(name);
  } catch (error) {
    if (error instanceof BulkheadError && error.code === "config_service.not_found") return null;
    throw error;
  }
}

async function setSecret(cli: Cli, said: string, options: SetOptions): Promise<void> {
  const client = await cli.client();
  const { service, field } = await findOrCreate(client, said, options);
  const name = field ?? onlyField(service);
  const type = service.configSchema.find((one) => one.name === name)?.type;
  const value = await readValue(cli, `${service.name}.${name}`, type ?? "secret");
  const entry = await setValue(client, service, name, value, options);
  const { terminal } = cli;
  if (terminal.json) return terminal.value(entry);
  terminal.line(`✓ ${service.name}.${name} is set (entry ${entry.label}).`, "green");
  if (entry.missing.length > 0) terminal.note(`Still missing: ${entry.missing.join(", ")}.`, "yellow");
  if (entry.hostsFrom === "nothing")
    terminal.warn(
      "! Its secrets may be sent nowhere yet: the service has no base_url and no allowedHosts.",
      "yellow",
    );
  for (const warning of entry.warnings ?? []) terminal.warn(`! ${warning}`, "yellow");
}

async function findOrCreate(client: Bulkhead, said: string, { create, host }: SetOptions) {
  if (host !== undefined && !create) throw usageFault("--host goes with --create.");
  if (!create) return find(client, said);
  const [name, field] = split(said);
  const known = (await serviceOrNull(client, said)) ?? (await serviceOrNull(client, name));
  if (known !== null) return known.name === said ? { service: known } : { service: known, field };
  const service = await client.configServices.create({
    name,
    allowedHosts: host,
    configSchema:
      field === undefined || field === FIELD_DEFAULT
        ? undefined
        : [{ name: field, type: "secret", required: true }],
  });
  return { service, field };
}

function onlyField({ name, configSchema }: ConfigService): string {
  const names = configSchema.map((field) => field.name);
  const secret = configSchema.filter(({ type }) => type === "secret");
  if (secret.length === 1 && secret[0] !== undefined) return secret[0].name;
  throw usageFault(
    `${name} has several fields: ${names.join(", ")}.`,
    `Say which: ${name}.${names[0] ?? "<field>"}`,
  );
}

/** Never an argument: every process of the machine could read it there. */
async function readValue({ terminal }: Cli, what: string, type: string): Promise<string | number | boolean> {
  const isSecret = type === "secret";
  const asked = `Value of ${harmlessLine(what)}${isSecret ? " (it is not shown)" : ""}`;
  if (terminal.stdin.isTTY && !terminal.interactive)
    throw usageFault("Nobody can be asked for the value here.", "Give it on stdin.");
  const text = terminal.interactive
    ? await (isSecret ? askSecret(terminal, asked) : askText(terminal, asked))
    : withoutLineEnd(await readStdin(terminal));
  if (text === "") throw usageFault("The value is empty.", `Take it away: bulkhead secrets rm ${what}`);
  if (type === "number" && text.trim() !== "" && !Number.isNaN(Number(text))) return Number(text);
  if (type === "boolean" && ["true", "false"].includes(text)) return text === "true";
  return text;
}

/** Into the entry that is meant, which is made where there is none. */
function setValue(
  client: Bulkhead,
  service: ConfigService,
  field: string,
  value: string | number | boolean,
  { label, default: isDefault, allowWeak }: SetOptions,
): Promise<ConfigEntry> {
  const entry = entryOf(service, label);
  const data = { [field]: value };
  if (entry === undefined)
    return client.configEntries.create(service.name, { data, label, isDefault, allowWeak });
  return client.configEntries.update(service.name, entry.label, { data, isDefault, allowWeak });
}

const entryOf = ({ entries }: ConfigService, label: string | undefined): ConfigEntry | undefined =>
  entries.find((entry) => (label === undefined ? entry.isDefault : entry.label === label));

async function listServices(cli: Cli, options: ListOptions): Promise<void> {
  const { terminal } = cli;
  const found = await takeItems(
    (await cli.client()).configServices.list({ limit: pageLimit(options) }),
    options,
  );
  if (terminal.json) return terminal.value({ services: found.items });
  if (found.items.length > 0)
    terminal.table(
      [
        { title: "service" },
        { title: "state" },
        { title: "fields", flexible: true },
        { title: "entries", flexible: true },
      ],
      found.items.map(({ name, configured, configSchema, labels }) => [
        name,
        configured ? { text: "ready", format: "green" } : { text: "to be filled in", format: "yellow" },
        configSchema.map((field) => field.name).join(", "),
        labels.join(", "),
      ]),
    );
  noteListEnd(terminal, found, "There are no services. Make one: bulkhead secrets set <service> --create");
}

/** A value, or the visible facts about a secret. */
function shownValue(value: ConfigEntry["data"][string] | undefined, now: Date): string {
  if (typeof value !== "object") return value === undefined ? "" : String(value);
  const end = value.lastFour === undefined ? "" : `, ends in ${value.lastFour}`;
  return `set ${shownAgo(value.setAt, now)}${end}`;
}

async function showService(cli: Cli, said: string): Promise<void> {
  const { terminal } = cli;
  const { service } = await find(await cli.client(), said);
  if (terminal.json) return terminal.value(service);
  const now = new Date();
  const rows = service.entries.flatMap((entry) =>
    service.configSchema.map(({ name, type }) => [
      entry.isDefault ? `${entry.label} *` : entry.label,
      name,
      type,
      shownValue(entry.data[name], now),
      entry.hosts.join(", "),
    ]),
  );
  terminal.table(
    [
      { title: "entry" },
      { title: "field" },
      { title: "type" },
      { title: "value", flexible: true },
      { title: "may go to", flexible: true },
    ],
    rows,
  );
  terminal.note(`Used by: ${service.tools?.join(", ") || "no tool"}`, "dim");
}

async function removeSecret(cli: Cli, said: string, { label, yes }: RemoveOptions): Promise<void> {
  const { terminal } = cli;
  const client = await cli.client();
  const { service, field } = await find(client, said);
  const users = service.tools?.length ? ` Tools use it: ${harmlessLine(service.tools.join(", "))}.` : "";
  const ask = (what: string) => confirmOrFail(terminal, `Remove ${what}?${users}`, Boolean(yes));
  let done: unknown;
  if (field === undefined && label === undefined) {
    await ask(`the service ${service.name} with all its entries`);
    done = await client.configServices.delete(service.name);
  } else {
    const entry = entryOf(service, label);
    if (entry === undefined)
      throw new CliFault(`${service.name} has no such entry.`, {
        exit: EXIT.refused,
        code: "config_entry.not_found",
        next: `See which there are: bulkhead secrets list ${service.name}`,
      });
    await ask(`${field ?? "the entry"} of ${service.name} (entry ${harmlessLine(entry.label)})`);
    done =
      field === undefined
        ? await client.configEntries.delete(service.name, entry.label)
        : await client.configEntries.update(service.name, entry.label, { data: { [field]: null } });
  }
  if (terminal.json) return terminal.value(done);
  terminal.line(`✓ Took away ${said}${label === undefined ? "" : ` (entry ${label})`}.`);
}
