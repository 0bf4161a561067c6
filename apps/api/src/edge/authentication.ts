import {
  authenticate,
  requireAction,
  requireOperation,
  type Action,
  type AuthenticateDeps,
  type Credentials,
  type Policies,
} from "@bulkhead/tenants";
import { AskerHeaders, readInput } from "@bulkhead/contracts";
import {
  type AccessOperation,
  type Principal,
  type SignalBus,
  type TenantPrincipal,
  Fault,
  compact,
} from "@bulkhead/core";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { requireOwnPage, sessionOf } from "./session-cookie.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The route does this; a key that may not is refused before its body is read. */
    action?: Action;
    /** An access token with this operation may ask for the route; without it none may. */
    operation?: AccessOperation;
    /** An access token may stand in the query, for an EventSource, which sends no header. */
    takesTokenInQuery?: boolean;
  }
  interface FastifyInstance {
    /** Finds who sent a request, as things are now. */
    whoSent(request: FastifyRequest): Promise<Principal>;
    /** The same, with the policy of its tenant and what its headers say of who asks. */
    whoAsks(request: FastifyRequest): Promise<Principal>;
  }
  interface FastifyRequest {
    /** Set on every route under /api. */
    principal: Principal;
    /** The `revision` of the remembered principals before this one was asked for. */
    principalRevision: number;
  }
}

/** A timer can't be set for longer; milliseconds. */
const TIMER_MS_MAX = 2 ** 31 - 1;

export interface AccessDeps extends AuthenticateDeps {
  policies: Policies;
}

/** Every request of this scope must carry a valid key. */
export function useAuthentication(app: FastifyInstance, deps: AccessDeps): void {
  app.decorateRequest("principal");
  app.decorateRequest("principalRevision", 0);
  app.decorate("whoSent", (request) => authenticate(deps, credentialsOf(request)));
  app.decorate("whoAsks", (request) => readAsker(request, deps));
  app.addHook("onRequest", (request) => identify(request, deps));
}

const READING = ["GET", "HEAD"];

/** A browser adds its cookies to what any page has it send, so that a write needs more than the session. */
const isWrittenBySession = ({ headers, method }: FastifyRequest): boolean =>
  !READING.includes(method) && !headers.authorization && sessionOf(headers.cookie) !== undefined;

/** A key or token in the header goes before any other place. */
function credentialsOf({ headers, query, routeOptions }: FastifyRequest): Credentials {
  // Twice in one query it is a list, and no token.
  const { access_token: sent } = query as Record<string, string | string[] | undefined>;
  const accessToken = Array.isArray(sent) ? "" : sent;
  return {
    authorization: headers.authorization,
    accessToken: routeOptions.config.takesTokenInQuery ? accessToken : undefined,
    session: sessionOf(headers.cookie),
  };
}

async function identify(request: FastifyRequest, deps: AccessDeps): Promise<void> {
  request.principalRevision = deps.principals.revision;
  if (isWrittenBySession(request)) requireOwnPage(request);
  request.principal = await request.server.whoAsks(request);
}

/** Whoever sent a request, with its headers' word on who asks and the tenant's policy. */
async function readAsker(request: FastifyRequest, deps: AccessDeps): Promise<Principal> {
  const principal = await request.server.whoSent(request);
  // A copy: principals are remembered between requests.
  if (principal.role === "admin") return { ...principal, requestId: request.id };
  const asks = asksOf(request);
  const policy = await deps.policies.of(principal.tenantId, principal.policyVersion ?? 0);
  return { ...principal, requestId: request.id, ...(asks && { asks }), ...(policy && { policy }) };
}

/**
 * Looks the principal up again if any change was heard while the limits were asked and the body came: another API may have
 * deleted a key or changed a tenant's settings, and its word arrives beside the next request. Put it behind `useRateLimit`.
 */
export function useFreshPrincipal(app: FastifyInstance, deps: AccessDeps): void {
  app.addHook("preValidation", async (request) => {
    if (request.principalRevision === deps.principals.revision) return;
    await identify(request, deps);
    requirePermitted(request);
  });
}

/** Who asks by the headers; null where they say nothing. Throws `request.invalid`. */
function asksOf({ headers }: FastifyRequest): NonNullable<TenantPrincipal["asks"]> | null {
  const { "bulkhead-provider": provider, "bulkhead-group": group, "bulkhead-user": user } = headers;
  if (provider === undefined && group === undefined && user === undefined) return null;
  const { value, faults: errors } = readInput(AskerHeaders, {
    "bulkhead-provider": provider,
    "bulkhead-group": group,
    "bulkhead-user": user,
  });
  if (errors !== null) {
    const detail = `The header is not valid: ${errors[0]?.path}: ${errors[0]?.message}.`;
    throw new Fault("request.invalid", { detail, errors });
  }
  return compact({
    provider: value["bulkhead-provider"],
    group: value["bulkhead-group"],
    userId: value["bulkhead-user"],
  });
}

/**
 * Calls `then` once what the request was sent with opens nothing any more: its key is deleted, or its time is over. Returns
 * what ends the watch. A key that has got another secret is looked up again: the former one may work for a while.
 */
export function watchKey(
  signals: Pick<SignalBus, "subscribe">,
  request: FastifyRequest,
  then: () => void,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  const wait = ({ goodUntil }: Principal): void => {
    clearTimeout(timer);
    if (!goodUntil) return;
    timer = setTimeout(then, Math.min(Math.max(0, goodUntil.getTime() - Date.now()), TIMER_MS_MAX));
  };
  let isOver = false;
  let looks = 0;
  const look = async (): Promise<void> => {
    looks += 1;
    const own = looks;
    try {
      const principal = await request.server.whoSent(request);
      // A look that was overtaken may tell of the time before the change.
      if (!isOver && own === looks) wait(principal);
    } catch {
      // Where nobody can tell, a reader resumes when somebody can.
      if (!isOver) then();
    }
  };
  // At once, too: the word of a change may have come since the request was identified.
  void look();
  const unsubscribe = signals.subscribe((signal) => {
    if (signal.type === "forget" && signal.kind === "key" && signal.id === request.principal.keyId)
      void look();
  });
  return () => {
    isOver = true;
    clearTimeout(timer);
    unsubscribe();
  };
}

/**
 * Every request's key must be of a role that may do what the route does, and its token, if it has one, of that operation. Needs
 * `useAuthentication`.
 */
export function usePermissions(app: FastifyInstance): void {
  app.addHook("onRequest", (request, _reply, done) => {
    requirePermitted(request);
    done();
  });
}

function requirePermitted({ principal, routeOptions }: FastifyRequest): void {
  const { action, operation = null } = routeOptions.config;
  requireOperation(principal, operation);
  if (action) requireAction(principal, action);
}
