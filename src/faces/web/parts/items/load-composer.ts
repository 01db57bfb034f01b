import { randomUUID } from "node:crypto";
import { chosenMedia } from "../../../../domain/cloud/unattached.ts";
import type { ChosenMedia } from "../../../../domain/cloud/unattached.ts";
import { channelSetting } from "../../../../domain/identity/channels/channel-settings.ts";
import type { TextFormat } from "../../../../domain/identity/channels/channel-settings.ts";
import { countUnpublished } from "../../../../domain/items/posting/count-unpublished.ts";
import { findSketch } from "../../../../domain/items/posting/sketches.ts";
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

/** And what else they have begun. */
export type OwnPostComposer = OwnComposer & { sketches: number; delayed: number };

export async function loadComposer({ hub, member }: MemberContext, typed: Fields | undefined): Promise<OwnComposer> {
  const { channel } = member;
  const [format, media] = await Promise.all([
    channelSetting(hub, channel.channel_id, "textFormat"),
    chosenMedia(hub, channel, typed ? mediaIdsOf(typed).slice(0, mostMedia) : []),
  ]);
  return { sketch: typed?.word("sketch") || randomUUID(), format, media };
}

export async function loadPostComposer(context: MemberContext, typed: Fields | undefined): Promise<OwnPostComposer> {
  const [own, counts] = await Promise.all([
    loadComposer(context, typed),
    countUnpublished(context.hub, context.member.channel),
  ]);
  return { ...own, ...counts };
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
