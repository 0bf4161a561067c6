/**
 * A module that is run on its first touch and kept. Most tools touch few of the globals, and every run has a context of
 * its own to fill; compiled is each module once for an isolate, since the guest is one script.
 */
export function lazily<Module>(load: () => Module): () => Module {
  let module: Module | undefined;
  return () => (module ??= load());
}
