export { openSchemaChecker } from "./schema-check/schema-checker.ts";
