import { basic } from "../../test/support/client.ts";
import { password } from "../../test/support/hub.ts";

/** Whoever has no answer by then (milliseconds) has none. */
export const patience = 20_000;

/** Asks as this channel, or posts as it where there is a body. Throws where no answer comes. */
export function askAs(nick: string, url: string, body?: URLSearchParams | FormData): Promise<Response> {
  const headers = { authorization: basic(`${nick}:${password}`) };
  return fetch(url, { headers, signal: AbortSignal.timeout(patience), ...(body && { method: "POST", body }) });
}
