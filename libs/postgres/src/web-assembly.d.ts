// What schema-engine.ts uses of WebAssembly; its types otherwise come only with those of a browser.
declare namespace WebAssembly {
  type SchemaEngineExports = { __wbindgen_start(): void };
  function instantiate(
    code: Uint8Array,
    imports: Record<string, object>,
  ): Promise<{ instance: { exports: SchemaEngineExports } }>;
}
