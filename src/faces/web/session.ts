import type { Caller } from "../../domain/identity/accounts/caller.ts";
import { addToDevice } from "../../domain/identity/accounts/devices.ts";
import { closeSession, findSession, openSession } from "../../domain/identity/accounts/sessions.ts";
import type { Hub } from "../../hub.ts";
import { readCookie, writeCookie } from "./cookies.ts";
import type { Member, Visit } from "./page.ts";

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
export async function startSession(visit: Visit, { account, channel }: Caller): Promise<Member> {
  if (visit.member) await closeSession(visit.hub, visit.member.token);
  const opened = await openSession(visit.hub, account, channel.channel_id, visit.browser);
  const device = await addToDevice(visit.hub, visit.device, account);
  visit.cookies.push(writeCookie(visit.hub, deviceName, device, year));
  visit.cookies.push(writeCookie(visit.hub, name, opened.token, month));
  return { account, channel, ...opened };
}

/** Logs the browser out. */
export async function endSession(visit: Visit): Promise<void> {
  if (visit.member) await closeSession(visit.hub, visit.member.token);
  visit.cookies.push(writeCookie(visit.hub, name, "", 0));
}
