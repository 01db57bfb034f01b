import { quoters } from "../../../../domain/identity/channels/channel-settings.ts";
import type { Draft } from "../../../../domain/items/types.ts";
import { fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import type { Say } from "../../languages/say.ts";

/** Who may answer and quote a new post: as usual, or fewer. */

type Choices = readonly (readonly [value: string, label: string])[];

export function commenterChoices(say: Say): Choices {
  return [
    ["", say("composer.choice-usual")],
    ["connections", say("composer.choice-connections")],
    ["nobody", say("composer.choice-nobody")],
  ];
}

export function quoterChoices(say: Say): Choices {
  return [
    ["", say("composer.choice-usual")],
    ["everybody", say("composer.choice-everybody")],
    ["connections", say("composer.choice-connections")],
    ["nobody", say("composer.choice-nobody")],
  ];
}

/** What the form says of it; a form without these fields says nothing. */
export function interactionOf(say: Say, typed: Fields): Pick<Draft, "commenters" | "nocomment" | "quoters"> {
  return { ...commentersOf(say, typed.text("commenters")), ...quotersOf(say, typed.text("quoters")) };
}

function commentersOf(say: Say, word: string): Pick<Draft, "commenters" | "nocomment"> {
  switch (word) {
    case "":
      return {};
    case "connections":
      return { commenters: "connections" };
    case "nobody":
      return { nocomment: true };
    default:
      throw fault("commenters", say("composer.choose-who-answers"));
  }
}

function quotersOf(say: Say, word: string): Pick<Draft, "quoters"> {
  if (word === "") return {};
  const chosen = quoters.find((one) => one === word);
  if (!chosen) throw fault("quoters", say("composer.choose-who-quotes"));
  return { quoters: chosen };
}
