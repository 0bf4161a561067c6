import { PairDevice, PairedDevice } from "@bulkhead/contracts";
import { Fault } from "@bulkhead/core";
import { pairDevice, type PairDeps } from "@bulkhead/tenants";
import { ok } from "../../edge/envelope.ts";
import { answers, type ApiScope } from "../../edge/route-schema.ts";
import { presentDevice } from "./devices.ts";

/** What a device itself asks for. It has no key: a code is all that it has. */
export function pairRoutes(app: ApiScope, deps: PairDeps): void {
  app.post(
    "/devices",
    {
      schema: {
        tags: ["devices"],
        security: [],
        summary: "Pair a device by a code, for a token that it connects with",
        description:
          "For keys with the role admin, owner, developer, agent or viewer, and for devices, which have none: the code alone counts. A code that is wrong, used or too old is 401 `device.code_invalid` and nothing more. One address may try 60 times in a minute (429 `device.rate_limited`). A tenant has `limits.maxDevices` devices.",
        body: PairDevice,
        response: answers({ 201: PairedDevice }),
      },
    },
    async (request, reply) => {
      const { code, name, platform = null, commands } = request.body;
      const offered = commands.map(({ parameters = null, ...command }) => ({ ...command, parameters }));
      const asked = { code, name, platform, commands: offered };
      const { device, token } = await pairDevice(deps, asked, request.ip);
      void reply.status(201).header("cache-control", "no-store");
      return ok(request, { device: presentDevice({ ...device, online: false }), token });
    },
  );

  // Upgrades never come to a route; whatever else asks is told so.
  app.get("/devices/connect", { schema: { hide: true } }, async (_request, reply) => {
    void reply.header("upgrade", "websocket");
    throw new Fault("device.upgrade_required", {
      detail: "Open a web socket here (RFC 6455), with the header `Authorization: Bearer bhd_…`.",
    });
  });
}
