import type { CreatePairingCodeBody, DeviceSummary, UpdateDeviceBody } from "@bulkhead/client";
import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { api } from "./api.ts";

const PAGE_SIZE = 60;
/** A person who has a code before them waits for the machine: only then, and for ten minutes at most, is it looked for. */
const PAIRING_LOOK_MS = 3_000;

export interface DeviceFilters {
  q?: string | undefined;
  online?: "true" | "false" | undefined;
}

/** Devices page by page, newest first. No event tells of them: whoever comes back, or asks, sees them as they are. */
export const useDevices = (filters: DeviceFilters) =>
  useInfiniteQuery({
    queryKey: ["devices", "list", filters],
    staleTime: 0,
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) =>
      await api.devices.list({ ...filters, limit: PAGE_SIZE, cursor: pageParam }, { signal }),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  });

/** One device; one that is about to be removed is not asked for again. */
export const useDevice = (id: string, isGoing: boolean) =>
  useQuery({
    queryKey: ["devices", "one", id],
    enabled: !isGoing,
    staleTime: 0,
    queryFn: ({ signal }) => api.devices.get(id, { signal }),
  });

/** The device that came by a code of this key since then; undefined: none yet. */
export const usePairedSince = (keyId: string, since: string | undefined) =>
  useQuery<DeviceSummary | null>({
    queryKey: ["devices", "paired", keyId, since],
    enabled: since !== undefined,
    gcTime: 0,
    refetchInterval: ({ state }) => (state.data == null ? PAIRING_LOOK_MS : false),
    queryFn: async ({ signal }) => {
      const { devices } = await api.devices.list({ limit: 1 }, { signal });
      const [newest] = devices;
      return newest !== undefined && newest.pairedBy === keyId && newest.createdAt > (since as string)
        ? newest
        : null;
    },
  });

const useDeviceChange = <Input, Answer>(
  change: (input: Input) => PromiseLike<Answer>,
  queryKey: readonly string[] = ["devices"],
) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (input: Input) => await change(input),
    onSettled: () => client.invalidateQueries({ queryKey }),
    // A code that was shown is kept nowhere behind it.
    gcTime: 0,
  });
};

/** With the moment from which on a device may have come by it: the newest one that is there is older. */
export const useMakeCode = () =>
  useDeviceChange(async (body: CreatePairingCodeBody) => {
    const { devices } = await api.devices.list({ limit: 1 });
    const made = await api.devices.code(body);
    return { ...made, since: devices[0]?.createdAt ?? "" };
  });

export const useUpdateDevice = (id: string) =>
  useDeviceChange((body: UpdateDeviceBody) => api.devices.update(id, body));

/** Its record, which may still show, doesn't ask for it again. */
export const useRemoveDevice = () =>
  useDeviceChange((id: string) => api.devices.delete(id), ["devices", "list"]);
