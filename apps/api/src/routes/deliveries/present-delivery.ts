import type { Delivery, WebhookGenerations } from "@bulkhead/core";

/** A delivery as outsiders see it. */
export const presentDelivery = ({ n, url, status, tries, nextTryAt }: Delivery) => ({
  n,
  url,
  status,
  attempts: tries.map((one) => ({
    at: one.at.toISOString(),
    status: one.status ?? undefined,
    error: one.error ?? undefined,
    location: one.location ?? undefined,
    ms: one.ms ?? undefined,
  })),
  nextAttemptAt: nextTryAt?.toISOString(),
});

export const presentWebhookSecret = ({
  secret,
  current,
  retiring,
}: WebhookGenerations & { secret: string }) => ({
  secret,
  generation: current,
  retiring: retiring.map(({ generation, signsUntil }) => ({
    generation,
    signsUntil: signsUntil.toISOString(),
  })),
});
