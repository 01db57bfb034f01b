import { postItem } from "../../../../domain/items/posting/post.ts";
import type { Draft, Item } from "../../../../domain/items/types.ts";
import type { Fields } from "../../fields.ts";
import type { MemberContext } from "../../page.ts";
import { mediaIdsOf } from "./chosen-media.ts";
import { formatOf } from "./draft.ts";
import { languageOf } from "./languages.ts";
import { rememberFormat } from "./take-post.ts";
import { takeWriting } from "./take-writing.ts";
import type { Again } from "./take-writing.ts";

type Options = {
  /** What it answers; asked for when the comment is sent. */
  parent: () => Promise<NonNullable<Draft["parent"]>>;
  again: Again;
  done: (item: Item) => Promise<Response> | Response;
};

/** Takes the form for a comment, wherever that stands. */
export function takeComment(context: MemberContext, sent: Fields, { parent, again, done }: Options): Promise<Response> {
  return takeWriting(context, sent, {
    files: true,
    format: (typed) => formatOf(context, typed),
    again,
    async send(typed) {
      const item = await postItem(context.hub, context.member.channel, {
        body: typed.text("body"),
        mimetype: formatOf(context, typed),
        parent: await parent(),
        ...(typed.word("summary") !== "" && { summary: typed.word("summary") }),
        ...languageOf(context, typed),
        mediaIds: mediaIdsOf(typed),
        // The thread may belong to somebody else; whoever reads the comment sees its files.
        sharesFiles: true,
      });
      await rememberFormat(context, typed);
      return done(item);
    },
  });
}
