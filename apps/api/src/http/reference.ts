import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import { rolesOf } from "@bulkhead/access";
import { jsonSchemaTransform, jsonSchemaTransformObject } from "fastify-type-provider-zod";
import { dropUnreferenced } from "./reference-schemas.ts";
import type { ApiScope } from "./route-schema.ts";

/** `GET /docs` for people, `GET /docs/json` for machines. */
export async function useReference(app: ApiScope): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: { title: "Bulkhead", version: "1", description: "Runs tools that nobody should have to trust." },
      // Where it is served from, whatever stands before it.
      servers: [{ url: "/" }],
      components: { securitySchemes: { key: { type: "http", scheme: "bearer" } } },
      security: [{ key: [] }],
    },
    transform: (document) => {
      const { schema, url } = jsonSchemaTransform(document);
      const { action } = document.route.config ?? {};
      if (!action) return { schema, url };
      return {
        schema: { ...schema, description: `For keys with the role ${listOf(rolesOf(action))}.` },
        url,
      };
    },
    // It writes every named schema twice, as requests and as answers have it (`…Input`), also where only one is used.
    transformObject: (document) => dropUnreferenced(jsonSchemaTransformObject(document)),
  });
  await app.register(swaggerUi, {
    routePrefix: "/docs",
    logLevel: "silent",
    theme: { title: "Bulkhead API" },
  });
}

const listOf = (words: readonly string[]): string =>
  new Intl.ListFormat("en", { type: "disjunction" }).format(words);
