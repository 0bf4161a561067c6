import { ALNUM, GITLEAKS, HEX, shape, trufflehog, UUID, WORD } from "./vendor-shape.ts";

/** Payments, banks, shops and shipping. */
export const COMMERCE = [
  shape(
    "stripe-client-secret",
    "pi_ seti_",
    `${ALNUM}{24,32}_secret_${ALNUM}{20,}`,
    "docs.stripe.com/api/payment_intents/object#payment_intent_object-client_secret",
  ),
  shape(
    "checkout-key",
    "sk_ sk_sbox_",
    UUID,
    "www.checkout.com/docs/developer-resources/api/api-authentication/api-keys",
  ),
  shape("pagarme-key", "ak_live_ ak_test_", `${ALNUM}{30,}`, "docs.pagar.me/reference/autenticacao-2"),
  shape(
    "gocardless-token",
    "live_ sandbox_",
    "[A-Za-z0-9_=-]{40,}",
    "developer.gocardless.com/api-reference/#api-usage-making-requests",
  ),
  shape("lob-key", "live_ test_", `${ALNUM}{27,}`, "docs.lob.com/#tag/Authentication"),
  shape("ramp-secret", "ramp_sec_", `${ALNUM}{48,}`, "docs.ramp.com/developer-api/v1/authorization"),
  shape("robinhood-crypto-key", "rh-api-", UUID, "docs.robinhood.com/crypto/trading/"),
  shape("flexport-token", "shltm_", `${WORD}{40,}`, trufflehog("flexport")),
  shape("fleetbase-key", "flb_live_ flb_test_", `${ALNUM}{20,}`, trufflehog("fleetbase")),
  shape("finage-key", "API_KEY", "[0-9A-Z]{32,}", trufflehog("finage")),
  shape("ticket-tailor-key", "sk_", `[0-9]{4,8}_[0-9]{6,8}_${HEX}{32,}`, trufflehog("tickettailor")),
  shape("besttime-key", "pri_", `${HEX}{32,}`, trufflehog("besttime")),
  shape("settlemint-token", "sm_aat_ sm_pat_ sm_sat_", `${ALNUM}{16,}`, GITLEAKS),
];
