// The types of WebAssembly that schema-engine.ts uses; they otherwise come only with those of a browser.
declare namespace WebAssembly {
  type SchemaEngineExports = { __wbindgen_start(): void };
  function instantiate(
    code: Uint8Array,
    imports: Record<string, object>,
  ): Promise<{ instance: { exports: SchemaEngineExports } }>;
}
