import { randomUUID } from "node:crypto";
import { describeMedia, dropUnattached, uploadUnattached } from "../../../../domain/cloud/unattached.ts";
import { layOutDraft } from "../../../../domain/items/posting/lay-out-draft.ts";
import { closeSketch, keepSketch, wasPosted } from "../../../../domain/items/posting/sketches.ts";
import { redirect } from "../../answers.ts";
import { tokenField } from "../../csrf.ts";
import { fault as faultOf, tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import { Fields } from "../../fields.ts";
import type { MemberContext } from "../../page.ts";
import { descriptionsOf, mediaIdsOf, mostMedia } from "./chosen-media.ts";
import type { LaidOutDraft } from "./composer.ts";

/** Shows the page of the form once more with what was typed. */
export type Again = (
  typed: Fields,
  more: { fault?: Fault | undefined; preview?: LaidOutDraft | undefined },
) => Promise<Response>;

export type WrittenText = { body: string; mimetype: string };

type Writing = {
  /** Files can come with it. */
  files: boolean;
  /** What the text is written in. */
  format: (typed: Fields) => string;
  /** What is written, where that is more than the words of the form. */
  text?: (typed: Fields) => Promise<WrittenText>;
  /** The page that shows the form, where that is not where it is sent. */
  place?: string;
  again: Again;
  /** Does what the form is for. */
  send: (typed: Fields) => Promise<Response>;
};

/**
 * Does what the pressed button of a form says in which somebody writes (composer.ts): sends it; keeps it as a draft; or shows it
 * again, with its files, and with what it will look like.
 */
export async function takeWriting(context: MemberContext, sent: Fields, writing: Writing): Promise<Response> {
  const { again } = writing;
  // Files are kept from here on: a form that is shown again has them.
  let typed = sent;
  return tryForm(
    context,
    async () => {
      typed = writing.files ? await keepFiles(context, sent) : sent;
      checkEmptyFiles(context, sent);
      if (typed.has("drop_media")) return again(await withoutMedia(context, typed), {});
      if (typed.has("raise_media")) return again(withMedia(typed, raised(typed)), {});
      if (typed.text("do") === "look") return again(typed, { preview: await lookOf(context, typed, writing) });
      if (typed.text("do") === "keep") return keep(context, typed, writing);
      return send(context, typed, writing);
    },
    (fault) => again(typed, { fault }),
  );
}

/** The form with the files that came along among those that were chosen before. */
async function keepFiles({ hub, member, say }: MemberContext, sent: Fields): Promise<Fields> {
  const files = sent.files("media");
  const before = mediaIdsOf(sent);
  if (before.length + files.length > mostMedia)
    throw faultOf("media", say("composer.most-files", { count: mostMedia }));
  if (files.length === 0) return sent;
  const kept = await uploadUnattached(hub, member.channel, files);
  return withMedia(sent, [...before, ...kept.map(({ id }) => id)]);
}

/** A file with nothing in it is none, which is said: who sent it would look for it in the post. */
function checkEmptyFiles({ say }: MemberContext, { sent }: Fields): void {
  const empty = sent.find(({ name, staged }) => name === "media" && staged.size === 0);
  if (empty) throw faultOf("media", say("composer.file-is-empty", { file: empty.filename }));
}

/** The form with other files. */
function withMedia(typed: Fields, ids: readonly number[]): Fields {
  const others = [...typed.entries()].filter(([name]) => name !== "media_id");
  return new Fields([...others, ...ids.map((id) => ["media_id", String(id)] as const)]);
}

async function withoutMedia({ hub, member }: MemberContext, typed: Fields): Promise<Fields> {
  const dropped = typed.number("drop_media") ?? 0;
  await dropUnattached(hub, member.channel, dropped);
  return withMedia(
    typed,
    mediaIdsOf(typed).filter((id) => id !== dropped),
  );
}

function raised(typed: Fields): number[] {
  const ids = mediaIdsOf(typed);
  const at = ids.indexOf(typed.number("raise_media") ?? 0);
  if (at > 0) ids.splice(at - 1, 2, ids[at]!, ids[at - 1]!);
  return ids;
}

async function lookOf(
  { hub, member }: MemberContext,
  typed: Fields,
  { format, text }: Writing,
): Promise<LaidOutDraft | undefined> {
  const { body, mimetype } = (await text?.(typed)) ?? { body: typed.text("body"), mimetype: format(typed) };
  const mediaIds = mediaIdsOf(typed);
  if (body.trim() === "" && mediaIds.length === 0) return undefined;
  return layOutDraft(hub, member.channel, { body, mimetype, mediaIds });
}

async function keep(context: MemberContext, typed: Fields, { place = context.path }: Writing): Promise<Response> {
  const { hub, member } = context;
  // Whoever came back to a form that was posted, and keeps what is in it, begins another draft.
  const isNew = await wasPosted(hub, member.channel, typed.word("sketch"));
  await keepTyped(context, typed, place, isNew ? randomUUID() : undefined);
  return redirect(context, "/drafts", "kept");
}

const notKept = new Set([tokenField, "sketch", "place", "do", "back"]);

/** Keeps what was typed into a form of this page as a draft. Throws invalid, and missing for one that was posted. */
export async function keepTyped(
  { hub, member }: MemberContext,
  typed: Fields,
  place: string,
  name = typed.word("sketch"),
): Promise<void> {
  const fields = [...typed.entries()].filter(([name, value]) => !notKept.has(name) && value !== "");
  await keepSketch(hub, member.channel, { name, place, fields });
}

async function send(context: MemberContext, typed: Fields, writing: Writing): Promise<Response> {
  const { hub, member } = context;
  if (writing.files) await describeMedia(hub, member.channel, descriptionsOf(typed));
  const answer = await writing.send(typed);
  await closeSketch(hub, member.channel, typed.word("sketch"));
  return answer;
}
