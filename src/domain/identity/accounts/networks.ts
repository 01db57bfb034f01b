import { isIPv6 } from "node:net";

/** Who is counted as one: an IPv4 address, or the /64 of an IPv6 address, since one house has all of it. */
export function networkOf(address: string): string {
  if (!address.includes(":")) return address;
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  if (mapped !== undefined) return mapped;
  const [plain = ""] = address.split("%");
  if (!isIPv6(plain)) return address;
  const [head = [], tail] = plain.split("::").map((part) => part.split(":").filter((group) => group !== ""));
  const zeros = tail ? Array<string>(Math.max(0, 8 - head.length - tail.length)).fill("0") : [];
  const groups = [...head, ...zeros, ...(tail ?? [])].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/64`;
}
