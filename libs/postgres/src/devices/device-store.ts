import type {
  Device,
  DeviceBinding,
  DeviceCommand,
  DevicePage,
  DeviceStore,
  DeviceSummary,
} from "@bulkhead/core";
import { strict as assert } from "node:assert";
import { Prisma, type PrismaClient } from "../generated/client.ts";
import { inTenant } from "../mcp/in-tenant.ts";
import { faulting } from "../sql-trouble.ts";
import { jsonInput, readObject, type Json } from "../stored-json.ts";

/** Paired devices in PostgreSQL; of codes and tokens it has the hashes alone. What it throws is a Fault. */
export const openDeviceStore = (client: PrismaClient): DeviceStore => ({
  makeCode: (code, openMax, at) =>
    faulting(async () => {
      const { tenantId, codeId: id, codeHash: sha256, ...rest } = code;
      const made = await inTenant(client, tenantId, async (step) => {
        await step.devicePairingCode.deleteMany({ where: { tenantId, expiresAt: { lte: at } } });
        if ((await step.devicePairingCode.count({ where: { tenantId } })) >= openMax) return false;
        await step.devicePairingCode.create({ data: { id, tenantId, sha256, ...rest } });
        return true;
      });
      return made ?? false;
    }),
  findCode: (sha256, at) =>
    faulting(() =>
      client.devicePairingCode.findFirst({
        where: { sha256, expiresAt: { gt: at }, tenant: { deletingAt: null } },
        select: { tenantId: true },
      }),
    ),
  pair: ({ tenantId, codeHash: sha256 }, device, devicesMax, at) =>
    faulting(() =>
      inTenant(client, tenantId, async (step) => {
        const code = await step.devicePairingCode.findFirst({
          where: { tenantId, sha256, expiresAt: { gt: at } },
        });
        if (code === null) return null;
        if ((await step.device.count({ where: { tenantId } })) >= devicesMax) return "too_many";
        await step.devicePairingCode.delete({ where: { id: code.id } });
        const { deviceId: id, tokenHash: tokenSha256, name, commands, ...rest } = device;
        const { agentId, userId, madeBy: pairedBy } = code;
        const own = { id, tenantId, tokenSha256, agentId, userId, pairedBy, enabled: true };
        const data = {
          ...rest,
          ...own,
          name: code.name ?? name,
          commands: jsonInput(commands),
          commandNames: namesOf(commands),
        };
        return toDevice(await step.device.create({ data, select: FIELDS }));
      }),
    ),
  find: ({ tenantId, deviceId: id }) =>
    faulting(async () => orNull(await client.device.findFirst({ where: { id, tenantId }, select: FIELDS }))),
  findByToken: (tokenSha256) =>
    faulting(async () => {
      const where = { tokenSha256, tenant: { deletingAt: null } };
      return orNull(await client.device.findFirst({ where, select: FIELDS }));
    }),
  nextConnection: () =>
    faulting(async () => {
      const [row] = await client.$queryRaw<{ number: string }[]>`
        SELECT nextval('device_connections')::text AS number`;
      assert(row);
      return row.number;
    }),
  list: (tenantId, page) => faulting(async () => (await listDevices(client, tenantId, page)).map(toSummary)),
  listUsable: (tenantId, caller, { name, limit }) =>
    faulting(async () => {
      const rows = await client.device.findMany({
        where: {
          tenantId,
          enabled: true,
          ...(name !== undefined && { name }),
          AND: [isFor("agentId", caller), isFor("userId", caller)],
        },
        orderBy: [{ name: "asc" }, { id: "asc" }],
        take: limit,
        select: LISTED,
      });
      return rows.map(toSummary);
    }),
  change: ({ tenantId, deviceId: id }, change) =>
    faulting(async () => {
      const { count } = await client.device.updateMany({ where: { id, tenantId }, data: change });
      if (count === 0) return null;
      return orNull(await client.device.findFirst({ where: { id, tenantId }, select: FIELDS }));
    }),
  came: ({ tenantId, deviceId }, connection, at) =>
    faulting(async () => {
      // In SQL, for the comparison.
      const count = await client.$executeRaw`
        UPDATE devices AS d SET last_seen_at = ${at}, connection = GREATEST(d.connection, ${connection}::bigint)
        FROM tenants AS n WHERE d.id = ${deviceId} AND d.tenant_id = ${tenantId} AND d.enabled
          AND n.id = d.tenant_id AND n.deleting_at IS NULL`;
      return count === 1;
    }),
  setCommands: ({ tenantId, deviceId }, connection, commands) =>
    faulting(async () => {
      const json = JSON.stringify(commands);
      // In SQL, for the comparison.
      const count = await client.$executeRaw`
        UPDATE devices SET commands = ${json}::json, command_names = ${namesOf(commands)}::text[]
        WHERE id = ${deviceId} AND tenant_id = ${tenantId} AND connection = ${connection}::bigint
          AND commands::text <> ${json}`;
      return count === 1;
    }),
  saw: (deviceIds, at) =>
    faulting(async () => {
      // In SQL, since it answers which of them it found.
      const rows = await client.$queryRaw<{ id: string }[]>`
        UPDATE devices AS d SET last_seen_at = ${at} FROM tenants AS n
        WHERE d.id = ANY(${[...deviceIds]}::text[]) AND d.enabled AND n.id = d.tenant_id AND n.deleting_at IS NULL
        RETURNING d.id`;
      return rows.map(({ id }) => id);
    }),
  delete: ({ tenantId, deviceId: id }) =>
    faulting(() =>
      client.$transaction(async (step) => {
        const found = await step.device.findFirst({ where: { id, tenantId }, select: FIELDS });
        if (found === null) return null;
        const { count } = await step.device.deleteMany({ where: { id, tenantId } });
        return count === 1 ? toDevice(found) : null;
      }),
    ),
});

