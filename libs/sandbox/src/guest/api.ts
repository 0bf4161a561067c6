import { toolConsole } from "./console.ts";
import { DateCtor } from "./primordials.ts";

/** The two calls of `api` that reach the network. */
interface NetworkCalls {
  rest: unknown;
  graphql: unknown;
}

/** The global `api` of tools. Without the permission `network` there is no `rest` and no `graphql`. */
export function buildApi(network: NetworkCalls | null): Record<string, unknown> {
  return {
    rest: network?.rest,
    graphql: network?.graphql,
    /** One line of the run's log, as `console.log`. */
    log: toolConsole.log,
    /** The current time, as a Date. */
    date: () => new DateCtor(),
  };
}
