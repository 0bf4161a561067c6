export interface PortRange {
  from: number;
  /** The first one behind it. */
  below: number;
}

/**
 * Above the ports of well-known services, below those that Kubernetes uses (from 30,000), and below those that systems
 * assign to outgoing connections (Linux from 32,768, others from 49,152).
 */
const USUAL: PortRange = { from: 20_000, below: 30_000 };
const PORTS_END = 65_536;
/** A smaller range is soon used up. */
const SIZE_MIN = 1_000;

/**
 * Ports that this system never assigns by itself. While a server restarts nobody listens at its port: the system could
 * assign any other port meanwhile, even to the very client that looks for the server, which would then meet itself.
 *
 * @param localRange `/proc/sys/net/ipv4/ip_local_port_range`, as in `32768 60999`; empty if there is none. If it leaves
 * no port, the usual ports are the answer: a caller must be ready to lose one anyway.
 */
export function quietPorts(localRange: string): PortRange {
  const [low = Infinity, high = Infinity] = /^(\d+)\s+(\d+)/u.exec(localRange)?.slice(1).map(Number) ?? [];
  const below = { ...USUAL, below: Math.min(low, USUAL.below) };
  const above = { from: Math.max(high + 1, USUAL.from), below: PORTS_END };
  return [below, above].find((range) => range.below - range.from >= SIZE_MIN) ?? USUAL;
}
