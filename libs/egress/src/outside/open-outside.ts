import type { MailSender, OutsideDatabases, OutsideRefused } from "@bulkhead/core";
import { LOOKUP_MS_MAX, OUTSIDE_MAX, TENANT_OUTSIDE_MAX } from "../bounds.ts";
import { compileEgressAllow, type EgressAllowRule } from "../egress-allow.ts";
import { buildLookup, type Lookup } from "../lookup.ts";
import { runQuery } from "./database.ts";
import { sendMail } from "./mail.ts";
import { TenantTurns } from "./tenant-turns.ts";

export interface Outside {
  databases: OutsideDatabases;
  mail: MailSender;
  /** Ends what is under way. */
  close(): Promise<void>;
}

/** Opens the ways to databases and mail servers, under the rules of requests. Each connection serves one question of one tenant. */
export function openOutside({
  allow,
  lookup = buildLookup(LOOKUP_MS_MAX),
}: {
  allow: readonly EgressAllowRule[];
  lookup?: Lookup;
}): Outside {
  const deps = { allow: compileEgressAllow(allow), lookup };
  const turns = new TenantTurns({ tenant: TENANT_OUTSIDE_MAX, all: OUTSIDE_MAX });
  const closing = new AbortController();
  const inTurn = async <T>(
    tenantId: string,
    asked: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T | OutsideRefused> => {
    const signal = AbortSignal.any([asked, closing.signal]);
    try {
      return await turns.run(tenantId, signal, () => work(signal));
    } catch (error) {
      // The work rejects never, so this one waited for its turn.
      if (signal.aborted) return { ok: false, code: "aborted", message: "the run has given it up" };
      throw error;
    }
  };
  return {
    databases: {
      query: (tenantId, server, query, asked) =>
        inTurn(tenantId, asked, (signal) => runQuery(deps, server, query, signal)),
    },
    mail: {
      send: (tenantId, server, mail, asked) =>
        inTurn(tenantId, asked, (signal) => sendMail(deps, server, mail, signal)),
    },
    close: async () => closing.abort(),
  };
}
