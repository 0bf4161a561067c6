import { newPlaceholder } from "@bulkhead/core";

/** Values that a dry run is given in place of one service's: recognisable wherever it sends them. */
export interface StandIn {
  service: string;
  secret: string;
  baseUrl: string;
}

/** No name below it resolves anywhere (RFC 6761). */
const NOWHERE = "dry-run.invalid";

/** The secrets look like any run's placeholders: code that could tell a dry run by them could behave in it. */
export const standInsFor = (services: readonly string[]): StandIn[] =>
  services.map((service, at) => ({
    service,
    secret: newPlaceholder(),
    baseUrl: `https://s${at}.${NOWHERE}`,
  }));

/** The services as a run is told of them. */
export const configJsonOf = (standIns: readonly StandIn[]): string =>
  JSON.stringify({
    services: Object.fromEntries(
      standIns.map(({ service, secret, baseUrl }) => [
        service,
        { entries: [{ label: "dry run", isDefault: true, data: { api_key: secret, base_url: baseUrl } }] },
      ]),
    ),
  });

/** The services whose values are on their way out in `sent`. */
export const servicesIn = (standIns: readonly StandIn[], sent: string): string[] =>
  standIns
    .filter(({ secret, baseUrl }) => sent.includes(secret) || sent.includes(`${baseUrl}/`))
    .map(({ service }) => service);
