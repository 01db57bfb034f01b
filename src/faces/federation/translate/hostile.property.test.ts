import fc from "fast-check";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { size } from "../../../../test/support/size.ts";
import { readActivity } from "./activity.ts";
import { readActor } from "./actor.ts";
import { readCollection } from "./collection.ts";
import { isForeignId } from "../../../domain/identity/xchans/foreign-ids.ts";
import { readJson } from "./json.ts";
import type { Json } from "./json.ts";
import { keyIn } from "./key.ts";
import { mostItems, mostRecipients, Node } from "./node.ts";
import { readPost } from "./object.ts";

/** Whatever is put where something else should be, the reader answers a value or none; it never throws, and never hands on an id that is none. */

const documents = globSync(join(import.meta.dirname, "corpus/*.json")).flatMap(
  (file) => JSON.parse(readFileSync(file, "utf8")) as Json[],
);

const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>,
  fc.constantFrom<Json>(
    null,
    [],
    {},
    [[]],
    [[[{}]]],
    { "@id": 7 },
    { "@value": null },
    { "@list": { "@list": [{ "@set": 1 }] } },
    { "@graph": [{ id: "https://a.example/1" }] },
    { "@context": { id: "@type", type: "@id", "@id": "@id" } },
    { "@context": { as: "https://evil.example/", x: "x:x", y: { "@id": "y" } } },
    { toString: 1, valueOf: 2, hasOwnProperty: 3 },
    -1e308,
    "\uFFFD",
    "https://a.example/ x",
    "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59Z",
    "\u202Egnp.exe",
  ),
);

test("nothing that stands in a document makes the reader throw", () => {
  const changes = fc.array(fc.record({ at: fc.nat(), value: odd, gone: fc.boolean() }), { maxLength: 4 });
  fc.assert(
    fc.property(fc.constantFrom(...documents), changes, (document, changes) => {
      const changed = structuredClone(document);
      for (const { at, value, gone } of changes) change(changed, at, value, gone);
      const read = readJson(Buffer.from(JSON.stringify(changed)));
      const node = Node.of("value" in read ? read.value : undefined);
      if (node) look(node);
    }),
    { numRuns: size(1000, 50_000) },
  );
});

test("nor does any other JSON", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const node = Node.of(value as Json);
      if (node) look(node);
    }),
    { numRuns: size(300, 10_000) },
  );
});

/** Reads everything there is, and looks whether each id is one. */
function look(node: Node): void {
  const [actor, activity, post, collection] = [
    readActor(node),
    readActivity(node),
    readPost(node),
    readCollection(node),
  ];
  keyIn(node, "https://a.example/u#key");
  const ids = [node.id, actor?.id, actor?.inbox, actor?.sharedInbox, post?.id, post?.inReplyTo, collection?.next];
  if (typeof activity !== "string") ids.push(activity.id, activity.actor, ...activity.to);
  ids.push(...(post?.to ?? []), ...(post?.attributedTo ?? []), ...(actor?.alsoKnownAs ?? []));
  expect(ids.filter((id) => id !== undefined && !isForeignId(id))).toEqual([]);
  for (const inner of node.nodes("object")) look(inner);
}

/** Puts a value in the place of one of all those in a document. */
function change(document: Json, at: number, value: Json, gone: boolean): void {
  const places: [any, string][] = [];
  const walk = (parent: any): void => {
    for (const key of Object.keys(parent)) {
      places.push([parent, key]);
      if (typeof parent[key] === "object" && parent[key] !== null) walk(parent[key]);
    }
  };
  walk(document);
  const [parent, key] = places[at % places.length] ?? [{}, ""];
  if (gone) delete parent[key];
  else parent[key] = structuredClone(value);
}

test("of a list only so many members are read, and the rest costs nothing", () => {
  const tag = Array.from({ length: 10_000 }, (_, at) => ({ type: "Mention", href: `https://a.example/u/${at}` }));
  const post = readPost(Node.of({ id: "https://a.example/1", type: "Note", tag, to: tag.map(({ href }) => href) })!)!;
  expect([post.mentions.length, post.to.length]).toEqual([mostItems, mostRecipients]);
});
