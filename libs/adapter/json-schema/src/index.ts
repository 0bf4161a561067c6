export { openSchemaChecker, type SchemaCheckerOptions } from "./schema-checker.ts";
