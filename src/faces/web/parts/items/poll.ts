import { hasEnded, pollOf } from "../../../../domain/items/poll.ts";
import type { Poll } from "../../../../domain/items/poll.ts";
import type { Item } from "../../../../domain/items/types.ts";
import { html } from "../../html.ts";
import type { Html, PageContext } from "../../page.ts";
import type { Feed } from "./feed.ts";
import { back, inPlace, token } from "../forms.ts";
import { anchorOf } from "../item-paths.ts";
import { time } from "../times.ts";

/** What a poll asks: its options to choose from, or what was chosen, for those who may not vote or have done so, and once it has ended. */
export function pollPart(context: PageContext, feed: Feed, item: Item): Html {
  const poll = pollOf(item);
  if (!poll) return html``;
  if (feed.openPolls.has(item.message_id)) return ballot(context, item, poll);
  return result(context, item, poll, feed.votes.get(item.message_id) ?? [], hasEnded(context.hub, poll));
}

function ballot(context: PageContext, item: Item, poll: Poll): Html {
  const type = poll.several ? "checkbox" : "radio";
  const path = `/item/${item.id}/vote`;
  return html`<form
    class="poll"
    id="${pollId(item)}"
    method="post"
    action="${path}"
    ${inPlace(path, `#${pollId(item)}`)}
  >
    ${token(context)}${back(context)}
    <fieldset>
      <legend class="unseen">${context.say(poll.several ? "items.choose-some" : "items.choose-one")}</legend>
      ${poll.options.map(
        ({ name, votes }, place) =>
          html`<label class="poll-option">
            <input type="${type}" name="choice" value="${place}" ${poll.several ? "" : "required"} />
            <bdi>${name}</bdi> <span class="count">${context.say("items.votes", { count: votes })}</span>
          </label>`,
      )}
    </fieldset>
    <p class="poll-foot">
      <button class="button small">${context.say("items.vote")}</button>
      <span class="hint">${state(context, poll, false)}</span>
    </p>
  </form>`;
}

function pollId(item: Item): string {
  return `poll-${anchorOf(item)}`;
}

function result(context: PageContext, item: Item, poll: Poll, own: readonly string[], over: boolean): Html {
  const most = Math.max(1, ...poll.options.map(({ votes }) => votes));
  return html`<div class="poll" id="${pollId(item)}" tabindex="-1">
    <ul>
      ${poll.options.map(
        ({ name, votes }) =>
          html`<li class="poll-option">
            <bdi>${name}</bdi>
            ${own.includes(name) ? html`<span class="meta">${context.say("items.your-choice")}</span>` : ""}
            <span class="count">${context.say("items.votes", { count: votes })}</span>
            <progress max="${most}" value="${votes}" aria-hidden="true"></progress>
          </li>`,
      )}
    </ul>
    <p class="poll-foot"><span class="hint">${state(context, poll, over)}</span></p>
  </div>`;
}

/** How many took part, and until when one can. */
function state(context: PageContext, { voters, options, ends }: Poll, over: boolean): Html {
  const total = options.reduce((sum, { votes }) => sum + votes, 0);
  const { say } = context;
  const people = voters === undefined ? say("items.votes", { count: total }) : say("items.voters", { count: voters });
  if (ends === undefined) return html`${over ? say("items.poll-over", { people }) : people}`;
  return say.html(over ? "items.poll-ended" : "items.poll-ends", { people, time: time(context, ends) });
}
