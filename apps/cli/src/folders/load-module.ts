import { keptOrMade, type Loaded } from "./kept-tools.ts";
import { dependsOn, newLookedAt } from "./looked-at.ts";
import { makeModule } from "./make-module.ts";
import type { ModuleDeps, ModuleSource } from "./module-source.ts";
import { packageFolder } from "./read-lock.ts";

/** The tools of a module; what keeps one from being a tool is told, and stops no other. */
export function loadModule(deps: ModuleDeps, source: ModuleSource): Promise<Loaded> {
  const { specifier, file, text, resolveDir, choice, record } = source;
  const asked = { id: [specifier, file, resolveDir, choice], given: [text, record ?? null], resolveDir };
  return keptOrMade(deps, asked, async (tell) => {
    const looked = newLookedAt();
    const tools = await makeModule({ ...deps, tell }, source, looked);
    // One that can't be bundled may be mended in a file that it imports, or by one that is not there yet.
    const own = [...looked.files].filter((path) => packageFolder(path) === null);
    return { tools, files: [...own, ...looked.sought], dependsOn: () => dependsOn(looked) };
  });
}
