import { ALNUM, BASE64, GITLEAKS, HEX, shape, trufflehog, WORD } from "./vendor-shape.ts";

/** Customers' records, campaigns, messages, analytics and offices. */
export const AUDIENCES = [
  shape(
    "salesforce-consumer-key",
    "3MVG9",
    "[0-9A-Za-z._+/=]{80,}",
    "help.salesforce.com/s/articleView?id=xcloud.connected_app_rotate_consumer_details.htm",
  ),
  shape("salesforce-refresh-token", "5AEP861", "[A-Za-z0-9._=]{80,}", trufflehog("salesforcerefreshtoken")),
  shape(
    "hubspot-token",
    "pat-na1- pat-na2- pat-eu1-",
    "[A-Za-z0-9-]{36,}",
    "developers.hubspot.com/docs/guides/apps/private-apps/overview",
  ),
  shape(
    "zoho-token",
    "1000.",
    `${HEX}{32,32}\\.${HEX}{32,}`,
    "www.zoho.com/crm/developer/docs/api/v8/oauth-overview.html",
  ),
  shape("close-key", "api_", "[A-Za-z0-9.]{45,}", "developer.close.com/topics/authentication/"),
  shape("klaviyo-key", "pk_", "[0-9a-z]{34,}", "developers.klaviyo.com/en/docs/authenticate_"),
  shape(
    "klaviyo-account-key",
    "pk_",
    `${ALNUM}{6,6}_${HEX}{34,}`,
    "developers.klaviyo.com/en/docs/authenticate_",
  ),
  shape("clickup-token", "pk_", "[0-9]{5,12}_[0-9A-Z]{32,}", "developer.clickup.com/docs/authentication"),
  shape("courier-key", "pk_prod_ pk_test_", "[0-9A-Z]{28,}", "www.courier.com/docs/reference/authentication"),
  shape("teamwork-token", "tkn.v1_", `${BASE64}{70,}`, "apidocs.teamwork.com/guides/teamwork/authentication"),
  shape("posthog-key", "phx_ phs_", "[A-Za-z0-9_]{40,}", "posthog.com/docs/api"),
  shape("pubnub-secret-key", "sec-c-", `${WORD}{36,}`, "www.pubnub.com/docs/general/security/access-control"),
  shape(
    "telnyx-key",
    "KEY",
    "[0-9A-Za-z]{32,32}_[A-Za-z0-9]{22,}",
    "developers.telnyx.com/docs/development/authentication",
  ),
  shape("smooch-key", "act_", "[0-9a-z]{24,}", trufflehog("smooch")),
  shape("bannerbear-key", "bb_pr_ bb_ma_", `${HEX}{30,}`, "developers.bannerbear.com/#authentication"),
  shape("adobe-client-secret", "p8e-", `${ALNUM}{32,}`, GITLEAKS),
  shape("intra42-secret", "s-s4t2ud- s-s4t2af-", `${HEX}{64,}`, GITLEAKS),
  shape("shutterstock-token", "v2/", `${ALNUM}{300,}`, trufflehog("shutterstockoauth")),
  shape("jwt-in-base64", "ZXlK", `${BASE64}{60,}`, GITLEAKS),
  shape("zapier-webhook", "hooks.zapier.com/hooks/catch/", "[A-Za-z0-9/]{12,}", trufflehog("zapierwebhook")),
];
