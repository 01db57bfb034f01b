import type { z } from "zod";
import type { Caller } from "../../../domain/identity/accounts/caller.ts";
import { channelSetting } from "../../../domain/identity/channels/channel-settings.ts";
import { findXchans } from "../../../domain/identity/xchans/xchans.ts";
import { findGroup } from "../../../domain/groups/groups.ts";
import { formatList } from "../../../domain/groups/lists.ts";
import type { Addressed } from "../../../domain/items/address-line.ts";
import { defaultAudience, nobody } from "../../../domain/items/audience.ts";
import { loadItem } from "../../../domain/items/save.ts";
import { loadMarks } from "../../../domain/items/timelines/status-context.ts";
import { loadStatusDetails } from "../../../domain/items/timelines/status-details.ts";
import type { Audience, Draft, Item } from "../../../domain/items/types.ts";
import { findPeopleById } from "../../../domain/people/find-people.ts";
import type { HubError } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { flag, invalid, optionalTexts, readId, text } from "../parameters.ts";

/** For whom a post shall be (mastodon contract 6.2 to 6.4). */
export const audienceInput = {
  visibility: text(
    "`public`, `unlisted`, `private`, `direct`, `local`, or the id of one of the caller's groups; left out, the channel's default.",
  ),
  local_only: flag("Only for people of this hub."),
  group_allow: optionalTexts(
    "Ids of the caller's groups that may see it; each of these four lists replaces what `visibility` says.",
  ),
  contact_allow: optionalTexts("Ids of people who may see it."),
  group_deny: optionalTexts("Ids of the caller's groups that may not see it."),
  contact_deny: optionalTexts("Ids of people who may not see it."),
};

type AudienceInput = { [name in keyof typeof audienceInput]: z.output<(typeof audienceInput)[name]> };

type Whom = Partial<Pick<Draft, "body" | "parent" | "audience" | "publicPolicy" | "unlisted" | "directTo" | "about">>;

/** For whom a new thread is: never wider than asked. */
export async function audienceOf(
  hub: Hub,
  caller: Caller,
  input: AudienceInput,
  addressed: Addressed | undefined,
): Promise<Whom> {
  const { visibility = "", local_only } = input;
  const lists = await listsOf(hub, caller, input);
  if (visibility === "direct") {
    if (lists || (addressed?.groups.length ?? 0) > 0 || local_only)
      throw invalid("A direct post goes to people whom it names");
    return { directTo: addressed?.people ?? [] };
  }
  const whom = (await privateGroup(hub, caller, input)) ?? byVisibility(hub, caller, input);
  if (!lists && !addressed) return whom;
  if (local_only || visibility === "local") throw invalid("What is for some is not for this hub alone");
  if (lists) return { audience: lists };
  return { audience: { ...nobody, allow_cid: addressed!.people, allow_gid: addressed!.groups } };
}

/** The group that `private` stands for, as long as there is one. */
async function privateGroup(
  hub: Hub,
  { channel }: Caller,
  { visibility, local_only }: AudienceInput,
): Promise<Whom | undefined> {
  if (visibility !== "private" || local_only) return undefined;
  const hash = await channelSetting(hub, channel.channel_id, "privateMeans");
  const group = hash === "" ? undefined : await findGroup(hub, channel.channel_id, { hash });
  return group?.deleted === 0 ? { audience: { ...nobody, allow_gid: [group.hash] } } : undefined;
}

function byVisibility(hub: Hub, { channel }: Caller, { visibility = "", local_only }: AudienceInput): Whom {
  const isRestricted = Object.values(defaultAudience(channel)).some((list) => list.length > 0);
  const isOpen = visibility === "public" || visibility === "unlisted" || (visibility === "" && !isRestricted);
  if (visibility === "local" || (local_only && isOpen))
    return { audience: { ...nobody }, publicPolicy: `site: ${hub.config.host}` };
  if (local_only) throw invalid("What is for some is not for this hub alone");
  if (visibility === "") return {};
  if (visibility === "public") return { audience: { ...nobody } };
  if (visibility === "unlisted") return { audience: { ...nobody }, unlisted: true };
  if (visibility === "private") return isRestricted ? {} : { audience: { ...nobody }, publicPolicy: "contacts" };
  const group = groupOf(visibility);
  if (group === undefined) throw unknownVisibility();
  return { audience: { ...nobody, allow_gid: [group] } };
}

