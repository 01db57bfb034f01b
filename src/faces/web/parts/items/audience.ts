import { listGuests, listPeople } from "../../../../domain/connections/connections.ts";
import type { ChannelGuest, ListedPerson } from "../../../../domain/connections/connections.ts";
import { countInGroups } from "../../../../domain/groups/count-in-groups.ts";
import { activeGroups } from "../../../../domain/groups/groups.ts";
import type { Group } from "../../../../domain/groups/groups.ts";
import { parseList } from "../../../../domain/groups/lists.ts";
import { scatteredPeople } from "../../../../domain/groups/scattered.ts";
import type { Scattered } from "../../../../domain/groups/scattered.ts";
import type { Channel } from "../../../../domain/identity/channels/channel.ts";
import { listProfiles } from "../../../../domain/identity/channels/profiles.ts";
import type { Profile } from "../../../../domain/identity/channels/profiles.ts";
import type { File } from "../../../../domain/files/types.ts";
import { nobody } from "../../../../domain/items/audience.ts";
import type { Audience, Draft } from "../../../../domain/items/types.ts";
import type { Hub } from "../../../../hub.ts";
import { fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import { html } from "../../html.ts";
import { linkTo } from "../../languages/say.ts";
import type { Say } from "../../languages/say.ts";
import type { Html, PageContext } from "../../page.ts";
import { box } from "../forms.ts";
import { icon } from "../icons.ts";
import { namesIn } from "../../../../record-of.ts";

/** Whom a post or a file can be shown to, and what is chosen at first. */
export type AudienceChoice = {
  kinds: readonly Kind[];
  groups: Group[];
  /** More than the default one: the people of each are a group of their own. */
  profiles: Profile[];
  people: ListedPerson[];
  guests: ChannelGuest[];
  /** Of posts: whose hubs do not show them what others answer; and of each group, how many of how many nothing reaches. */
  scattered?: Scattered;
  unreached?: Map<number, { count: number; total: number }>;
  kind: Kind;
  chosen: Set<string>;
  /** Whom the channel excludes as usual: they stay excluded, whatever is chosen. */
  excluded: Excluded;
};

type Excluded = Pick<Audience, "deny_cid" | "deny_gid">;

type Kind = "public" | "connections" | "chosen" | "self";
const kindsOfPosts: readonly Kind[] = ["public", "connections", "chosen", "self"];
/** Files have lists and no scope words. */
const kindsOfFiles: readonly Kind[] = ["public", "chosen", "self"];

/** The channel's groups and people; chosen is its default audience, or what was typed. */
export async function loadAudience(hub: Hub, channel: Channel, typed?: Fields): Promise<AudienceChoice> {
  const { channel_allow_cid: allow_cid, channel_allow_gid: allow_gid } = channel;
  const uid = channel.channel_id;
  const [lists, scattered] = await Promise.all([loadLists(hub, channel), scatteredPeople(hub, uid)]);
  const unreached = lists.people.filter((person) => person.unreached === 1).map((person) => person.xchan_hash);
  return {
    kinds: kindsOfPosts,
    excluded: { deny_cid: parseList(channel.channel_deny_cid), deny_gid: parseList(channel.channel_deny_gid) },
    ...lists,
    scattered,
    unreached: await countInGroups(hub, uid, unreached),
    ...(typed ? typedAudience(typed) : chosenBy(channel, { allow_cid, allow_gid })),
  };
}

/** The same for a file, folder or event, beginning with whom it is shown to already. */
export async function loadFileAudience(
  hub: Hub,
  channel: Channel,
  lists: Pick<File, "allow_cid" | "allow_gid">,
  typed?: Fields,
): Promise<AudienceChoice> {
  return {
    kinds: kindsOfFiles,
    excluded: { deny_cid: [], deny_gid: [] },
    ...(await loadLists(hub, channel)),
    ...(typed ? typedAudience(typed) : chosenBy(channel, lists)),
  };
}

type Choices = Pick<AudienceChoice, "groups" | "profiles" | "people" | "guests">;

async function loadLists(hub: Hub, channel: Channel): Promise<Choices> {
  const [groups, people, guests, profiles] = await Promise.all([
    activeGroups(hub, channel.channel_id),
    listPeople(hub, channel.channel_id),
    listGuests(hub, channel),
    listProfiles(hub, channel.channel_id),
  ]);
  return {
    groups,
    profiles: profiles.length > 1 ? profiles : [],
    people,
    guests,
  };
}

function typedAudience(form: Fields): Pick<AudienceChoice, "kind" | "chosen"> {
  const kind = namesIn(icons).find((known) => known === form.text("audience")) ?? "chosen";
  return { kind, chosen: new Set([...form.all("group_allow"), ...form.all("contact_allow")]) };
}

function chosenBy(
  channel: Channel,
  lists: Pick<File, "allow_cid" | "allow_gid">,
): Pick<AudienceChoice, "kind" | "chosen"> {
  const all = [...parseList(lists.allow_gid), ...parseList(lists.allow_cid)];
  const chosen = new Set(all.filter((hash) => hash !== channel.channel_hash));
  if (chosen.size > 0) return { kind: "chosen", chosen };
  return { kind: all.length > 0 ? "self" : "public", chosen };
}

/**
 * The audience that a form names. Nothing chosen is a fault, never an empty list: that would make a private post
 * public.
 */
export function readAudience({ say }: PageContext, form: Fields): Pick<Draft, "audience" | "publicPolicy"> {
  const [groups, people] = [form.all("group_allow"), form.all("contact_allow")];
  const rest = { ...nobody, deny_gid: form.all("group_deny"), deny_cid: form.all("contact_deny") };
  switch (form.text("audience")) {
    case "public":
      return { audience: rest };
    case "connections":
      return { audience: rest, publicPolicy: "contacts" };
    case "self":
      return { audience: nobody, publicPolicy: "self" };
    case "chosen":
      if (groups.length + people.length === 0) throw fault("audience", say("composer.choose-somebody"));
      return { audience: { ...rest, allow_gid: groups, allow_cid: people } };
    default:
      throw fault("audience", say("composer.choose-audience"));
  }
}

/** The audience of a file that a form names, as `readAudience`. */
export function readFileAudience(context: PageContext, form: Fields, channel: Channel): Audience {
  const { say } = context;
  if (form.text("audience") === "self") return { ...nobody, allow_cid: [channel.channel_hash] };
  if (form.text("audience") === "connections") throw fault("audience", say("composer.choose-audience"));
  return readAudience(context, form).audience ?? nobody;
}

const icons = { public: "globe", connections: "people", chosen: "circles", self: "lock" } as const;

/** The picker: closed it says who will see the post; it works without scripts. */
export function audiencePicker({ say }: PageContext, choice: AudienceChoice, open: boolean): Html {
  return html`<hub-audience>${picker(say, choice, open)}</hub-audience>`;
}

function picker(say: Say, choice: AudienceChoice, open: boolean): Html {
  const { kinds, kind } = choice;
  return html`<details class="audience" ${open ? "open" : ""}>
    <summary>
      ${kinds.map((one) => html`<span class="sum sum-${one} ${one === kind ? "sum-first" : ""}">${icon(icons[one])} <span class="unseen">${say("composer.visible-to")} </span><span class="sum-words">${say(`composer.audience-${one}`)}</span></span>`)}
    </summary>
    <fieldset class="audience-sheet">
      <legend>${say("composer.audience-question")}</legend>
      <div class="audience-kinds">
        ${kinds.map(
          (one) =>
            html`<label class="box">
              <input type="radio" name="audience" value="${one}" ${one === kind ? "checked" : ""} />
              <span
                ><span class="box-label">${say(`composer.audience-${one}`)}</span>
                <small>${say(`composer.audience-${one}-hint`)}</small></span
              >
            </label>`,
        )}
      </div>
      ${warnings(say, choice)}
      <div class="audience-lists">${groupList(say, choice)} <hub-filter>${peopleList(say, choice)}</hub-filter></div>
      ${exclusions(say, choice.excluded)}
    </fieldset>
  </details>`;
}

/** Names are not shown: they came with the channel from a hub that has a form for them. */
function exclusions(say: Say, { deny_cid: people, deny_gid: groups }: Excluded): Html {
  if (people.length + groups.length === 0) return html``;
  return html`${people.map((hash) => html`<input type="hidden" name="contact_deny" value="${hash}" />`)}
    ${groups.map((hash) => html`<input type="hidden" name="group_deny" value="${hash}" />`)}
    <p class="hint">${say("composer.audience-excludes")}</p>`;
}

/** Said before anything is sent, because afterwards it cannot be helped. */
function warnings(say: Say, { scattered, unreached, people }: AudienceChoice): Html {
  const isMissed = unreached !== undefined && people.some((person) => person.unreached === 1);
  return html`${scattered?.people.size ? html`<p class="hint">${say("composer.audience-scattered")}</p>` : ""}
  ${isMissed ? html`<p class="hint">${say("composer.audience-unreached")}</p>` : ""}`;
}

/** Of a group: whom nothing reaches, and which servers do not keep it together. */
function aboutGroup(say: Say, { scattered, unreached }: AudienceChoice, { id }: Group): { hint: string } | undefined {
  const missed = unreached?.get(id);
  const hosts = scattered?.groups.get(id);
  const said = [
    ...(missed ? [say("composer.unreached-among", missed)] : []),
    ...(hosts ? [scatteredAt(say, hosts)] : []),
  ];
  return said.length === 0 ? undefined : { hint: said.join("; ") };
}

/** The same of a person, with their address. */
function aboutPerson(
  say: Say,
  { scattered, unreached }: AudienceChoice,
  { xchan_hash, xchan_addr: address, unreached: missed }: ListedPerson,
): string {
  if (unreached && missed === 1) return say("composer.unreached-person", { address });
  return scattered?.people.has(xchan_hash) ? say("composer.scattered-person", { address }) : address;
}

function scatteredAt(say: Say, hosts: ReadonlySet<string>): string {
  const [first, second, third, ...others] = [...hosts].toSorted();
  const named = [first, second, third].filter((host) => host !== undefined).join(", ");
  return others.length > 0
    ? say("composer.scattered-at-more", { hosts: named, count: others.length })
    : say("composer.scattered-at", { hosts: named });
}

function groupList(say: Say, choice: AudienceChoice): Html {
  const { groups, profiles, chosen } = choice;
  const virtual = profiles.map((profile) => ({ name: profile.profile_name, value: `vp.${profile.profile_guid}` }));
  return html`<fieldset>
    <legend>${say("composer.groups")}</legend>
    ${groups.map((group) => box({ label: group.gname, name: "group_allow", value: group.hash, checked: chosen.has(group.hash), ...aboutGroup(say, choice, group) }))}
    ${virtual.map(({ name, value }) => box({ label: name, name: "group_allow", value, checked: chosen.has(value), hint: say("composer.profile-people") }))}
    ${groups.length === 0 ? html`<p class="hint">${say.html("composer.no-groups", { make: linkTo("/group") })}</p>` : ""}
  </fieldset>`;
}

function peopleList(say: Say, choice: AudienceChoice): Html {
  const { people, guests, chosen } = choice;
  return html`<fieldset class="people-choice">
    <legend>${say("composer.people")}</legend>
    <input type="search" placeholder="${say("composer.filter")}" aria-label="${say("composer.filter-people")}" hidden />
    ${people.map((person) =>
      box({
        label: person.xchan_name,
        name: "contact_allow",
        value: person.xchan_hash,
        checked: chosen.has(person.xchan_hash),
        hint: aboutPerson(say, choice, person),
      }),
    )}
    ${guests.map((guest) =>
      box({
        label: guest.atoken_name,
        name: "contact_allow",
        value: guest.hash,
        checked: chosen.has(guest.hash),
        hint: say("composer.guest"),
      }),
    )}
    ${people.length === 0 ? html`<p class="hint">${say.html("composer.no-connections", { find: linkTo("/connections") })}</p>` : ""}
  </fieldset>`;
}
