import { answerOf } from "./answer.ts";
import { ask } from "./ask.ts";
import type { Connections } from "./connections.ts";
import { RefusedAddress, UnusableAnswer } from "./fetch.ts";
import type { FetchOptions, Outgoing } from "./fetch.ts";
import { headerSeconds, limitsOf, mostRedirects } from "./purposes.ts";
import type { Reach } from "./reach.ts";
import { Time } from "./time.ts";

/** How requests go out, whoever makes them. */
export type Way = { connections: Connections; reach: Reach; userAgent: string };

/** Asks, and follows redirects where nothing was sent: each hop is checked, and signed, like the first one. */
export async function follow(way: Way, url: string, options: FetchOptions): Promise<Response> {
  const limits = limitsOf[options.purpose ?? "document"];
  const time = new Time(limits.seconds, options.signal);
  try {
    let request = firstOf(way, url, options);
    for (let redirects = 0; redirects <= mostRedirects; redirects++) {
      const signature = await options.sign?.(request);
      const signed = { ...request, headers: { ...request.headers, ...signature } };
      const answer = await ask(way.connections, way.reach, signed, {
        time,
        patience: limits.patience ?? headerSeconds,
      });
      const next = nextOf(request, answer.statusCode ?? 0, answer.headers.location);
      if (!next) {
        answer.once("close", () => time.end());
        return await answerOf(answer, request.url, limits);
      }
      answer.destroy();
      request = next;
    }
    throw new RefusedAddress("There are too many redirects");
  } catch (error) {
    time.end();
    if (error instanceof RefusedAddress || error instanceof UnusableAnswer) throw error;
    throw new Error(`${new URL(url).hostname} does not answer`, { cause: error });
  }
}

function firstOf(
  { userAgent }: Way,
  url: string,
  { method = "GET", headers, body, stream, purpose }: FetchOptions,
): Outgoing {
  const packed = purpose === "media" || purpose === "import" || purpose === "archive" ? "identity" : "gzip, br";
  return {
    method,
    url,
    headers: { "accept-encoding": packed, ...headers, "user-agent": userAgent },
    ...(stream && { stream }),
    ...(body !== undefined && { body: typeof body === "string" ? Buffer.from(body) : body }),
  };
}

/** Undefined where the answer is to be taken as it is. What was meant for one server is not told to another. */
function nextOf(request: Outgoing, status: number, location: string | undefined): Outgoing | undefined {
  const reads = request.method === "GET" || request.method === "HEAD";
  if (!reads || ![301, 302, 303, 307, 308].includes(status) || location === undefined) return undefined;
  if (!URL.canParse(location, request.url)) throw new RefusedAddress("The redirect leads nowhere");
  const next = new URL(location, request.url);
  const stays = next.origin === new URL(request.url).origin;
  const headers = Object.entries(request.headers).filter(([name]) => stays || !/^(authorization|cookie)$/i.test(name));
  return { ...request, url: next.href, headers: Object.fromEntries(headers) };
}
