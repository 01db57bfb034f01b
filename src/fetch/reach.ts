import { isIP } from "node:net";
import { RefusedAddress } from "./fetch.ts";
import { bareHost, isPrivateHost, isWithin } from "./private-hosts.ts";

/** Who may be asked, and how. */
export type Reach = {
  /** The address in this text. Throws RefusedAddress. */
  checkUrl(text: string): URL;
  /** May the connection go to this address, which was found for that name? Throws RefusedAddress. */
  checkAddress(address: string, name: string): void;
};

/**
 * Others are asked by their names, over https, at the port for that or at one that needs no privileges. Whatever the operator
 * has named (`within`) is asked by any address, though it is private: names for what they resolve to, networks for the
 * addresses in them. `allowPrivate` says that of all hosts.
 */
export function reachOf(allowPrivate: boolean, within: readonly string[] = []): Reach {
  const isNamed = (host: string): boolean => allowPrivate || isWithin(host, within);
  return {
    checkUrl(text) {
      const url = URL.parse(text);
      if (!url || !/^https?:$/.test(url.protocol)) throw new RefusedAddress("This is not an https address");
      const host = bareHost(url.hostname);
      if (url.username !== "" || url.password !== "") throw new RefusedAddress("This address has a log-in in it");
      if (isNamed(host)) return url;
      if (isPrivateHost(host)) throw new RefusedAddress("This address is not public");
      if (url.protocol !== "https:") throw new RefusedAddress("This is not an https address");
      if (isIP(host) !== 0) throw new RefusedAddress("This address has no name");
      if (url.port !== "" && Number(url.port) < 1024) throw new RefusedAddress("This port is not asked");
      return url;
    },
    checkAddress(address, name) {
      if (isPrivateHost(address) && !isNamed(address) && !isNamed(name))
        throw new RefusedAddress("This address is not public");
    },
  };
}
