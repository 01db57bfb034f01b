import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import type { IncomingHttpHeaders, Server } from "node:http";
import { text } from "node:stream/consumers";

/** A receiver of webhooks of Hubbub, or of anything that signs by Standard Webhooks (docs/webhooks.md). */

/** Requests may be so many seconds old, or early where clocks differ. */
const mostSeconds = 300;

/**
 * Whether a request was signed with this secret. It has two signatures while its webhook changes from one secret to another, and one that fits is
 * enough: so the secret here may be changed at any time within that day.
 */
export function isSigned(secret: string, headers: IncomingHttpHeaders, body: string, now = Date.now()): boolean {
  const { "webhook-id": name, "webhook-timestamp": seconds, "webhook-signature": signatures } = headers;
  if (!name || !signatures || !(Math.abs(now / 1000 - Number(seconds)) <= mostSeconds)) return false;
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const mac = createHmac("sha256", key)
    .update(`${name as string}.${seconds as string}.${body}`)
    .digest("base64");
  return (signatures as string).split(" ").some((signature) => isSame(signature, `v1,${mac}`));
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

type Event = { type: string; timestamp: string; data: unknown };

/** Listens, and hands on each event once, however often it is told. A program that may be restarted keeps the names in a file. */
export function receive(secret: string, take: (event: Event) => void): Server {
  const taken = new Set<string>();
  return createServer((request, response) => {
    text(request)
      .then((body) => {
        if (!isSigned(secret, request.headers, body)) return response.writeHead(401).end();
        const name = request.headers["webhook-id"] as string;
        if (!taken.has(name)) take(JSON.parse(body) as Event);
        taken.add(name);
        return response.writeHead(204).end();
      })
      .catch((error: Error) => response.destroy(error));
  });
}

if (import.meta.main) {
  const print = ({ type, timestamp }: Event): void => void process.stdout.write(`${timestamp} ${type}\n`);
  receive(process.env["HUBBUB_WEBHOOK_SECRET"]!, print).listen(9000, "127.0.0.1");
}
