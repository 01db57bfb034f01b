import { randomUUID } from "node:crypto";
import { chosenMedia } from "../../../../domain/cloud/unattached.ts";
import type { ChosenMedia } from "../../../../domain/cloud/unattached.ts";
import { channelSetting } from "../../../../domain/identity/channels/channel-settings.ts";
import type { TextFormat } from "../../../../domain/identity/channels/channel-settings.ts";
import { countUnpublished } from "../../../../domain/items/posting/count-unpublished.ts";
import { layOutDraft } from "../../../../domain/items/posting/lay-out-draft.ts";
import { quotationOf } from "../../../../domain/items/posting/quote.ts";
import { findSketch } from "../../../../domain/items/posting/sketches.ts";
import { HubError } from "../../../../errors.ts";
import { Fields } from "../../fields.ts";
import type { MemberContext } from "../../page.ts";
import { mediaIdsOf, mostMedia } from "./chosen-media.ts";

/** What a form in which somebody writes knows of the member besides what was typed. */
export type OwnComposer = {
  /** The name of its draft. */
  sketch: string;
  /** What the member wrote in the last time. */
  format: TextFormat;
  media: ChosenMedia[];
};

/** What a new post may quote: a post by its id, laid out as it will stand there. */
export type Quoted = { id: number; html: string };

/** And what the form for a post knows: what it quotes, and what else they have begun. */
export type OwnPostComposer = OwnComposer & { quoted: Quoted | undefined; sketches: number; delayed: number };

export async function loadComposer({ hub, member }: MemberContext, typed: Fields | undefined): Promise<OwnComposer> {
  const { channel } = member;
  const [format, media] = await Promise.all([
    channelSetting(hub, channel.channel_id, "textFormat"),
    chosenMedia(hub, channel, typed ? mediaIdsOf(typed).slice(0, mostMedia) : []),
  ]);
  return { sketch: typed?.word("sketch") || randomUUID(), format, media };
}

export async function loadPostComposer(context: MemberContext, typed: Fields | undefined): Promise<OwnPostComposer> {
  const [own, quoted, counts] = await Promise.all([
    loadComposer(context, typed),
    quotedIn(context, typed),
    countUnpublished(context.hub, context.member.channel),
  ]);
  return { ...own, quoted, ...counts };
}

/** A draft may name a post that is gone, or that may not be quoted any more. */
async function quotedIn(context: MemberContext, typed: Fields | undefined): Promise<Quoted | undefined> {
  const { hub, member } = context;
  const id = typed?.number("quote");
  if (id === undefined) return undefined;
  try {
    return { id, html: await layOutQuoted(context, await quotationOf(hub, member.channel, { id })) };
  } catch (error) {
    if (error instanceof HubError && (error.kind === "missing" || error.kind === "denied")) return undefined;
    throw error;
  }
}

/** What the block of a quotation looks like. */
export async function layOutQuoted({ hub, member }: MemberContext, block: string): Promise<string> {
  return (await layOutDraft(hub, member.channel, { body: block })).html;
}

/** A post that is to be quoted (items/actions.ts). Throws as whoever quotes it does. */
export async function quotingIn({ hub, member, query }: MemberContext): Promise<Fields | undefined> {
  const id = query.number("quote");
  if (id === undefined) return undefined;
  await quotationOf(hub, member.channel, { id });
  return new Fields([["quote", String(id)]]);
}

/** What another app has shared (pages/site/app.ts): a text to go on with. */
export function sharedIn({ query }: MemberContext): Fields | undefined {
  const body = ["title", "text", "url"].map((name) => query.text(name).trim()).filter((part) => part !== "");
  return body.length === 0 ? undefined : new Fields([["body", body.join("\n")]]);
}

/** What the draft says that the address names, for a form that nothing was typed into. */
export async function draftIn({ hub, member, query }: MemberContext): Promise<Fields | undefined> {
  const name = query.word("draft");
  if (name === "") return undefined;
  const sketch = await findSketch(hub, member.channel, name);
  return sketch && new Fields([...sketch.fields, ["sketch", name]]);
}
