import { z } from "zod";
import { uploadPhotosFor } from "../../../domain/cloud/channel-photos.ts";
import { stageBytes } from "../../../domain/files/blobs.ts";
import type { Caller } from "../../../domain/identity/accounts/caller.ts";
import { findChannelById } from "../../../domain/identity/channels/channels.ts";
import type { ShortField } from "../../../domain/identity/channels/channel-settings.ts";
import { changeAppearance, checkAppearance } from "../../../domain/people/appearance.ts";
import type { AppearanceChanges } from "../../../domain/people/appearance.ts";
import type { Use } from "../../../domain/photos/scales.ts";
import { HubError, missing } from "../../../errors.ts";
import type { Exchange, SentFile } from "../../../http/exchange.ts";
import { entriesOf, within } from "../../../http/nested.ts";
import { asText, lastOf } from "../../../http/values.ts";
import type { Hub } from "../../../hub.ts";
import { invalid, isYes, objects, optionalFlag, optionalTexts, readId, text } from "../parameters.ts";
import { quotersIn } from "../statuses/post-input.ts";

/** Parts of a form that are pictures. */
export const pictures: readonly string[] = ["avatar", "header"];

export const ownInput = z.object({
  display_name: text("Name of the channel, at least a character and at most 191."),
  note: text("The text about it; BBCode works."),
  avatar: text("A picture, as a part of a form or a data URL."),
  header: text("A cover picture, in the same ways."),
  locked: optionalFlag("Whoever wants to follow asks first; only a channel with a role of its own chooses that."),
  bot: optionalFlag("A program posts."),
  discoverable: optionalFlag("It is listed in the directory."),
  hide_collections: optionalFlag("Others do not see whom it is connected with."),
  fields_attributes: objects("What the profile says in short, up to 16 with `name` and `value`; they replace all."),
  attribution_domains: optionalTexts("Sites whose pages may name the caller as their author; they replace all."),
  private_means: text("Id of the group that `private` stands for in posts; empty for the caller's default audience."),
  source: objects("`privacy`: `public` or `private`; `sensitive`; `language`; `quote_policy`."),
});

export type OwnInput = z.output<typeof ownInput>;

/** The hub's refusals as this API says them. */
export const ownErrors = {
  name_needed: "Validation failed: Display name can't be blank",
  name_too_long: "Validation failed: Display name is too long",
  not_an_image: "Validation failed: Avatar or header is no picture",
  "too-large": [422, "Validation failed: File is too large"],
} as const;

const uses: Readonly<Record<string, Use>> = { avatar: "profile", header: "cover" };

/** Changes what the caller shows of itself (Mastodon contract 13.2); answers the caller as it is then. */
export async function changeOwn(hub: Hub, caller: Caller, input: OwnInput, exchange: Exchange): Promise<Caller> {
  const { channel } = caller;
  const changes = changesOf(input);
  await checkAppearance(hub, channel, changes);
  const sent = (await picturesOf(hub, input, exchange)).map(({ name, ...one }) => ({ ...one, use: uses[name]! }));
  await uploadPhotosFor(hub, channel, sent, (hub) => changeAppearance(hub, channel, changes));
  const changed = await findChannelById(hub, channel.channel_id);
  if (!changed) throw missing("Channel");
  return { ...caller, channel: changed };
}

function changesOf(input: OwnInput): AppearanceChanges {
  const source = wordsIn(entriesOf(input.source ?? []).at(-1) ?? {});
  return {
    name: input.display_name,
    about: input.note,
    fields: input.fields_attributes && fieldsIn(input.fields_attributes),
    listed: input.discoverable,
    hidesConnections: input.hide_collections,
    asksFirst: input.locked,
    program: input.bot,
    authorSites: input.attribution_domains,
    audience: audienceOf(source("privacy")),
    privateMeans: input.private_means === undefined ? undefined : groupIn(input.private_means),
    sensitive: isYes(source("sensitive")),
    language: source("language"),
    quoters: quotersIn(source("quote_policy"), "Default quote policy"),
  };
}

/** They come as a list, or by their places. */
function fieldsIn(sent: readonly unknown[]): ShortField[] {
  return entriesOf(sent).map((field) => {
    const word = wordsIn(field);
    return { name: word("name") ?? "", value: word("value") ?? "" };
  });
}

/** What stands under names within an object, as texts. */
function wordsIn(object: Readonly<Record<string, unknown>>): (name: string) => string | undefined {
  return (name) => asText(lastOf(within(object, name)));
}

function groupIn(named: string): number {
  if (named === "") return 0;
  const id = readId(named);
  if (id === undefined) throw invalid("Private means is not included in the list");
  return id;
}

function audienceOf(privacy: string | undefined): AppearanceChanges["audience"] {
  if (!privacy) return undefined;
  if (privacy === "public") return "everybody";
  if (privacy === "private") return "friends";
  throw invalid("Default privacy is not included in the list");
}

/** Parts of a form, or data URLs; empty ones change nothing. */
async function picturesOf(hub: Hub, input: OwnInput, exchange: Exchange): Promise<SentFile[]> {
  const parts = exchange.files.filter(({ staged }) => staged.size > 0);
  const staged: SentFile[] = [];
  for (const name of ["avatar", "header"] as const) {
    const part = parts.findLast((one) => one.name === name);
    const url = input[name]?.trim();
    if (part) staged.push(part);
    else if (url) staged.push(await stageUrl(hub, exchange, name, url));
  }
  return staged;
}

async function stageUrl(hub: Hub, exchange: Exchange, name: string, url: string): Promise<SentFile> {
  const [, type = "", base64] = /^data:([^;,]{0,100})[^,]{0,100};base64,([A-Za-z0-9+/=\s]+)$/i.exec(url) ?? [];
  if (base64 === undefined) throw invalid("Avatar or header is no picture");
  const bytes = Buffer.from(base64, "base64");
  if (bytes.length > hub.config.limits.upload)
    throw new HubError("too-large", "File is too large", { size: bytes.length });
  const file: SentFile = { name, filename: "", type, staged: await stageBytes(hub, bytes) };
  // What nobody keeps of it is removed after the answer, as of every part.
  exchange.files = [...exchange.files, file];
  return file;
}
