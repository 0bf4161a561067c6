export { countTries } from "./count-tries.ts";
export { Courier, COURIER_BOUNDS } from "./courier.ts";
export { kickAfterEnds } from "./kick-after-ends.ts";
export { listDeliveries, redeliver, type DeliveryDeps } from "./deliveries.ts";
export { readCallback, type CallbackDeps } from "./read-callback.ts";
export { RETRY_PLAN } from "./retry-plan.ts";
export { rotateWebhookSecret, showWebhookSecret, type WebhookSecretDeps } from "./webhook-secret.ts";
