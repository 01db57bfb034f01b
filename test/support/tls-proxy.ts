import { request } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { openAuthority } from "./authority.ts";
import type { Authority } from "./authority.ts";

/** What stands before a hub on the network: it ends TLS and hands on in the clear. */
export type TlsProxy = {
  port: number;
  /** File with the certificate that clients must trust. */
  certificate: string;
  close(): void;
};

type Place = { authority: Authority; name: string; port: number; address?: string };

/**
 * A proxy for the server on that port, at a name of its own (and an address besides 127.0.0.1); else for `localhost`, with a certificate that
 * nobody else knows. `changed` are headers that it hands on otherwise than they came.
 */
export async function openTlsProxy(
  serverPort: number,
  place?: Place,
  changed: Readonly<Record<string, string>> = {},
): Promise<TlsProxy> {
  const authority = place?.authority ?? openAuthority();
  const certified = authority.certify(...(place ? [place.name] : ["localhost", "127.0.0.1"]));
  const server = createServer(certified, (incoming, outgoing) => {
    const headers = { ...incoming.headers, "x-forwarded-proto": "https", "x-forwarded-for": "127.0.0.1", ...changed };
    const onward = request(
      { host: "127.0.0.1", port: serverPort, method: incoming.method, path: incoming.url, headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(outgoing);
      },
    );
    onward.on("error", () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(place?.port ?? 0, place?.address ?? "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    certificate: authority.file,
    close() {
      server.close();
      server.closeAllConnections();
      if (!place) authority.close();
    },
  };
}
