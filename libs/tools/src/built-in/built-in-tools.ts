import {
  isBuiltInToolName,
  type BuiltInToolName,
  type CapabilityFamilies,
  type CapabilityName,
  type JsonObject,
  type ProvidedAnswer,
  type ProvidedCall,
  type ProvidedTool,
  type ToolProvider,
} from "@bulkhead/core";
import type { BrowserGround } from "../browser/browser-process.ts";
import { BrowserDrawer } from "./canvas/browser-drawer.ts";
import { CANVAS_TOOLS } from "./canvas/definition.ts";
import { drawCanvas } from "./canvas/run.ts";
import { SvgDrawer } from "./canvas/svg-drawer.ts";
import { DATA_TOOLS } from "./data/definition.ts";
import { runDataTool } from "./data/run.ts";
import { FILE_TOOLS } from "./files/definition.ts";
import { runFileTool } from "./files/run.ts";
import { SHELL_TOOLS } from "./shell/definition.ts";
import { runShellTool } from "./shell/run.ts";
import { SKILL_TOOLS } from "./skills/definition.ts";
import { runSkillTool } from "./skills/run.ts";
import { MEMORY_TOOLS } from "./memory/definition.ts";
import { runMemoryTool } from "./memory/run.ts";
import { DATABASE_TOOLS } from "./database/definition.ts";
import { MESSAGE_TOOLS } from "./messages/definition.ts";
import { BROWSER_TOOLS } from "./browser/definition.ts";
import { runBrowserTool } from "./browser/run.ts";
import { runOutsideTool } from "./run-outside.ts";
import { MEDIA_TOOLS } from "./media/definition.ts";
import type { ImageDeps } from "./media/find-place.ts";
import { makeImages } from "./media/image/run.ts";
import { speak, type SpeakDeps } from "./media/speech/run.ts";
import { SCHEDULE_TOOLS } from "./schedules/definition.ts";
import { runScheduleTool } from "./schedules/run.ts";
import { NODE_TOOLS } from "./nodes/definition.ts";
import { runNodeTool } from "./nodes/run.ts";
import { GATEWAY_TOOLS } from "./gateway/definition.ts";
import { runGatewayTool } from "./gateway/run.ts";
import { WEB_TOOLS } from "./web/definition.ts";
import { PROCESS_IDLE_MS_MAX } from "./programs/bounds.ts";
import { PDF_READ_MS_MAX } from "./web/bounds.ts";
import { PageCache } from "./web/page-cache.ts";
import { PageReader } from "./web/page-reader.ts";
import { webFetch } from "./web/run.ts";
import type { SearchDeps } from "./web/search/find-engine.ts";
import { webSearch } from "./web/search/run.ts";

const DEFINITIONS: Readonly<Record<BuiltInToolName, ProvidedTool>> = {
  ...WEB_TOOLS,
  ...DATA_TOOLS,
  ...FILE_TOOLS,
  ...MEMORY_TOOLS,
  ...SHELL_TOOLS,
  ...SKILL_TOOLS,
  ...DATABASE_TOOLS,
  ...MESSAGE_TOOLS,
  ...SCHEDULE_TOOLS,
  ...NODE_TOOLS,
  ...CANVAS_TOOLS,
  ...MEDIA_TOOLS,
  ...GATEWAY_TOOLS,
  ...BROWSER_TOOLS,
};

/** The tools that come with the platform, as tools and callers are shown them. */
export const BUILT_IN_TOOLS: readonly ProvidedTool[] = Object.values(DEFINITIONS);

/** Whom tools ask that are tenants', the operator's or the machine's own. */
interface Endpoints {
  search: SearchDeps;
  images: ImageDeps;
  speech: SpeakDeps;
  /** The Chromium of this machine; null: there is none. */
  browser: BrowserGround | null;
}

type Run = (args: JsonObject, call: ProvidedCall) => Promise<ProvidedAnswer>;

/**
 * The tools that come with the platform, over these capabilities: a tool whose engine is not there is not listed. Processes are
 * started with the first pages; nothing is left when `close` has resolved.
 */
export function openBuiltInTools(
  capabilities: CapabilityFamilies,
  { search, images, speech, browser }: Endpoints,
): ToolProvider {
  const reader = new PageReader();
  const pdfs = new PageReader(PROCESS_IDLE_MS_MAX, PDF_READ_MS_MAX, "pdf");
  const canvas = {
    svg: new SvgDrawer(),
    browser: browser === null ? null : new BrowserDrawer(browser),
  };
  const web = { reader, pdfs, cache: new PageCache() };
  const hasEngine = (capability: CapabilityName): boolean => capabilities[capability] !== undefined;
  const functions: Readonly<Record<BuiltInToolName, Run>> = {
    ...runDataTool,
    web_fetch: (args, call) => webFetch(web, args, call),
    web_search: (args, call) => webSearch(search, args, call),
    ...runFileTool,
    ...runShellTool,
    ...runSkillTool,
    ...runMemoryTool,
    ...runOutsideTool,
    ...runScheduleTool,
    ...runNodeTool,
    canvas: (args, call) => drawCanvas(canvas, args, call),
    image: (args, call) => makeImages(images, args, call),
    tts: (args, call) => speak(speech, args, call),
    ...runGatewayTool,
    ...runBrowserTool,
  };
  return {
    listTools: () => BUILT_IN_TOOLS.filter((tool) => whyMissing(tool, hasEngine) === null),
    whyMissing: (name) => (isBuiltInToolName(name) ? whyMissing(DEFINITIONS[name], hasEngine) : null),
    async callTool(name, args, call) {
      if (!isBuiltInToolName(name))
        return { ok: false, code: "tool_not_found", message: `There is no tool "${name}".` };
      return functions[name](args, call);
    },
    async close() {
      await Promise.all([reader.close(), pdfs.close(), canvas.svg.close(), canvas.browser?.close()]);
    },
  };
}

/** Why a tool can't be called here, whoever asks; null where it can. */
export const whyMissing = (
  { name, capability }: Pick<ProvidedTool, "name" | "capability">,
  hasEngine: (capability: CapabilityName) => boolean,
): string | null =>
  capability === null || hasEngine(capability)
    ? null
    : `The tool "${name}" needs ${ENGINES_TOLD[capability] ?? `the engine for ${capability}`}, which this deployment doesn't have.`;

/** The engines that not every machine has, with what gives them to a deployment. */
const ENGINES_TOLD: Partial<Record<CapabilityName, string>> = {
  browser: "a worker with a Chromium that its machine can keep in (CHROMIUM, or chromium on its PATH)",
};
