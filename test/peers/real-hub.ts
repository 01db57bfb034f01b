import { serveHub } from "../../src/main.ts";
import { basic } from "../support/client.ts";
import type { Authority } from "../support/authority.ts";
import { freePort } from "../support/free-port.ts";
import { makeChannel, openTestHub, password } from "../support/hub.ts";
import type { TestHub } from "../support/hub.ts";
import { strictFetch } from "../support/strict.ts";
import { openTlsProxy } from "../support/tls-proxy.ts";
import type { Channel } from "../../src/domain/identity/channels/channel.ts";

/** A hub on loopback that other servers can reach, with all its workers, at the present time. */
export type RealHub = {
  hub: TestHub;
  url: string;
  channel(nick: string, role?: Parameters<typeof makeChannel>[2]): Promise<Member>;
  close(): Promise<void>;
};

export type Member = {
  channel: Channel;
  /** Id as other servers know it. */
  id: string;
  get(path: string): Promise<any>;
  post(path: string, form: Record<string, string>): Promise<any>;
};

/** With an authority it has a name, is behind TLS, and asks others with all the rules of the Internet. */
export async function startRealHub(authority?: Authority): Promise<RealHub> {
  const [port, outer] = [await freePort(), await freePort()];
  const name = "hub.test";
  const proxy = authority && (await openTlsProxy(port, { authority, name, port: outer }));
  const url = proxy ? `https://${name}:${outer}` : `http://127.0.0.1:${port}`;
  const env = { HUBBUB_BASE_URL: url, HUBBUB_PORT: String(port) };
  const hub = await openTestHub({
    ...(proxy
      ? { env: { ...env, HUBBUB_TRUST_PROXY: "on" }, fetch: strictFetch(url) }
      : { env: { ...env, HUBBUB_ALLOW_PRIVATE: "on" } }),
    clock: new Date().toISOString(),
  });
  const running = await serveHub(hub);
  return {
    hub,
    url,
    async channel(nick, options) {
      const channel = await makeChannel(hub, nick, options);
      const ask = async (path: string, init: RequestInit = {}): Promise<any> => {
        const headers = { authorization: basic(`${nick}:${password}`) };
        const answer = await fetch(url + path, { ...init, headers });
        const text = await answer.text();
        if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${text}`);
        return JSON.parse(text);
      };
      return {
        channel,
        id: `${url}/channel/${nick}`,
        get: (path) => ask(path),
        post: (path, form) => ask(path, { method: "POST", body: new URLSearchParams(form) }),
      };
    },
    async close() {
      proxy?.close();
      await running.close();
    },
  };
}
