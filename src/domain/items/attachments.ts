import { refusal, unlessMissing } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import { findFile } from "../files/find.ts";
import type { File, FileRef } from "../files/types.ts";
import { fileUrl, revisionUrl } from "../files/urls.ts";
import { observerOf } from "../identity/channels/observer.ts";
import type { Channel } from "../identity/channels/channel.ts";

const code = /\[attachment\]\s*([0-9a-z]{1,64})\s*(?:,\s*(\d{1,9})\s*)?\[\/attachment\]/gi;

/** More than anybody attaches by hand. */
const most = 100;

/** A body without its codes, and what the codes stand for as the item keeps it: JSON, or empty. */
export type Attachments = { body: string; attach: string };

/**
 * Takes every `[attachment]` code out of a body. Audio and video leave a player where the code stood; codes for files
 * that the author may not see leave nothing. Throws invalid for more of them than a post can have.
 */
export async function takeAttachments(hub: Hub, author: Channel, text: string, mimetype: string): Promise<Attachments> {
  if (!/\[attachment\]/i.test(text)) return { body: text, attach: "" };
  const files = await filesOfCodes(hub, author, text);
  const body = text.replace(code, (_all, hash: string, revision?: string) => {
    const file = files.get(keyOf(refOf(hash, revision)));
    return file ? playerOf(hub, file, mimetype) : "";
  });
  const attached = [...new Set([...files.values()].filter((file) => file !== undefined))];
  return {
    body: body.trim(),
    attach: attached.length === 0 ? "" : JSON.stringify(attached.map((file) => entryOf(hub, file))),
  };
}

/** The code for a file, as texts carry it before they are stored. */
export function attachmentCode(file: File): string {
  return `[attachment]${file.hash},${file.revision}[/attachment]`;
}

async function filesOfCodes(hub: Hub, author: Channel, text: string): Promise<Map<string, File | undefined>> {
  const refs = new Map<string, FileRef>();
  for (const [, hash = "", revision] of text.matchAll(code)) {
    const ref = refOf(hash, revision);
    refs.set(keyOf(ref), ref);
  }
  if (refs.size > most) throw refusal("attachments_too_many", { most });
  const files = new Map<string, File | undefined>();
  for (const [key, ref] of refs) files.set(key, await visibleFile(hub, author, ref));
  return files;
}

/** Directories cannot be attached. */
async function visibleFile(hub: Hub, author: Channel, ref: FileRef): Promise<File | undefined> {
  const file = await unlessMissing(findFile(hub, observerOf(author), ref));
  return file?.is_dir === 1 ? undefined : file;
}

function refOf(hash: string, revision: string | undefined): FileRef {
  return { hash: hash.toLowerCase(), ...(revision !== undefined && { revision: Number(revision) }) };
}

function keyOf({ hash, revision }: FileRef): string {
  return `${hash} ${revision ?? ""}`;
}

/** Words as an attribute of a code has them: without the signs that end it. */
export function withinTag(words: string): string {
  return words.replace(/\s+/g, " ").replaceAll('"', "'").replaceAll("[", "(").replaceAll("]", ")").trim();
}

/** Players are bbcode, so other texts have the file among their attachments only. */
function playerOf(hub: Hub, file: File, mimetype: string): string {
  const kind = /^(audio|video)\//.exec(file.filetype)?.[1];
  if (!kind || !["text/bbcode", "text/x-multicode"].includes(mimetype)) return "";
  const title = file.description === "" ? "" : ` title="${withinTag(file.description)}"`;
  return `[${kind}${title}]${revisionUrl(hub, file)}[/${kind}]`;
}

function entryOf(hub: Hub, file: File): object {
  return {
    href: fileUrl(hub, file),
    length: String(file.filesize),
    type: file.filetype,
    title: encodeURIComponent(file.filename),
    revision: String(file.revision),
  };
}
