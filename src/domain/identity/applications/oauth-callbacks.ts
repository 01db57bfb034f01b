import { refusal } from "../../../errors.ts";
import { OauthProblem } from "./oauth-problems.ts";

/** Stands for a callback where the person types a code into the application. */
export const outOfBand = "oob";

const longest = 2000;
/** What browsers open themselves; every other scheme is that of an application. */
const forbiddenSchemes: readonly string[] = "about blob data file filesystem javascript vbscript view-source".split(
  " ",
);

/**
 * Where the browser goes after consent, in the form in which browsers write it; `oob` when it goes nowhere. A client with
 * a registered address gets that address, or one below it, and no other, and no code to type either (decision 23).
 */
export function callbackFor(registered: string, asked: string): string {
  const wanted = asked.trim() || registered || outOfBand;
  if (wanted === outOfBand && registered === "") return outOfBand;
  const href = wanted === outOfBand ? undefined : readAddress(wanted);
  const allowed = href !== undefined && (registered === "" || isBelow(href, readAddress(registered)));
  if (!allowed) throw new OauthProblem("invalid", "callback_rejected", "Callback not allowed");
  return href;
}

/** The callback of a client as it is stored; empty for a client that names one with each request. */
export function readRedirect(text: string): string {
  const redirect = text.trim();
  if (redirect === "" || redirect === outOfBand) return "";
  const href = readAddress(redirect);
  if (href === undefined) throw refusal("callback_wrong");
  return href;
}

/** The callback with what the application is to learn. */
export function withAnswer(callback: string, answer: Readonly<Record<string, string>>): string {
  const [address, fragment] = splitAt(callback, "#");
  const pairs = Object.entries(answer).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const joined = `${address}${address.includes("?") ? "&" : "?"}${pairs.join("&")}`;
  return fragment === undefined ? joined : `${joined}#${fragment}`;
}

/** The address as a browser reads it, which is what must be compared: it takes out `..` and line ends. */
function readAddress(text: string): string | undefined {
  if (text.length > longest || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  return forbiddenSchemes.includes(url.protocol.slice(0, -1)) ? undefined : url.href;
}

/** The same address, or one that goes on where a part of it ends. */
function isBelow(href: string, registered: string | undefined): boolean {
  if (registered === undefined || !href.startsWith(registered)) return false;
  if (href.length === registered.length || registered.endsWith("/")) return true;
  return (registered.includes("?") ? "&#" : "/?#").includes(href[registered.length]!);
}

function splitAt(text: string, mark: string): [string, string?] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
