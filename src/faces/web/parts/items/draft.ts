import { splitCategories } from "../../../../domain/bodies/tags.ts";
import { textFormats } from "../../../../domain/identity/channels/channel-settings.ts";
import type { TextFormat } from "../../../../domain/identity/channels/channel-settings.ts";
import type { Draft } from "../../../../domain/items/types.ts";
import { storedMoment } from "../../../../http/dates.ts";
import { fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import type { MemberContext } from "../../page.ts";
import { readMoment } from "../moment-field.ts";
import { mediaIdsOf } from "./chosen-media.ts";
import { interactionOf } from "./interaction.ts";
import { languageOf } from "./languages.ts";
import { readPoll } from "./poll-fields.ts";

/** What the form for a new post says, its audience apart. Throws invalid. */
export function draftOf(context: MemberContext, typed: Fields): Draft {
  const categories = splitCategories(typed.text("category"));
  const created = readMoment(context, typed, "publish_at");
  const poll = readPoll(context.say, typed, created === undefined ? context.now : storedMoment(created));
  return {
    body: typed.text("body"),
    mimetype: formatOf(context, typed),
    mediaIds: mediaIdsOf(typed),
    ...(typed.word("title") !== "" && { title: typed.word("title") }),
    ...(typed.word("summary") !== "" && { summary: typed.word("summary") }),
    ...(typed.word("location") !== "" && { location: typed.word("location") }),
    ...(typed.has("unlisted") && { unlisted: true }),
    ...(created !== undefined && { created, waits: true }),
    ...(poll && { poll, allowEmpty: true }),
    ...languageOf(context, typed),
    ...interactionOf(context.say, typed),
    ...(categories.length > 0 && { categories }),
  };
}

/** What the text is written in; a form without the field is for bbcode. Throws invalid. */
export function formatOf({ say }: MemberContext, typed: Fields): TextFormat {
  const name = typed.text("mimetype") || "text/bbcode";
  const format = textFormats.find((known) => known === name);
  if (!format) throw fault("mimetype", say("composer.choose-format"));
  return format;
}
