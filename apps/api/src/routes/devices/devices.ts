import {
  CreatedPairingCode,
  CreatePairingCode,
  Deleted,
  Device as ShownDevice,
  DevicePage,
  DeviceQuery,
  DeviceSummary,
  UpdateDevice,
  oneMore,
  pageOf,
  shownAs,
} from "@bulkhead/contracts";
import { compact, type Device } from "@bulkhead/core";
import {
  createPairingCode,
  getDevice,
  listDevices,
  removeDevice,
  requireTenant,
  updateDevice,
  type DeviceDeps,
  type PairDeps,
} from "@bulkhead/tenants";
import { ok } from "../../edge/envelope.ts";
import { answers, DeviceParams, type ApiScope } from "../../edge/route-schema.ts";

const tags = ["devices"];
const params = DeviceParams;
const read = { action: "devices.read" } as const;
const write = { action: "devices.write" } as const;

/** What owners do with the tenant's devices. */
export function deviceRoutes(app: ApiScope, deps: DeviceDeps & Pick<PairDeps, "devices" | "clock">): void {
  app.post(
    "/devices/pairing-codes",
    {
      config: write,
      schema: {
        tags,
        summary: "Make a code that pairs one device, once",
        description:
          "Good for ten minutes and one `POST /devices`, which the device sends itself. With `agentId` or `userId` the device is used by calls for them alone; else by every agent that may call `nodes`. A tenant may have 20 codes open.",
        body: CreatePairingCode,
        response: answers({ 201: CreatedPairingCode }),
      },
    },
    async (request, reply) => {
      const principal = requireTenant(request.principal, "devices.write");
      const { name = null, agentId = null, userId = null } = request.body;
      const { code, expiresAt } = await createPairingCode(deps, principal, { name, agentId, userId });
      void reply.status(201).header("cache-control", "no-store");
      return ok(request, { code, expiresAt: expiresAt.toISOString() });
    },
  );

  app.get(
    "/devices",
    {
      config: read,
      schema: {
        tags,
        summary: "List paired devices, newest first",
        description:
          "With the names of their commands; `GET /devices/:id` has those whole. Agents see the devices that they may use by the tool `nodes`.",
        querystring: DeviceQuery,
        response: answers({ 200: DevicePage }),
      },
    },
    async (request) => {
      const principal = requireTenant(request.principal, "devices.read");
      const { limit, cursor, online, q } = request.query;
      const wanted = online === undefined ? undefined : online === "true";
      const asked = compact({ limit: oneMore(limit), before: cursor, q, online: wanted });
      const found = await listDevices(deps, principal, asked);
      const { page, nextCursor } = pageOf(found, limit, ({ deviceId }) => deviceId);
      return ok(request, { devices: page.map(presentSummary), nextCursor });
    },
  );

  app.get(
    "/devices/:id",
    {
      config: read,
      schema: { tags, summary: "Read a device", params, response: answers({ 200: ShownDevice }) },
    },
    async (request) => {
      const principal = requireTenant(request.principal, "devices.read");
      return ok(request, presentDevice(await getDevice(deps, principal, request.params.id)));
    },
  );

  app.patch(
    "/devices/:id",
    {
      config: write,
      schema: {
        tags,
        summary: "Rename a device, or let it connect or not",
        params,
        body: UpdateDevice,
        response: answers({ 200: ShownDevice }),
      },
    },
    async (request) => {
      const principal = requireTenant(request.principal, "devices.write");
      const change = compact(request.body);
      return ok(request, presentDevice(await updateDevice(deps, principal, request.params.id, change)));
    },
  );

  app.delete(
    "/devices/:id",
    {
      config: write,
      schema: {
        tags,
        summary: "Unpair a device: its token opens nothing any more, and its connection ends",
        params,
        response: answers({ 200: Deleted }),
      },
    },
    async (request) => {
      await removeDevice(deps, requireTenant(request.principal, "devices.write"), request.params.id);
      return ok(request, { deleted: true as const });
    },
  );
}

const presentSummary = (device: Awaited<ReturnType<typeof listDevices>>[number]) =>
  shownAs(DeviceSummary, device, { id: device.deviceId, commandNames: [...device.commandNames] });

export const presentDevice = (device: Device & { online: boolean }) =>
  shownAs(ShownDevice, device, {
    id: device.deviceId,
    commands: device.commands.map(({ name, description, parameters }) => ({
      name,
      description,
      ...(parameters && { parameters }),
    })),
  });
