import { ALNUM, BASE64, HEX, shape, WORD } from "./vendor-shape.ts";

const AWS = "docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html";
const AZURE_STORAGE = "learn.microsoft.com/azure/storage/common/storage-configure-connection-string";
const DIGITALOCEAN = "docs.digitalocean.com/reference/api/create-personal-access-token/";

/** Clouds, networks, databases and what watches over them. */
export const CLOUDS = [
  shape("aws-access-key-id", "AKIA ASIA ABIA ACCA", "[A-Z0-9]{16,}", AWS),
  shape(
    "aws-bedrock-key",
    "ABSK",
    `${BASE64}{100,}`,
    "docs.aws.amazon.com/bedrock/latest/userguide/api-keys.html",
  ),
  shape("google-api-key", "AIza", `${WORD}{35,}`, "cloud.google.com/docs/authentication/api-keys"),
  shape("google-oauth-secret", "GOCSPX-", `${WORD}{28,}`, "developers.google.com/identity/protocols/oauth2"),
  shape(
    "google-oauth-token",
    "ya29.",
    "[A-Za-z0-9_.-]{20,}",
    "cloud.google.com/docs/authentication/token-types",
  ),
  shape("azure-storage-key", "AccountKey=", `${BASE64}{44,}`, AZURE_STORAGE),
  shape(
    "alibaba-access-key",
    "LTAI",
    `${ALNUM}{16,}`,
    "www.alibabacloud.com/help/en/ram/user-guide/create-an-accesskey-pair",
  ),
  shape("tencent-secret-id", "AKID", `${ALNUM}{32,}`, "www.tencentcloud.com/document/product/598/34227"),
  shape(
    "yandex-cloud-key",
    "AQVN",
    `${WORD}{35,}`,
    "yandex.cloud/en/docs/iam/concepts/authorization/api-key",
  ),
  shape("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", `${HEX}{64,}`, DIGITALOCEAN),
  shape("scalingo-token", "tk-us-", `${WORD}{48,}`, "developers.scalingo.com/tokens"),
  shape(
    "cloudflare-token",
    "cfk_ cfut_ cfat_",
    `${WORD}{40,}`,
    "developers.cloudflare.com/fundamentals/api/get-started/token-formats/",
  ),
  shape(
    "cloudflare-origin-ca-key",
    "v1.0-",
    `${HEX}{24,}-${HEX}{146,}`,
    "developers.cloudflare.com/fundamentals/api/get-started/ca-keys/",
  ),
  shape("tailscale-key", "tskey-", "[A-Za-z0-9-]{20,}", "tailscale.com/kb/1277/key-prefixes"),
  shape("supabase-token", "sbp_", `${HEX}{40,}`, "supabase.com/docs/reference/api/introduction"),
  shape("supabase-secret-key", "sb_secret_", `${WORD}{31,}`, "supabase.com/docs/guides/api/api-keys"),
  shape(
    "planetscale-token",
    "pscale_tkn_ pscale_pw_ pscale_oauth_",
    "[A-Za-z0-9_.=-]{32,}",
    "planetscale.com/docs/api/reference/service-tokens",
  ),
  shape("neon-key", "napi_", "[a-z0-9]{60,}", "neon.com/docs/manage/api-keys"),
  shape("databricks-token", "dapi", `${HEX}{32,}`, "docs.databricks.com/aws/en/dev-tools/auth/pat"),
  shape(
    "grafana-token",
    "glsa_ glc_",
    "[A-Za-z0-9+/=_]{32,}",
    "grafana.com/docs/grafana/latest/administration/service-accounts/",
  ),
  shape(
    "datadog-token",
    "ddapp_ ddapi_",
    `${ALNUM}{34,}`,
    "docs.datadoghq.com/account_management/api-app-keys/",
  ),
  shape(
    "new-relic-key",
    "NRAK- NRII- NRRA- NRIQ- NRSP-",
    `${WORD}{24,}`,
    "docs.newrelic.com/docs/apis/intro-apis/new-relic-api-keys/",
  ),
  shape(
    "new-relic-browser-key",
    "NRJS-",
    `${HEX}{19,}`,
    "docs.newrelic.com/docs/apis/intro-apis/new-relic-api-keys/",
  ),
  shape(
    "sentry-token",
    "sntrys_ sntryu_ sntrya_ sntryi_",
    `[A-Za-z0-9+/=_-]{40,}`,
    "docs.sentry.io/account/auth-tokens/",
  ),
  shape(
    "dynatrace-token",
    "dt0c01. dt0s01. dt0s02. dt0s16.",
    "[A-Z0-9]{8,}\\.[A-Z0-9]{40,}",
    "docs.dynatrace.com/docs/manage/identity-access-management/access-tokens-and-oauth-clients/access-tokens",
  ),
  shape(
    "honeycomb-key",
    "hcaik_ hcbik_ hcamk_",
    "[A-Za-z0-9]{26,}",
    "docs.honeycomb.io/configure/environments/manage-api-keys/",
  ),
  shape("pagerduty-key", "pdus+", "[A-Za-z0-9_+-]{16,}", "support.pagerduty.com/main/docs/api-access-keys"),
];
