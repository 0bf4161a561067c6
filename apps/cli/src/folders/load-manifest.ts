import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { checkToolCode } from "./check-tool-code.ts";
import { folderName } from "./find-units.ts";
import { keptOrMade, type Loaded } from "./kept-tools.ts";
import { loadModule } from "./load-module.ts";
import type { ModuleDeps } from "./module-source.ts";
import { filesOf, type ManifestTool, readManifestFolder } from "./read-manifest-folder.ts";
import { sourceOf } from "./source-of.ts";
import { placeFinder } from "./tool-code.ts";

/** The tool of a folder with a manifest, of which a module is bundled first. */
export async function loadManifest(deps: ModuleDeps, folder: string): Promise<Loaded> {
  let bundled: ManifestTool | null = null;
  const asked = { id: ["manifest", folder], given: [], resolveDir: join(deps.root, folder) };
  const loaded = await keptOrMade(deps, asked, async (tell) => {
    const started = performance.now();
    const on = await filesOf(join(deps.root, folder));
    const found = await readManifestFolder(deps.root, folder, folderName(deps.root, folder), tell);
    const made = { files: found === null ? [] : [join(deps.root, found.file)], dependsOn: () => on };
    if (found?.module != null) bundled = found;
    if (found === null || found.module !== null) return { ...made, tools: null };
    const { record, file } = found;
    const from = { file, export: null };
    const placeOf = placeFinder(null, { root: deps.root, resolveDir: asked.resolveDir }, file);
    const wrong = await checkToolCode(deps.stripper, record, from, placeOf, record.code);
    for (const fault of wrong) tell(fault);
    if (wrong.length > 0) return { ...made, tools: null };
    const tool = {
      record,
      from,
      packages: [],
      durationMs: performance.now() - started,
      placeOf,
      places: null,
    };
    return { ...made, tools: [tool] };
  });
  if (bundled === null) return loaded;
  const { record, file } = bundled as ManifestTool;
  return loadModule(deps, { ...(await sourceOf(deps, file, { from: "main" })), record });
}
