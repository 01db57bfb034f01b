import type { Node } from "./node.ts";
import { tagsOf } from "./tags.ts";
import type { Tags } from "./tags.ts";

/** What somebody elsewhere did, as it is told. Nothing of it is judged yet (federation contract 9). */
export type Activity = {
  id: string | undefined;
  type: string;
  actor: string;
  /** What it was done to: written out here, or by id; several where there are several (Flag). */
  objects: (Node | string)[];
  targets: (Node | string)[];
  results: (Node | string)[];
  instruments: (Node | string)[];
  to: string[];
  cc: string[];
  audience: string[];
  /** The emoji of a reaction. */
  content: string | undefined;
  emojis: Tags["emojis"];
  published: Date | undefined;
  updated: Date | undefined;
};

export type ActivityFault = "no_type" | "no_actor" | "id_unreadable";

/** An activity, or why it cannot be one. An activity may lack an id; one that cannot be read is another matter. */
export function readActivity(node: Node): Activity | ActivityFault {
  const [type] = node.types;
  const [actor, ...others] = node.ids("actor");
  if (type === undefined) return "no_type";
  if (actor === undefined || others.length > 0) return "no_actor";
  if (node.has("id") && node.id === undefined) return "id_unreadable";
  return {
    id: node.id,
    type,
    actor,
    objects: node.members("object"),
    targets: node.members("target"),
    results: node.members("result"),
    instruments: node.members("instrument"),
    to: node.ids("to"),
    cc: node.ids("cc"),
    audience: node.ids("audience"),
    content: node.text("content") ?? node.text("_misskey_reaction"),
    emojis: tagsOf(node).emojis,
    published: node.date("published"),
    updated: node.date("updated"),
  };
}
