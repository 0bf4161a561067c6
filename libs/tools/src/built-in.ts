export { BUILT_IN_TOOLS, openBuiltInTools, whyMissing } from "./built-in/built-in-tools.ts";
export { asToolCall } from "./built-in/as-tool-call.ts";
export { openData } from "./built-in/data/capability.ts";
export { NO_ENGINE } from "./built-in/web/search/find-engine.ts";
export { NO_IMAGE_SERVICE, NO_SPEECH_SERVICE } from "./built-in/media/find-place.ts";
export { openSpeechProgram } from "./built-in/media/speech/speech-program.ts";
export { judgeTenantCommand } from "./built-in/shell/command-threads.ts";
export { decideCommand } from "./built-in/shell/judge/judged-command.ts";
export { renderCommand } from "./built-in/shell/template/render-command.ts";
export { openFiles } from "./built-in/files/capability.ts";
export { openShell } from "./built-in/shell/capability.ts";
export { openBrowser } from "./built-in/browser/capability.ts";
export { Browsers } from "./browser/browsers.ts";
export { findBrowser, type FoundBrowser, whereKeptIn } from "./browser/find-browser.ts";
export {
  type BrowserGround,
  BrowserMissingError,
  type BrowserProcess,
  startBrowser,
} from "./browser/browser-process.ts";
export { BackgroundCommands } from "./shell/background-commands.ts";
export { openShells } from "./shell/open-shells.ts";
export { openMemory } from "./built-in/memory/capability.ts";
export { openDatabases } from "./built-in/database/capability.ts";
export { openMessages } from "./built-in/messages/capability.ts";
export { DeviceAsker } from "./built-in/nodes/ask-device.ts";
export { openNodes } from "./built-in/nodes/capability.ts";
export { readScheduleRequest } from "./built-in/schedules/requests.ts";
export { SHOWN_ARGUMENTS_BYTES_MAX } from "./built-in/schedules/bounds.ts";
export {
  GATEWAY_OPERATIONS,
  GATEWAY_OPERATION_NAMES,
  GATEWAY_ROLES,
  isGatewayOperation,
  type GatewayAsked,
  type GatewayOperation,
} from "./built-in/gateway/operations.ts";
