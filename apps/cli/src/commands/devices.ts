import type { Bulkhead, Device, DeviceSummary } from "@bulkhead/client";
import { harmlessLine } from "@bulkhead/core/harmless";
import type { Cli, Define } from "../cli.ts";
import { CliFault, EXIT, usageFault } from "../faults/cli-fault.ts";
import { listOptions, noteListEnd, pageLimit, takeItems, type ListOptions } from "../input/lists.ts";
import { shownAgo } from "../input/times.ts";
import { confirmOrFail } from "../terminal/ask.ts";

interface CodeOptions {
  name?: string;
  agent?: string;
  user?: string;
}

interface FindOptions extends ListOptions {
  online?: true;
  query?: string;
}

export const defineDevices: Define = (command, act) => {
  listOptions(
    command
      .command("list", { isDefault: true })
      .summary("list devices, newest first")
      .option("--online", "only those that are connected now")
      .option("--query <text>", "only those with this in their name or platform"),
  ).action(act((cli, options: FindOptions) => listDevices(cli, options)));
  command
    .command("show <device>")
    .summary("all about one device, with its commands; an id, or a name that one device has")
    .action(act((cli, ref: string) => showDevice(cli, ref)));
  command
    .command("code")
    .summary("make a code that pairs one machine, once; it is shown on stdout")
    .option("--name <name>", "what the device is called, whatever it calls itself")
    .option("--agent <id>", "the agent that alone may use it")
    .option("--user <id>", "the user for whom alone it may be used")
    .action(act((cli, options: CodeOptions) => makeCode(cli, options)));
  command
    .command("rename <device> <name>")
    .summary("give a device another name")
    .action(act((cli, ref: string, name: string) => change(cli, ref, { name })));
  command
    .command("enable <device>")
    .summary("let a device connect again")
    .action(act((cli, ref: string) => change(cli, ref, { enabled: true })));
  command
    .command("disable <device>")
    .summary("end a device's connection, and let it not connect")
    .action(act((cli, ref: string) => change(cli, ref, { enabled: false })));
  command
    .command("remove <device>")
    .alias("rm")
    .alias("delete")
    .summary("unpair a device: its token opens nothing any more")
    .option("-y, --yes", "don't ask")
    .action(act((cli, ref: string, options: { yes?: true }) => remove(cli, ref, options)));
};

const stateOf = ({
  enabled,
  online,
}: Pick<Device, "enabled" | "online">): { text: string; format: "green" | "yellow" | "dim" } =>
  enabled
    ? online
      ? { text: "online", format: "green" }
      : { text: "offline", format: "dim" }
    : { text: "disabled", format: "yellow" };

const whose = ({ agentId, userId }: Pick<Device, "agentId" | "userId">): string =>
  [agentId && `agent ${agentId}`, userId && `user ${userId}`].filter(Boolean).join(", ");

async function listDevices(cli: Cli, options: FindOptions): Promise<void> {
  const { terminal } = cli;
  const client = await cli.client();
  const asked = { limit: pageLimit(options), online: options.online && ("true" as const), q: options.query };
  const found = await takeItems(client.devices.list(asked), options);
  if (terminal.json) return terminal.value({ devices: found.items });
  const now = new Date();
  if (found.items.length > 0)
    terminal.table(
      [
        { title: "id" },
        { title: "name", flexible: true },
        { title: "state" },
        { title: "last seen" },
        { title: "platform", flexible: true },
        { title: "for", flexible: true },
        { title: "commands", flexible: true },
      ],
      found.items.map((one) => [
        one.id,
        one.name,
        stateOf(one),
        one.lastSeenAt === undefined ? "never" : shownAgo(one.lastSeenAt, now),
        one.platform ?? "",
        whose(one),
        one.commandNames.join(", "),
      ]),
    );
  noteListEnd(terminal, found, "There are no devices. Make a code for one: bulkhead devices code");
}

/** An id, or the name of exactly one device. */
async function findDevice(client: Bulkhead, ref: string): Promise<Pick<Device, "id" | "name">> {
  if (ref.startsWith("dev_")) return client.devices.get(ref);
  const named: DeviceSummary[] = [];
  for await (const device of client.devices.list({ q: ref })) if (device.name === ref) named.push(device);
  const [device, other] = named;
  if (other !== undefined)
    throw usageFault(
      `Several devices are called ${harmlessLine(ref)}: ${named.map(({ id }) => id).join(", ")}.`,
      "Say which by its id.",
    );
  if (device === undefined)
    throw new CliFault(`No device is called ${harmlessLine(ref)}.`, {
      exit: EXIT.refused,
      code: "device.not_found",
      next: "See which there are: bulkhead devices list",
    });
  return device;
}

async function showDevice(cli: Cli, ref: string): Promise<void> {
  const { terminal } = cli;
  const client = await cli.client();
  const device = await client.devices.get((await findDevice(client, ref)).id);
  if (terminal.json) return terminal.value(device);
  terminal.fields({
    id: device.id,
    name: harmlessLine(device.name),
    state: stateOf(device).text,
    "last seen": device.lastSeenAt ?? "never",
    platform: device.platform,
    for: whose(device),
    "paired by": `key ${device.pairedBy}`,
    paired: device.createdAt,
    commands: device.commands
      .map(({ name, description }) => `${name}: ${harmlessLine(description)}`)
      .join("\n"),
  });
}

/** The code alone on stdout, so that a script can hand it on. */
async function makeCode(cli: Cli, { name, agent, user }: CodeOptions): Promise<void> {
  const { terminal } = cli;
  const { url } = await cli.connection();
  const client = await cli.client();
  const made = await client.devices.code({ name, agentId: agent, userId: user });
  if (terminal.json) return terminal.value(made);
  terminal.line(made.code);
  terminal.next(
    `It works once, until ${made.expiresAt}. On the machine: bulkhead device pair ${made.code} --server ${url}`,
    "dim",
  );
}

async function change(cli: Cli, ref: string, asked: { name?: string; enabled?: boolean }): Promise<void> {
  const client = await cli.client();
  const { id } = await findDevice(client, ref);
  const device = await client.devices.update(id, asked);
  if (cli.terminal.json) return cli.terminal.value(device);
  const what = asked.name === undefined ? stateOf(device).text : `called ${harmlessLine(device.name)}`;
  cli.terminal.line(`✓ ${device.id} is ${what}.`);
}

async function remove(cli: Cli, ref: string, { yes }: { yes?: true }): Promise<void> {
  const client = await cli.client();
  const { id, name } = await findDevice(client, ref);
  await confirmOrFail(
    cli.terminal,
    `Remove ${id} (${harmlessLine(name)})? Its connection ends, and it has to be paired anew.`,
    Boolean(yes),
  );
  const deleted = await client.devices.delete(id);
  if (cli.terminal.json) return cli.terminal.value(deleted);
  cli.terminal.line(`✓ Removed ${id}.`);
}
