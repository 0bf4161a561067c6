import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import { rolesOf } from "@bulkhead/tenants";
import { jsonSchemaTransform, jsonSchemaTransformObject } from "fastify-type-provider-zod";
import type { FastifyContextConfig } from "fastify";
import { MCP_PATHS } from "../mcp/mcp-reference.ts";
import { keepHeaders, nameHeaders } from "./answer-headers.ts";
import { inAllForms } from "./body-forms.ts";
import { operationIdOf } from "./operation-ids.ts";
import { bodyMark, tellOptionalBodies } from "./optional-bodies.ts";
import { REFERENCE_SCRIPT } from "./reference-script.ts";
import { dropUnreferenced } from "./reference-schemas.ts";
import type { ApiScope } from "./route-schema.ts";
import { SESSION_COOKIE } from "./session-cookie.ts";
import { documentedSchema } from "./unasked-input.ts";

/** `GET /docs` for people, `GET /docs/json` for machines. */
export async function useReference(app: ApiScope): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: { title: "Bulkhead", version: "1", description: "Runs tools that nobody should have to trust." },
      // The document is served from the same place, whatever stands before it.
      servers: [{ url: "/" }],
      components: { securitySchemes: SECURITY_SCHEMES },
      security: BY_KEY,
    },
    transform: (document) => {
      const asked = documentedSchema(document.schema);
      const { schema: written, url: routed } = jsonSchemaTransform({ ...document, schema: asked });
      // The rest of a path is a parameter that may hold slashes.
      const url = routed.replace(/\/\*$/, "/:path");
      if (written.hide) return { schema: written, url };
      const { config, method } = document.route;
      const { body, response } = written;
      const schema = {
        ...written,
        ...securityOf(config),
        operationId: operationIdOf(String(method), document.url),
        ...(body === undefined ? {} : { body: inAllForms(body as object, config) }),
        ...(response === undefined ? {} : { response: keepHeaders(response, asked.response) }),
        ...bodyMark(asked, config),
      };
      if (!config?.action) return { schema, url };
      const roles = `For keys with the role ${listOf(rolesOf(config.action))}.`;
      const description = [roles, asked?.description ?? []].flat().join(" ");
      return { schema: { ...schema, description }, url };
    },
    // It writes every named schema twice, as requests and as answers have it (`…Input`), also where only one is used.
    transformObject: (document) => finish(jsonSchemaTransformObject(document)),
  });
  await app.register(swaggerUi, {
    routePrefix: "/docs",
    logLevel: "silent",
    theme: {
      title: "Bulkhead API",
      js: [{ filename: "follow-refs.js", content: REFERENCE_SCRIPT }],
    },
  });
}

const SECURITY_SCHEMES = {
  key: { type: "http", scheme: "bearer", description: "An API key." },
  session: {
    type: "apiKey",
    in: "cookie",
    name: SESSION_COOKIE,
    description:
      "A browser's session, from `POST /api/v1/session`. Writes also need `X-Bulkhead-Session: 1` and an `Origin` of this host.",
  },
  accessToken: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "bht_…",
    description: "An access token, from `POST /api/v1/access-tokens`.",
  },
  accessTokenInQuery: {
    type: "apiKey",
    in: "query",
    name: "access_token",
    description: "An access token, for an EventSource, which sends no header.",
  },
} as const;

const BY_KEY = [{ key: [] }, { session: [] }];

/** Nothing where keys and sessions alone are taken, as the whole document says. */
const securityOf = ({ operation, takesTokenInQuery }: FastifyContextConfig = {}): object =>
  operation === undefined
    ? {}
    : {
        security: [
          ...BY_KEY,
          { accessToken: [] },
          ...(takesTokenInQuery ? [{ accessTokenInQuery: [] }] : []),
        ],
      };

const finish = <D extends object>(document: D): D =>
  withMcp(dropUnreferenced(nameHeaders(tellOptionalBodies(document))));

/** Another protocol's endpoint, whose messages no schema of a route says. */
const withMcp = <D extends { paths?: object }>(document: D): D => ({
  ...document,
  paths: { ...document.paths, ...MCP_PATHS },
});

const listOf = (words: readonly string[]): string =>
  new Intl.ListFormat("en", { type: "disjunction" }).format(words);
