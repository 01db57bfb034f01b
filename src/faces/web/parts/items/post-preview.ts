import { imagesOf } from "../../../../domain/bodies/media.ts";
import { isHiddenById } from "../../../../domain/identity/xchans/xchans.ts";
import type { Item } from "../../../../domain/items/types.ts";
import type { User } from "../../../../domain/people/users.ts";
import type { PageContext } from "../../page.ts";
import type { Picture, Preview } from "../preview.ts";

type Post = Pick<Item, "html" | "plain" | "summary" | "created" | "edited" | "revision"> &
  Partial<Pick<Item, "item_nsfw" | "plink">>;

/** What others show of a post. Behind a warning stays what it warns of. */
export async function postPreview(context: PageContext, post: Post, author: User | undefined): Promise<Preview> {
  const isCovered = post.item_nsfw === 1 || post.summary !== "";
  const first = isCovered ? undefined : pictureIn(context, post.html);
  const face = author && ownPicture(context, author.xchan_photo_l);
  return {
    kind: "article",
    description: isCovered ? post.summary : post.plain,
    ...(author && !author.local && post.plink && { url: post.plink }),
    ...(author && { unlisted: !author.local || (await isHiddenById(context.hub, author.xchan_id)) }),
    picture: first ?? (face === undefined ? undefined : { url: face, alt: "", width: 0, height: 0, isLarge: false }),
    author: author && { name: author.xchan_name, url: author.xchan_url },
    published: post.created,
    ...(post.revision > 0 && { changed: post.edited }),
  };
}

function pictureIn(context: PageContext, laidOut: string): Picture | undefined {
  for (const { url, ...image } of imagesOf(laidOut)) {
    const own = ownPicture(context, url);
    if (own !== undefined) return { ...image, url: own, isLarge: true };
  }
  return undefined;
}

/** Pictures of other sites are theirs to show. */
function ownPicture({ hub }: PageContext, url: string): string | undefined {
  const { baseUrl } = hub.config;
  return URL.canParse(url, baseUrl) && new URL(url, baseUrl).origin === new URL(baseUrl).origin ? url : undefined;
}
