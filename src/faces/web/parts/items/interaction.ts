import { quoters } from "../../../../domain/identity/channels/channel-settings.ts";
import type { Draft } from "../../../../domain/items/types.ts";
import { fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";

/** Who may answer and quote a new post: as usual, or fewer. */

export const commenterChoices = [
  ["", "As usual"],
  ["connections", "Only my connections"],
  ["nobody", "Nobody"],
] as const;

export const quoterChoices = [
  ["", "As usual"],
  ["everybody", "Everybody"],
  ["connections", "Only my connections"],
  ["nobody", "Nobody"],
] as const;

/** What the form says of it; a form without these fields says nothing. */
export function interactionOf(typed: Fields): Pick<Draft, "commenters" | "nocomment" | "quoters"> {
  return { ...commentersOf(typed.text("commenters")), ...quotersOf(typed.text("quoters")) };
}

function commentersOf(word: string): Pick<Draft, "commenters" | "nocomment"> {
  switch (word) {
    case "":
      return {};
    case "connections":
      return { commenters: "connections" };
    case "nobody":
      return { nocomment: true };
    default:
      throw fault("commenters", "Choose who may answer.");
  }
}

function quotersOf(word: string): Pick<Draft, "quoters"> {
  if (word === "") return {};
  const chosen = quoters.find((one) => one === word);
  if (!chosen) throw fault("quoters", "Choose who may quote it.");
  return { quoters: chosen };
}
