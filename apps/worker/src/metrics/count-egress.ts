import type { EgressAnswer, EgressBroker, EgressRefusal, EgressSession } from "@bulkhead/core";
import { countBy, type Meter } from "@bulkhead/process/telemetry";

/** The outcomes of unanswered requests: the network's and the upstream's faults, and our own refusals. */
const OUTCOMES = {
  failed: "failed",
  timeout: "timeout",
  aborted: "aborted",
  egress_denied: "refused",
  network_limit: "refused",
  invalid_request: "refused",
} as const satisfies Record<EgressRefusal, string>;

/** The broker, with every request counted by its outcome, and every refusal by its reason. */
export function countEgress(broker: EgressBroker, meter: Meter): EgressBroker {
  const requests = countBy(meter, "bulkhead_egress_requests_total");
  const refused = countBy(meter, "bulkhead_egress_refused_total");
  const count = (answer: EgressAnswer): EgressAnswer => {
    const outcome = answer.ok ? "answered" : OUTCOMES[answer.code];
    requests(outcome);
    if (!answer.ok && outcome === "refused") refused(answer.code);
    return answer;
  };
  /** The session is new and used by this caller alone: its other methods stay as they are. */
  const counted = (session: EgressSession): EgressSession => {
    const fetch = session.fetch.bind(session);
    const withSecrets = session.withSecrets.bind(session);
    session.fetch = (request, signal, bodyId) => fetch(request, signal, bodyId).then(count);
    session.withSecrets = (...others) => counted(withSecrets(...others));
    return session;
  };
  return {
    open: (opening) => counted(broker.open(opening)),
    close: () => broker.close(),
  };
}
