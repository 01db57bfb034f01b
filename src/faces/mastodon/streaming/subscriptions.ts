import { activeGroup } from "../../../domain/groups/groups.ts";
import { listChoices } from "../../../domain/groups/list-choices.ts";
import type { ListReplies } from "../../../domain/groups/list-choices.ts";
import { holdsScope } from "../../../domain/identity/applications/scopes.ts";
import { HubError } from "../../../errors.ts";
import type { Hub } from "../../../hub.ts";
import { readId } from "../parameters.ts";
import type { StatusObject } from "../present/status-object.ts";
import { unknownStream } from "./unknown-stream.ts";

/** A stream as somebody asks for it. */
export type Wish = { stream: string; list?: string | undefined; tag?: string | undefined };

/** A stream that somebody reads (Mastodon contract 14.2). */
export type Subscription = {
  /** What its messages name it by. */
  readonly label: readonly string[];
  /** It holds the home timeline; notices. */
  readonly home?: boolean;
  readonly notices?: boolean;
  /** It holds conversations. */
  readonly direct?: boolean;
  /** It holds those public posts. */
  readonly takes?: (status: StatusObject) => boolean;
  /** Only what is public on this hub, and by its copies on walls, as that timeline shows it. */
  readonly onlyHere?: boolean;
  /** It holds what members of this group write, with these of their answers. */
  readonly list?: { id: number; replies: ListReplies };
};

type Reader = { channelId: number; scopes: readonly string[] };

/**
 * The stream that is asked for. Throws invalid for one that there is not, or without its list or tag, missing for a list of somebody else, and denied
 * where the token is not good for it.
 */
export async function subscriptionTo(hub: Hub, reader: Reader, wish: Wish): Promise<Subscription> {
  const { stream } = wish;
  const may = (scope: string): boolean => holdsScope(reader.scopes, scope);
  const needs = (scope: string): void => {
    if (!may(scope)) throw outside();
  };
  const [name, ...kinds] = stream.split(":");
  if (stream === "user") {
    const [home, notices] = [may("read:statuses"), may("read:notifications")];
    if (!home && !notices) throw outside();
    return { label: [stream], home, notices };
  }
  if (stream === "user:notification") {
    needs("read:notifications");
    return { label: [stream], notices: true };
  }
  if (stream === "direct") {
    needs("read:statuses");
    return { label: [stream], direct: true };
  }
  if (stream === "list") {
    needs("read:lists");
    const group = await activeGroup(hub, reader.channelId, readId(needed(wish.list)) ?? 0);
    const { replies } = (await listChoices(hub, group.uid))(group);
    return { label: [stream, String(group.id)], list: { id: group.id, replies } };
  }
  if (!openStreams.includes(stream)) throw unknownStream();
  needs("read:statuses");
  const tag = name === "hashtag" ? tagOf(needed(wish.tag)) : undefined;
  return {
    label: tag === undefined ? [stream] : [stream, tag],
    takes: takesOf(tag, kinds),
    onlyHere: kinds.includes("local"),
  };
}

const openStreams: readonly string[] = [
  ...["public", "public:local", "public:remote"].flatMap((name) => [name, `${name}:media`]),
  "hashtag",
  "hashtag:local",
];

function takesOf(tag: string | undefined, kinds: readonly string[]): (status: StatusObject) => boolean {
  return (status) => {
    if (status.visibility !== "public" || status.reblog !== null) return false;
    if (kinds.includes("media") && status.media_attachments.length === 0) return false;
    if (kinds.includes("remote") && !status.account.acct.includes("@")) return false;
    return tag === undefined || status.tags.some(({ name }) => name.toLowerCase() === tag);
  };
}

function tagOf(text: string): string {
  return text.replace(/^#/, "").toLowerCase().slice(0, 255);
}

function needed(value: string | undefined): string {
  if (value === undefined || value === "")
    throw new HubError("invalid", "Missing parameter", { reason: "bad_parameter" });
  return value;
}

function outside(): HubError {
  return new HubError("denied", "This action is outside the authorized scopes", { reason: "scope_missing" });
}
