import type { Channel } from "../../../../domain/identity/channels/channel.ts";
import { newPlace } from "../../../../domain/identity/channels/moved.ts";
import { html } from "../../html.ts";
import { linkTo } from "../../languages/say.ts";
import type { Html, PageContext } from "../../page.ts";

/** On every page of whose own channel has moved away: nearly all that pages offer is refused from then on. */
export async function ownMove(context: PageContext): Promise<Html> {
  return context.member ? movedNotice(context, context.member.channel) : html``;
}

/** Where a channel is that has moved away, and that it can only be read here; nothing for all others. */
export async function movedNotice({ hub, say }: PageContext, channel: Channel): Promise<Html> {
  const place = await newPlace(hub, channel);
  if (!place) return html``;
  return html`<p class="alert">
    ${say.html("channels.moved-to", { address: place.address || place.url, place: linkTo(place.url) })}
  </p>`;
}
