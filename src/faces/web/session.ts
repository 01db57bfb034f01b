import type { Caller } from "../../domain/identity/accounts/caller.ts";
import { addToDevice } from "../../domain/identity/accounts/devices.ts";
import { closeSession, findSession, openSession } from "../../domain/identity/accounts/sessions.ts";
import type { Hub } from "../../hub.ts";
import { readCookie, writeCookie } from "./cookies.ts";
import type { Member, PageContext } from "./page.ts";

const name = "hubbub";
const deviceName = "hubbub_device";
const month = 30 * 24 * 3600;
const year = 365 * 24 * 3600;

/** Who the browser is logged in as. */
export async function readMember(hub: Hub, request: Request): Promise<Member | undefined> {
  const token = readCookie(hub, request, name);
  const session = token === undefined ? undefined : await findSession(hub, token);
  return session && { ...session, token: token! };
}

/** What the browser keeps of earlier log-ins. */
export function readDevice(hub: Hub, request: Request): string {
  return readCookie(hub, request, deviceName) ?? "";
}

/** Logs the browser in; an earlier log-in of it ends. */
export async function startSession(context: PageContext, caller: Caller): Promise<Member> {
  if (context.member) await closeSession(context.hub, context.member.token);
  const opened = await openSession(context.hub, caller.account, caller.channel.channel_id, context.browser);
  const device = await addToDevice(context.hub, context.device, caller.account);
  context.cookies.push(writeCookie(context.hub, deviceName, device, year));
  context.cookies.push(writeCookie(context.hub, name, opened.token, month));
  return { ...caller, ...opened };
}

/** Logs the browser out. */
export async function endSession(context: PageContext): Promise<void> {
  if (context.member) await closeSession(context.hub, context.member.token);
  context.cookies.push(writeCookie(context.hub, name, "", 0));
}
