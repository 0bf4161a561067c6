export { type ChatModelOptions, openChatModel } from "./chat-model.ts";
export { parseEgressAllow } from "./egress-allow.ts";
export { openEgressBroker } from "./egress-broker.ts";
export { openEmbeddings } from "./embeddings.ts";
export { openOutside, type Outside } from "./outside/open-outside.ts";
export { openEgressPolicy } from "./egress-policy.ts";
