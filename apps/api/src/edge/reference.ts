import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import { rolesOf } from "@bulkhead/tenants";
import { jsonSchemaTransform, jsonSchemaTransformObject } from "fastify-type-provider-zod";
import { keepHeaders, nameHeaders } from "./answer-headers.ts";
import { inAllForms } from "./body-forms.ts";
import { operationIdOf } from "./operation-ids.ts";
import { bodyMark, tellOptionalBodies } from "./optional-bodies.ts";
import { dropUnreferenced } from "./reference-schemas.ts";
import type { ApiScope } from "./route-schema.ts";
import { documentedSchema } from "./unasked-input.ts";

/** `GET /docs` for people, `GET /docs/json` for machines. */
export async function useReference(app: ApiScope): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: { title: "Bulkhead", version: "1", description: "Runs tools that nobody should have to trust." },
      // The document is served from the same place, whatever stands before it.
      servers: [{ url: "/" }],
      components: { securitySchemes: { key: { type: "http", scheme: "bearer" } } },
      security: [{ key: [] }],
    },
    transform: (document) => {
      const asked = documentedSchema(document.schema);
      const { schema: written, url } = jsonSchemaTransform({ ...document, schema: asked });
      if (written.hide) return { schema: written, url };
      const { config, method } = document.route;
      const { body, response } = written;
      const schema = {
        ...written,
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
    theme: { title: "Bulkhead API" },
  });
}

const finish = <D extends object>(document: D): D =>
  dropUnreferenced(nameHeaders(tellOptionalBodies(document)));

const listOf = (words: readonly string[]): string =>
  new Intl.ListFormat("en", { type: "disjunction" }).format(words);
