import { BulkheadError } from "@bulkhead/client";
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { isLoggedOut } from "./api.ts";
import { onTurn, sessionEnded } from "./session.ts";

const leaveIfOver = (error: unknown): void => {
  if (isLoggedOut(error)) sessionEnded();
};

/** The client tries again by itself; what it gave up is for the person to try. Live events tell what has changed. */
export const queries = new QueryClient({
  queryCache: new QueryCache({ onError: leaveIfOver }),
  mutationCache: new MutationCache({ onError: leaveIfOver }),
  defaultOptions: {
    queries: { retry: false, staleTime: Infinity, refetchOnWindowFocus: false },
    mutations: { retry: false },
  },
});

// The next one may be of another tenant.
onTurn(() => queries.clear());

declare module "@tanstack/react-query" {
  interface Register {
    defaultError: BulkheadError;
  }
}