/** The four lists of the hub's own; undefined where none was sent. */
async function listsOf(hub: Hub, caller: Caller, input: AudienceInput): Promise<Audience | undefined> {
  const { group_allow, contact_allow, group_deny, contact_deny } = input;
  if (!group_allow && !contact_allow && !group_deny && !contact_deny) return undefined;
  return {
    allow_cid: await peopleIn(hub, caller, contact_allow),
    deny_cid: await peopleIn(hub, caller, contact_deny),
    // Posting replaces ids of groups by hashes and refuses those of others.
    allow_gid: group_allow ?? [],
    deny_gid: group_deny ?? [],
  };
}

async function peopleIn(hub: Hub, { channel }: Caller, entries: readonly string[] = []): Promise<string[]> {
  const ids = entries.map((entry) => readId(entry) ?? 0);
  const people = await findPeopleById(hub, channel, ids);
  return ids.map((id) => {
    const person = people.get(id);
    if (!person) throw invalid("An access list names somebody who is not known");
    return person.xchan_hash;
  });
}

/** An answer is for whom its thread is for, and for nobody else. */
export async function answerTo(
  hub: Hub,
  caller: Caller,
  parent: Item,
  body: string,
  input: AudienceInput,
): Promise<Whom> {
  const { visibility = "", local_only } = input;
  const top = parent.item_thread_top === 1 ? parent : await loadItem(hub, parent.parent);
  const items = [top, parent];
  const marks = loadMarks(
    hub,
    items.map(({ message_id }) => message_id),
  );
  const details = await loadStatusDetails(hub, caller.observer, items, marks);
  const isUnlisted = items.some(({ id }) => details.get(id)?.unlisted);
  const isPublic = parent.item_private === 0;
  const answer: Whom = { parent: { id: parent.id }, ...(isPublic && isUnlisted && { unlisted: true }) };
  if (details.get(top.id)?.direct === 1) return answer;
  const lists = await listsOf(hub, caller, input);
  if (lists) throw isPublic ? tooNarrow() : toEverybody();
  if ((local_only || visibility === "local") && !top.public_policy.startsWith("site: "))
    throw isPublic ? tooNarrow() : toEverybody();
  switch (visibility) {
    case "":
    case "public":
    case "local":
      return answer;
    case "unlisted":
      return isPublic ? { ...answer, unlisted: true } : answer;
    case "direct":
      return apart(hub, parent, body);
    case "private":
      if (isPublic) throw tooNarrow();
      return answer;
    default:
      return toGroup(hub, caller, top, visibility, answer);
  }
}

/** A group is what its thread went to, and that alone, or else narrower than the answer would be. */
async function toGroup(hub: Hub, { channel }: Caller, top: Item, visibility: string, answer: Whom): Promise<Whom> {
  const id = groupOf(visibility);
  const group = id === undefined ? undefined : await findGroup(hub, channel.channel_id, { id: Number(id) });
  if (!group || group.deleted === 1) throw unknownVisibility();
  if (top.item_private === 0) throw tooNarrow();
  const isOwn = top.uid === channel.channel_id && top.item_wall === 1;
  const isSame = top.allow_gid === formatList([group.hash]) && top.allow_cid + top.deny_cid + top.deny_gid === "";
  if (!isOwn || !isSame) throw toEverybody();
  return answer;
}

/** Who answers somebody alone begins a direct thread, which says what it is about. */
async function apart(hub: Hub, { author_id, plink, mid }: Item, body: string): Promise<Whom> {
  const [author] = await findXchans(hub, [author_id]);
  const words = plink === "" || body.includes(plink) ? body : `${body}\n\n${plink}`;
  return { body: words, directTo: author ? [author.xchan_hash] : [], about: mid };
}

function groupOf(visibility: string): string | undefined {
  return /^(?:list:)?([1-9]\d{0,14})$/.exec(visibility)?.[1];
}

function tooNarrow(): HubError {
  return invalid("This thread is public, and so are answers in it");
}

function toEverybody(): HubError {
  return invalid("Answers go to everybody in the thread");
}

function unknownVisibility(): HubError {
  return invalid("Visibility is not included in the list");
}
