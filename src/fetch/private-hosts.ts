import { BlockList, isIP } from "node:net";

/** Networks that are not the public Internet (the registries of special-purpose addresses, RFC 6890). */
const privateNetworks = listOf("ipv4", [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
]);

/** Of version 6 only the addresses that are given out to the world are public, without those that hold one of version 4. */
const publicNetwork = listOf("ipv6", [["2000::", 3]]);
const tunnels = listOf("ipv6", [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
]);

/** What is no address counts as one. */
function isPrivateAddress(address: string): boolean {
  const bare = address.replace(/%.*$/, "");
  switch (isIP(bare)) {
    case 4:
      return privateNetworks.check(bare, "ipv4");
    case 6:
      return !publicNetwork.check(bare, "ipv6") || tunnels.check(bare, "ipv6");
    default:
      return true;
  }
}

/** Is this host or address inside somebody's own network? Names that only resolve to such addresses are found out when connecting. */
export function isPrivateHost(hostname: string): boolean {
  const host = bareHost(hostname).replace(/\.$/, "");
  if (isIP(host) !== 0) return isPrivateAddress(host);
  return !host.includes(".") || /(^|\.)(localhost|local|internal|home\.arpa|onion)$/i.test(host);
}

/** Is the host one of these, or the address in one of these networks? */
export function isWithin(hostname: string, within: readonly string[]): boolean {
  const host = bareHost(hostname).replace(/\.$/, "").toLowerCase();
  const version = isIP(host);
  if (version === 0) return within.includes(host);
  const list = new BlockList();
  for (const [address = "", length] of within.map((entry) => entry.split("/"))) {
    const of = isIP(address);
    if (of !== 0) list.addSubnet(address, Number(length ?? (of === 4 ? 32 : 128)), of === 4 ? "ipv4" : "ipv6");
  }
  return list.check(host, version === 4 ? "ipv4" : "ipv6");
}

/** The host without the brackets that addresses of version 6 have in URLs. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, "");
}

/** Made once: that takes longer than many requests. */
function listOf(type: "ipv4" | "ipv6", networks: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [network, length] of networks) list.addSubnet(network, length, type);
  return list;
}
