import { createHmac, randomBytes } from "node:crypto";
import { isSameSecret } from "../../domain/identity/same-secret.ts";
import { formSecret } from "../../domain/identity/site/site-settings.ts";
import { refusal } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import { readCookie, writeCookie } from "./cookies.ts";
import type { Fields } from "./fields.ts";
import type { Member } from "./page.ts";

/** Forms prove that they come from our own pages. */

const visitorCookie = "hubbub_visitor";

/** The name of the field that every form carries. */
export const tokenField = "form_security_token";

/**
 * The token for the forms of this browser: a member's belongs to the session and a channel, a visitor's is the signature of a cookie.
 * `cookie` is what to set so that the visitor has one.
 */
export async function formTokenOf(
  hub: Hub,
  request: Request,
  member: Member | undefined,
): Promise<{ token: string; cookie?: string }> {
  if (member) return { token: memberToken(member) };
  const known = readCookie(hub, request, visitorCookie);
  const value = known ?? randomBytes(18).toString("base64url");
  const token = masked(await signed(hub, value));
  return known === undefined ? { token, cookie: writeCookie(hub, visitorCookie, value) } : { token };
}

/** The token for the forms of a member: what somebody fills in as one channel is not taken for another one of theirs. */
export function memberToken({ csrfToken, channel }: Member): string {
  return `${masked(csrfToken)}${beforeChannel}${channel.channel_id}`;
}

/** Throws denied (`form_strange`) for a form without the browser's own token. */
export function checkToken(expected: string, form: Fields): void {
  if (openedAs(expected, form) !== "itself") throw refusal("form_strange");
}

/** Was a form opened by whoever sends it: in the same browser, and as the same channel? */
export function openedAs(expected: string, form: Fields): "itself" | "another channel" | "a stranger" {
  const [own = "", channel] = expected.split(beforeChannel);
  const [sent = "", sentAs] = form.text(tokenField).split(beforeChannel);
  if (own === "" || !isSameSecret(unmasked(own), unmasked(sent))) return "a stranger";
  return sentAs === channel ? "itself" : "another channel";
}

/** No sign of the secret part. */
const beforeChannel = ".";

/**
 * The token as a page shows it: other bytes each time, because pages go packed, and how long that makes them must not
 * tell anything of a secret that stays the same.
 */
function masked(token: string): string {
  const bytes = Buffer.from(token, "base64url");
  const noise = randomBytes(bytes.length);
  return Buffer.concat([noise, xor(bytes, noise)]).toString("base64url");
}

function unmasked(text: string): string {
  const bytes = Buffer.from(text, "base64url");
  const middle = bytes.length >> 1;
  return xor(bytes.subarray(middle), bytes.subarray(0, middle)).toString("base64url");
}

function xor(bytes: Buffer, others: Buffer): Buffer {
  return Buffer.from(bytes.map((byte, at) => byte ^ (others[at] ?? 0)));
}

/** Throws denied for a form that another site sent, as far as the browser says where it comes from. */
export function checkOrigin(hub: Hub, request: Request): void {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin" && site !== "none") throw refusal("form_strange");
  const origin = request.headers.get("origin");
  if (origin === null || origin === new URL(hub.config.baseUrl).origin) return;
  const host = URL.canParse(origin) ? new URL(origin).host : "";
  // People also reach the hub by another name of the machine; a page elsewhere cannot choose the Host header.
  if (host === "" || host !== request.headers.get("host")) throw refusal("form_strange");
}

async function signed(hub: Hub, value: string): Promise<string> {
  return createHmac("sha256", await formSecret(hub))
    .update(value)
    .digest("base64url");
}
