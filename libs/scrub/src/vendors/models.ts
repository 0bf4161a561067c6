import { ALNUM, HEX, shape, trufflehog, WORD } from "./vendor-shape.ts";

const OPENAI = "platform.openai.com/docs/api-reference/authentication";

/** Vendors of language models. */
export const MODELS = [
  shape("openai-key", "sk-", `${ALNUM}{20,}`, OPENAI),
  shape("openai-project-key", "sk-proj- sk-svcacct- sk-admin- sk-None-", `${WORD}{20,}`, OPENAI),
  shape("anthropic-key", "sk-ant-", `${WORD}{20,}`, "docs.anthropic.com/en/api/overview"),
  shape(
    "openrouter-key",
    "sk-or-v1- sk-or-",
    `${ALNUM}{32,}`,
    "openrouter.ai/docs/api-reference/authentication",
  ),
  shape("langfuse-key", "sk-lf-", "[0-9a-f-]{32,}", "langfuse.com/docs/api"),
  shape(
    "langsmith-key",
    "lsv2_pt_ lsv2_sk_",
    "[0-9a-f_]{32,}",
    "docs.langchain.com/langsmith/create-account-api-key",
  ),
  shape("huggingface-token", "hf_ api_org_", `${ALNUM}{34,}`, "huggingface.co/docs/hub/security-tokens"),
  shape("replicate-token", "r8_", `${WORD}{37,}`, "replicate.com/docs/topics/security/api-tokens"),
  shape("groq-key", "gsk_", `${ALNUM}{40,}`, "console.groq.com/docs/api-reference"),
  shape("perplexity-key", "pplx-", `${ALNUM}{40,}`, "docs.perplexity.ai/guides/api-key-management"),
  shape("xai-key", "xai-", `${WORD}{70,}`, "docs.x.ai/docs/tutorial"),
  shape("elevenlabs-key", "sk_", "[0-9a-z]{32,}", "elevenlabs.io/docs/api-reference/authentication"),
  shape("pinecone-key", "pcsk_", "[A-Za-z0-9_]{50,}", "docs.pinecone.io/guides/projects/manage-api-keys"),
  shape("nvidia-key", "nvapi-", `${WORD}{60,}`, "docs.nvidia.com/ngc/latest/ngc-user-guide.html"),
  shape("sourcegraph-cody-token", "slk_", `${HEX}{64,}`, trufflehog("sourcegraphcody")),
  shape("apify-token", "apify_api_", "[A-Za-z0-9-]{36,}", "docs.apify.com/platform/integrations/api"),
  shape(
    "voiceflow-key",
    "VF. VF.DM. VF.WS.",
    "[0-9a-fA-F]{24,24}\\.[A-Za-z0-9]{16,}",
    "docs.voiceflow.com/reference/authentication",
  ),
  shape("fireworks-key", "fw_", `${ALNUM}{22,}`, "docs.fireworks.ai/api-reference/introduction"),
];