/** Lists leave the commands where they are: those of a page may have 25 MiB. */
const LISTED = {
  id: true,
  tenantId: true,
  name: true,
  platform: true,
  commandNames: true,
  agentId: true,
  userId: true,
  enabled: true,
  lastSeenAt: true,
  pairedBy: true,
  createdAt: true,
} as const satisfies Prisma.DeviceSelect;
const { commandNames: _names, ...OWN } = LISTED;
const FIELDS = { ...OWN, commands: true } as const satisfies Prisma.DeviceSelect;

type Row = Prisma.DeviceGetPayload<{ select: typeof FIELDS }>;
type ListedRow = Prisma.DeviceGetPayload<{ select: typeof LISTED }>;

const namesOf = (commands: readonly DeviceCommand[]): string[] => commands.map(({ name }) => name);

const toSummary = ({ id: deviceId, ...row }: ListedRow): DeviceSummary => ({ ...row, deviceId });

const toDevice = ({ id: deviceId, commands, ...row }: Row): Device => ({
  ...row,
  deviceId,
  commands: readCommands(commands),
});

const orNull = (row: Row | null): Device | null => (row === null ? null : toDevice(row));

/** Bound to the caller, or to nobody. */
const isFor = (field: "agentId" | "userId", caller: DeviceBinding): Prisma.DeviceWhereInput => ({
  OR: [{ [field]: null }, ...(caller[field] === null ? [] : [{ [field]: caller[field] }])],
});

async function listDevices(
  client: PrismaClient,
  tenantId: string,
  { ids, q, before, limit }: DevicePage,
): Promise<ListedRow[]> {
  const last =
    before === undefined
      ? null
      : await client.device.findFirst({ where: { id: before, tenantId }, select: { createdAt: true } });
  if (before !== undefined && last === null) return [];
  // The client takes what it is given for a pattern.
  const holds = { contains: (q ?? "").replaceAll(/[\\%_]/g, String.raw`\$&`), mode: "insensitive" } as const;
  const where: Prisma.DeviceWhereInput[] = [{ tenantId }];
  if (ids) where.push({ id: ids.isIn ? { in: [...ids.among] } : { notIn: [...ids.among] } });
  if (q !== undefined) where.push({ OR: [{ name: holds }, { platform: holds }] });
  if (last && before !== undefined)
    where.push({
      OR: [{ createdAt: { lt: last.createdAt } }, { createdAt: last.createdAt, id: { lt: before } }],
    });
  return client.device.findMany({
    where: { AND: where },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: limit,
    select: LISTED,
  });
}

/** What can't be read is left out, as everywhere in stored JSON. */
function readCommands(json: Json): DeviceCommand[] {
  if (!Array.isArray(json)) return [];
  return json.flatMap((one) => {
    const { name, description, parameters } = readObject(one);
    if (typeof name !== "string" || typeof description !== "string") return [];
    return [{ name, description, parameters: isSet(parameters) ? readObject(parameters as Json) : null }];
  });
}

const isSet = (value: unknown): boolean => value !== null && value !== undefined;
