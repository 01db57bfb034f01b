import type { Xchan } from "../../../domain/identity/xchans/xchans.ts";
import type { Anybody, Caller } from "../../../domain/identity/accounts/caller.ts";
import { isNobody } from "../../../domain/identity/channels/observer.ts";
import type { Observer } from "../../../domain/identity/channels/observer.ts";
import { bareName, findByNick, findByProfile } from "../../../domain/people/find-person.ts";
import { lookElsewhere } from "../../../domain/people/look-elsewhere.ts";
import { findKnown } from "../../../domain/people/known-person.ts";
import { HubError } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { noCredentials } from "../../../http/credentials.ts";
import { text } from "../parameters.ts";
import { profileurl, screen_name, user_id } from "../shared-input.ts";

/** The parameters that name a person; `id` is what stands in the path. */
export const personInput = { user_id, screen_name, profileurl, id: text("Id of the person, or the nick.") };

export type PersonInput = { [name in keyof typeof personInput]?: string | undefined };

/** Id of the person that a request names, here or elsewhere, else of the caller. Throws as `findAnywhere`; without both, unauthenticated. */
export async function personAnywhere(hub: Hub, anybody: Anybody, input: PersonInput): Promise<number> {
  return idOf(anybody.observer, await findAnywhere(hub, anybody, input));
}

/** The same of somebody who is known here. Throws missing; without both, unauthenticated. */
export async function namedPerson(hub: Hub, observer: Observer, input: PersonInput): Promise<number> {
  return idOf(observer, await findNamed(hub, observer, input));
}

function idOf(observer: Observer, found: Xchan | "nobody named"): number {
  if (found === "nobody named") {
    if (isNobody(observer)) throw noCredentials();
    return observer.xchanId;
  }
  return found.xchan_id;
}

/**
 * Is it the caller whom the request names, if it names anybody? Nothing is looked up: of other people's lists the
 * answer is the same whoever they are.
 */
export function namesCaller({ config }: Hub, { channel }: Caller, input: PersonInput): boolean {
  const nick = channel.channel_address;
  const address = `${nick}@${config.host}`;
  const own = [address, bareUrl(`${config.baseUrl}/channel/${nick}`)];
  const [userId, name, url] = [input.user_id, input.screen_name, input.profileurl].map((text) => text?.trim() ?? "");
  if (userId) return isNumber(userId) ? Number(userId) === channel.xchan_id : own.includes(bareUrl(userId));
  if (name) return [nick, address].includes(bareName(name).toLowerCase());
  return !url || own.includes(bareUrl(url));
}

function bareUrl(url: string): string {
  return bareName(url)
    .toLowerCase()
    .replace(/^[a-z]+:\/\//, "")
    .replace(/^www\./, "")
    .replace(/(?<!\/)\/+$/, "");
}

/** The person that a request names. Throws missing for somebody unknown. */
export async function findNamed(hub: Hub, observer: Observer, input: PersonInput): Promise<Xchan | "nobody named"> {
  const userId = input.user_id?.trim();
  const nick = input.screen_name?.trim();
  const url = input.profileurl?.trim();
  const id = input.id?.trim();
  if (userId) return byId(hub, observer, userId);
  if (nick) return byNick(hub, observer, nick);
  if (url) return byProfile(hub, observer, url);
  if (!id) return "nobody named";
  return isNumber(id) ? byId(hub, observer, id) : byNick(hub, observer, id);
}

/**
 * The same; somebody whom the hub does not know is looked up where they are (federation contract 17), for those with a log-in.
 * Throws missing for somebody unknown there too, and too-many.
 */
async function findAnywhere(
  hub: Hub,
  { channel, observer }: Anybody,
  input: PersonInput,
): Promise<Xchan | "nobody named"> {
  try {
    return await findNamed(hub, observer, input);
  } catch (error) {
    if (!channel || !(error instanceof HubError) || error.kind !== "missing") throw error;
    const names = [input.user_id, input.screen_name, input.profileurl, input.id];
    const looked = await lookElsewhere(hub, channel, names.find((name) => name?.trim()) ?? "");
    if ("person" in looked) return looked.person;
    throw error;
  }
}

/** The person that a request must name. Throws `no_user`, or missing. */
export async function requiredPerson(hub: Hub, observer: Observer, input: PersonInput): Promise<Xchan> {
  return required(await findNamed(hub, observer, input));
}

/** The same, here or elsewhere. Throws too-many as well. */
export async function requiredAnywhere(hub: Hub, caller: Caller, input: PersonInput): Promise<Xchan> {
  return required(await findAnywhere(hub, caller, input));
}

function required(found: Xchan | "nobody named"): Xchan {
  if (found !== "nobody named") return found;
  throw new HubError("invalid", "no user_id specified", { reason: "no_user", field: "user_id" });
}

/** Clients put profile addresses here too. */
async function byId(hub: Hub, observer: Observer, id: string): Promise<Xchan> {
  if (!isNumber(id)) return byProfile(hub, observer, id);
  const number = Number(id);
  const found = Number.isSafeInteger(number) ? await findKnown(hub, observer.channelId, { id: number }) : undefined;
  return known(observer, found, `User ID ${id} not found.`);
}

async function byNick(hub: Hub, observer: Observer, nick: string): Promise<Xchan> {
  return known(observer, await findByNick(hub, observer, nick), "User not found.");
}

async function byProfile(hub: Hub, observer: Observer, url: string): Promise<Xchan> {
  return known(observer, await findByProfile(hub, url), `User ${url} not found.`);
}

/** A closed site shows nobody to those who do not say who they are. */
function known(observer: Observer, person: Xchan | undefined, sentence: string): Xchan {
  const shown = person?.xchan_deleted === 0 && observer.seesPublic;
  if (!shown) throw new HubError("missing", sentence);
  return person;
}

function isNumber(text: string): boolean {
  return /^\d+$/.test(text);
}
