import type { EditorLib } from "../editor-text.ts";
import { javascriptDefaults, jsonDefaults, typescriptDefaults } from "./monaco.ts";

const CODE = [javascriptDefaults, typescriptDefaults];

/** What a tool's code may do at its top, since it is a function's body: return and await. */
const BODY = [1108, 1375, 1378];
/**
 * What is unused: the language does not look into a return at a text's top, so what is used there alone would be faded.
 */
const UNUSED = [6133, 6192, 6196, 6198, 6199];
/** Hints that ask for TypeScript, or for modules. */
const NOT_ASKED_FOR = [7043, 7044, 7045, 7046, 7047, 7048, 7049, 7050, 80001, 80004, 80005, 80006];

/** Each text is a world of its own, and has what the sandbox has: the language, no browser and no Node. */
export function setUpLanguages(): void {
  for (const defaults of CODE) {
    defaults.setCompilerOptions({
      allowJs: true,
      checkJs: true,
      allowNonTsExtensions: true,
      noEmit: true,
      target: 99,
      module: 99,
      // 3 is "force": names at a text's top are not everybody's.
      moduleDetection: 3,
      lib: ["lib.esnext.d.ts", "lib.temporal.d.ts"],
      types: [],
      // Types are taken away before the code runs, and what is more than a type has no meaning then.
      erasableSyntaxOnly: true,
    });
    defaults.setDiagnosticsOptions({ diagnosticCodesToIgnore: [...BODY, ...UNUSED, ...NOT_ASKED_FOR] });
    defaults.setEagerModelSync(true);
  }
  jsonDefaults.setDiagnosticsOptions(JSON_CHECKS);
}

const JSON_CHECKS = { validate: true, allowComments: false, schemaRequest: "ignore" } as const;

/** Adds declarations for all code, and gives what takes them away again. */
export function addLibs(libs: readonly EditorLib[]): () => void {
  const added = CODE.flatMap((defaults) =>
    libs.map(({ path, text }) => defaults.addExtraLib(text, `file:///libs/${path}`)),
  );
  return () => {
    for (const lib of added) lib.dispose();
  };
}

/** The schemas of the texts that have one, by the text's address. */
const schemas = new Map<string, object | "json-schema">();

/** Draft 7 of JSON Schema itself, which the JSON language knows. */
const META_SCHEMA = "http://json-schema.org/draft-07/schema#";

/** Holds a JSON text against a schema, or lets it be anything. */
export function setSchema(address: string, schema: object | "json-schema" | null): void {
  if (schema === (schemas.get(address) ?? null)) return;
  if (schema === null) schemas.delete(address);
  else schemas.set(address, schema);
  jsonDefaults.setDiagnosticsOptions({
    ...JSON_CHECKS,
    schemas: [...schemas].map(([of, held]) =>
      held === "json-schema"
        ? { uri: META_SCHEMA, fileMatch: [of] }
        : { uri: `${of}.schema`, fileMatch: [of], schema: held },
    ),
  });
}
