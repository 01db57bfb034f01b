import type { Announcement } from "../../../../domain/announcements/announcements.ts";
import { html, raw } from "../../html.ts";
import type { Html, PageContext } from "../../page.ts";
import { back, inPlace, token } from "../forms.ts";
import { time } from "../times.ts";

/** What those who run the hub say to all members, until each has dismissed it. */
export function cardsOfAnnouncements(context: PageContext, all: readonly Announcement[]): Html {
  const { say } = context;
  if (all.length === 0) return html``;
  return html`<section class="announcements" aria-label="${say("announcements.title")}">
    ${all.map(
      ({ id, html: words, published }) =>
        html`<div class="card announcement" id="announcement-${id}">
          <div class="prose">${raw(words)}</div>
          <div class="announcement-foot">
            <small>${time(context, published)}</small>
            <form
              method="post"
              action="/announcements/dismiss"
              class="inline"
              ${inPlace("/announcements/dismiss", `#announcement-${id}`)}
            >
              ${token(context)}${back(context)}<input type="hidden" name="id" value="${id}" />
              <button class="button quiet">${say("announcements.dismiss")}</button>
            </form>
          </div>
        </div>`,
    )}
  </section>`;
}
