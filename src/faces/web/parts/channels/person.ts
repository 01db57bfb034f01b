import type { Xchan } from "../../../../domain/identity/xchans/xchans.ts";
import { proxied } from "../../../../domain/proxy/addresses.ts";
import { loadUsers } from "../../../../domain/people/users.ts";
import { html } from "../../html.ts";
import { nameOf } from "./name.ts";
import type { Named } from "./name.ts";
import { withoutHost } from "../../local-path.ts";
import type { Html, PageContext } from "../../page.ts";

type Linked = Pick<Xchan, "xchan_url"> & Partial<Pick<Xchan, "xchan_id" | "xchan_network">>;

export type Face = Linked &
  Named &
  Pick<Xchan, "xchan_addr"> & {
    xchan_photo_m?: string;
    xchan_photo_s?: string;
  };

/**
 * Where a name leads: to somebody's own page, and members to ours about somebody of another hub. An address that is none of the
 * web leads nowhere.
 */
export function personUrl(context: PageContext, person: Linked): string {
  if (context.member && person.xchan_network === "activitypub" && person.xchan_id !== undefined)
    return `/person/${person.xchan_id}`;
  return /^https?:\/\//i.test(person.xchan_url) ? withoutHost(context.hub.config.baseUrl, person.xchan_url) : "#";
}

/** Somebody's picture, as decoration beside their name. */
export function avatar(
  context: PageContext,
  photo: string | undefined,
  size: "small" | "medium" | "large" = "medium",
): Html {
  const edge = { small: 28, medium: 44, large: 112 }[size];
  const src = withoutHost(context.hub.config.baseUrl, proxied(context.hub, photo ?? ""));
  return html`<img
    class="avatar-image ${size}"
    src="${src}"
    alt=""
    width="${edge}"
    height="${edge}"
    loading="lazy"
    decoding="async"
  />`;
}

/** What people say of themselves, by their numbers, as far as the visitor may see their profiles. */
export async function aboutsFor(
  { hub, observer }: PageContext,
  people: readonly Pick<Xchan, "xchan_id">[],
): Promise<Map<number, string>> {
  const ids = people.map((person) => person.xchan_id);
  const users = await loadUsers(hub, observer, ids);
  return new Map([...users.values()].map((user) => [user.xchan_id, user.xchan_about]));
}

/** A person in a list: picture, name, address, and whatever belongs to them there. */
export function personRow(
  context: PageContext,
  person: Face,
  more: { about?: Html | string; actions?: Html; id?: string } = {},
): Html {
  return html`<li class="person" ${more.id ? html`id="${more.id}"` : ""}>
    ${avatar(context, person.xchan_photo_m ?? person.xchan_photo_s)}
    <div class="person-words">
      <a class="name" href="${personUrl(context, person)}">${nameOf(context, person)}</a>
      <span class="address">${person.xchan_addr}</span>
      ${more.about ? html`<p class="about">${more.about}</p>` : ""}
    </div>
    ${more.actions ? html`<div class="person-actions">${more.actions}</div>` : ""}
  </li>`;
}
