import { ALNUM, HEX, shape, UUID, WORD } from "./vendor-shape.ts";

const SLACK = "api.slack.com/authentication/token-types";
const STRIPE = "docs.stripe.com/keys";
const SQUARE = "developer.squareup.com/docs/build-basics/access-tokens";
const POSTMAN = "learning.postman.com/docs/developer/postman-api/authentication/";

/** Payments, messages, documents and other services. */
export const SERVICES = [
  shape("slack-token", "xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xoxe- xoxc- xoxd-", "[A-Za-z0-9%-]{10,}", SLACK),
  shape("slack-app-token", "xapp-", "[A-Za-z0-9-]{20,}", SLACK),
  shape("slack-rotating-token", "xoxe.xoxp- xoxe.xoxb-", "[A-Za-z0-9-]{20,}", SLACK),
  shape(
    "slack-webhook",
    "hooks.slack.com/services/ hooks.slack.com/workflows/",
    "[A-Za-z0-9/_]{20,}",
    "api.slack.com/messaging/webhooks",
  ),
  shape(
    "discord-webhook",
    "discord.com/api/webhooks/ discordapp.com/api/webhooks/",
    `[0-9]{15,}/${WORD}{50,}`,
    "discord.com/developers/docs/resources/webhook",
  ),
  shape(
    "teams-webhook",
    "webhook.office.com/webhookb2/",
    "[A-Za-z0-9/@-]{36,}",
    "learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/",
  ),
  shape("stripe-key", "sk_live_ sk_test_ rk_live_ rk_test_ sk_prod_ rk_prod_", "[A-Za-z0-9-]{16,}", STRIPE),
  shape("stripe-webhook-secret", "whsec_", `[A-Za-z0-9+/=]{24,}`, "docs.stripe.com/webhooks"),
  shape("square-token", "sq0atp- sq0csp- sq0idp-", `${WORD}{22,}`, SQUARE),
  shape("square-access-token", "EAAA", "[A-Za-z0-9_=+-]{60,}", SQUARE),
  shape(
    "facebook-token",
    "EAAB EAAC EAAD EAAG EAAJ EAAM",
    `${ALNUM}{60,}`,
    "developers.facebook.com/docs/facebook-login/guides/access-tokens/",
  ),
  shape(
    "braintree-token",
    "access_token$production$ access_token$sandbox$",
    "[0-9a-z]{16,}\\$[0-9a-f]{32,}",
    "developer.paypal.com/braintree/docs/guides/extend/oauth/access-tokens",
  ),
  shape(
    "plaid-token",
    "access-production- access-sandbox- access-development-",
    "[0-9a-f-]{36,}",
    "plaid.com/docs/api/tokens/",
  ),
  shape(
    "flutterwave-key",
    "FLWSECK- FLWSECK_TEST-",
    `${ALNUM}{12,}`,
    "developer.flutterwave.com/docs/authentication",
  ),
  shape(
    "razorpay-key",
    "rzp_live_ rzp_test_",
    `${ALNUM}{14,}`,
    "razorpay.com/docs/payments/dashboard/account-settings/api-keys/",
  ),
  shape(
    "shopify-token",
    "shpat_ shpca_ shppa_ shpss_ shpua_",
    "[0-9a-fA-F]{32,}",
    "shopify.dev/docs/apps/build/authentication-authorization",
  ),
  shape("easypost-key", "EZAK EZTK", `${ALNUM}{54,}`, "docs.easypost.com/docs/authentication"),
  shape(
    "shippo-token",
    "shippo_live_ shippo_test_",
    "[0-9a-fA-F]{40,}",
    "docs.goshippo.com/docs/guides_general/authentication/",
  ),
  shape(
    "duffel-token",
    "duffel_live_ duffel_test_",
    "[A-Za-z0-9_=-]{43,}",
    "duffel.com/docs/api/overview/making-requests",
  ),
  shape("twilio-key", "SK", `${HEX}{32,}`, "www.twilio.com/docs/iam/api-keys"),
  shape(
    "sendgrid-key",
    "SG.",
    `${WORD}{16,}\\.${WORD}{16,}`,
    "www.twilio.com/docs/sendgrid/ui/account-and-settings/api-keys",
  ),
  shape("mailgun-key", "key-", `${ALNUM}{32,}`, "documentation.mailgun.com/docs/mailgun/api-reference/"),
  shape("brevo-key", "xkeysib- xsmtpsib-", `${WORD}{64,}`, "developers.brevo.com/docs/getting-started"),
  shape(
    "resend-key",
    "re_",
    "[A-Za-z0-9]{8,}_[A-Za-z0-9]{20,}",
    "resend.com/docs/api-reference/introduction",
  ),
  shape("linear-key", "lin_api_ lin_oauth_", `${ALNUM}{40,}`, "linear.app/developers/graphql"),
  shape("notion-token", "ntn_", `${ALNUM}{40,}`, "developers.notion.com/reference/authentication"),
  shape(
    "notion-internal-secret",
    "secret_",
    `${ALNUM}{43,}`,
    "developers.notion.com/reference/authentication",
  ),
  shape(
    "figma-token",
    "figd_ figo_ figoh_ figor_ figu_ figuh_ figur_ figp_",
    "[A-Za-z0-9_=-]{40,}",
    "www.figma.com/developers/api#access-tokens",
  ),
  shape("postman-key", "PMAK-", "[A-Za-z0-9-]{59,}", POSTMAN),
  shape("postman-collection-key", "PMAT-", "[A-Z0-9]{26,}", POSTMAN),
  shape(
    "airtable-token",
    "pat",
    `${ALNUM}{14,14}\\.${HEX}{64,}`,
    "airtable.com/developers/web/guides/personal-access-tokens",
  ),
  shape(
    "typeform-token",
    "tfp_",
    "[A-Za-z0-9_.=-]{40,}",
    "www.typeform.com/developers/get-started/personal-access-token/",
  ),
  shape(
    "contentful-token",
    "CFPAT-",
    `${WORD}{43,}`,
    "www.contentful.com/developers/docs/references/authentication/",
  ),
  shape("readme-key", "rdme_", "[a-z0-9]{70,}", "docs.readme.com/main/reference/intro/authentication"),
  shape(
    "mapbox-secret-token",
    "sk.",
    "[A-Za-z0-9_.-]{80,}",
    "docs.mapbox.com/help/dive-deeper/access-tokens/",
  ),
  shape(
    "dropbox-token",
    "sl. sl.u.",
    "[A-Za-z0-9_=-]{100,}",
    "www.dropbox.com/developers/documentation/http/documentation",
  ),
  shape("adafruit-key", "aio_", `${ALNUM}{28,}`, "io.adafruit.com/api/docs/#authentication"),
  shape(
    "frameio-token",
    "fio-u-",
    `[A-Za-z0-9_=-]{60,}`,
    "developer.frame.io/docs/getting-started/authentication",
  ),
  shape("launchdarkly-key", "sdk- api-", UUID, "launchdarkly.com/docs/home/account/api"),
  shape("jwt", "eyJ", `${WORD}{10,}\\.${WORD}{10,}\\.${WORD}{10,}`, "www.rfc-editor.org/rfc/rfc7519"),
];
