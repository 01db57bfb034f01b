import { describe, expect, test } from "vitest";
import { isGenuine, isKeyOf, rule } from "./authority.ts";
import type { Known, Ruling, Ways } from "./authority.ts";
import { readActivity } from "./translate/activity.ts";
import type { Activity } from "./translate/activity.ts";
import { readActor } from "./translate/actor.ts";
import type { Json } from "./translate/json.ts";
import { Node } from "./translate/node.ts";

/** Federation contract 9, as a table: what arrives, by which way, and what becomes of it. */

const ann = "https://a.example/users/ann";
const amy = "https://a.example/users/amy";
const eve = "https://e.example/users/eve";
const bob = "https://hub.example/channel/bob";
const ours = "https://hub.example/item/1";
const note = { id: "https://a.example/notes/1", type: "Note", attributedTo: ann, content: "hello" };
/** What Bob, who is of this hub, has said, and a conversation of Ann's. */
const said = { id: "https://hub.example/activity/1", type: "Create", actor: bob, object: ours };
const conversation = { id: "https://a.example/conversation/1", type: "OrderedCollection" };
const byAnn = { signer: ann };
const byEve = { signer: eve };
const json = 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"';

type Row = { what: string; is: object; by: Ways; known?: Omit<Known, "origin">; ruling: Ruling };

const asSent: Ruling = { do: "take", object: "as_sent" };
const byId: Ruling = { do: "take", object: "by_id" };
const drop = (why: "ours" | "foreign_id" | "unproven" | "not_owner" | "no_object"): Ruling => ({ do: "drop", why });
const fetched = (id: string, as: "activity" | "object" | "gone"): Ruling => ({ do: "fetch", id, as });

/** An activity of Ann's, unless it says otherwise. */
function activity(value: object): Activity {
  const whole = JSON.stringify({ id: "https://a.example/activities/1", actor: ann, ...value });
  return readActivity(Node.of(JSON.parse(whole) as Json)!) as Activity;
}

const anns: Row[] = [
  {
    what: "a post in a request that its author signed",
    is: { type: "Create", object: note },
    by: byAnn,
    ruling: asSent,
  },
  {
    what: "a post in an activity without an id",
    is: { id: undefined, type: "Create", object: note },
    by: byAnn,
    ruling: asSent,
  },
  {
    what: "a post that is only named",
    is: { type: "Create", object: note.id },
    by: byAnn,
    ruling: fetched(note.id, "object"),
  },
  {
    what: "a post with its author's proof, brought by somebody",
    is: { type: "Create", object: note },
    by: { ...byEve, proof: ann },
    ruling: asSent,
  },
  {
    what: "an activity that was fetched at its id",
    is: { type: "Create", object: note },
    by: { fetched: { asked: "https://a.example/activities/1", at: "https://a.example/activities/1.json", type: json } },
    ruling: asSent,
  },
  {
    what: "ids whose host is written otherwise",
    is: { actor: "https://A.example:443/users/ann", type: "Create", object: note },
    by: byAnn,
    ruling: asSent,
  },
  { what: "a changed post", is: { type: "Update", object: note }, by: byAnn, known: { owner: ann }, ruling: asSent },
  {
    what: "a changed profile",
    is: { type: "Update", object: { id: ann, type: "Person", inbox: `${ann}/inbox` } },
    by: byAnn,
    ruling: asSent,
  },
  { what: "a changed profile, by its id", is: { type: "Update", object: ann }, by: byAnn, ruling: byId },
  {
    what: "a deletion of what is known to be hers",
    is: { type: "Delete", object: note.id },
    by: byAnn,
    known: { owner: ann },
    ruling: byId,
  },
  {
    what: "a deletion of what nobody knows",
    is: { type: "Delete", object: { id: note.id, type: "Tombstone" } },
    by: byAnn,
    ruling: byId,
  },
  { what: "a deletion of herself", is: { type: "Delete", object: ann }, by: byAnn, ruling: byId },
  { what: "a like", is: { type: "Like", object: ours }, by: byAnn, ruling: byId },
  {
    what: "a like that is taken back",
    is: { type: "Undo", object: { id: `${ann}#like`, type: "Like", actor: ann, object: ours } },
    by: byAnn,
    ruling: asSent,
  },
  {
    what: "the same without an id",
    is: { type: "Undo", object: { type: "Like", actor: ann, object: ours } },
    by: byAnn,
    ruling: asSent,
  },
  {
    what: "the same by its id alone",
    is: { type: "Undo", object: "https://a.example/likes/1" },
    by: byAnn,
    ruling: asSent,
  },
  { what: "a share", is: { type: "Announce", object: "https://e.example/notes/9" }, by: byAnn, ruling: byId },
  { what: "a share of her own post, written out", is: { type: "Announce", object: note }, by: byAnn, ruling: asSent },
  {
    what: "an answer to our follow, whose id is ours",
    is: { type: "Accept", object: { id: "https://hub.example/follow/1", type: "Follow", actor: bob, object: ann } },
    by: byAnn,
    ruling: byId,
  },
  {
    what: "an answer to our follow without an id",
    is: { type: "Accept", object: { type: "Follow", actor: bob, object: ann } },
    by: byAnn,
    ruling: byId,
  },
  { what: "a move of herself", is: { type: "Move", object: ann, target: eve }, by: byAnn, ruling: byId },
  {
    what: "a pinned post",
    is: { type: "Add", object: note.id, target: `${ann}/featured` },
    by: byAnn,
    known: { targetOwner: ann },
    ruling: byId,
  },
  {
    what: "somebody's comment, in the conversation that is hers",
    is: {
      type: "Add",
      object: { id: "https://e.example/c/1", type: "Create", actor: eve, object: "https://e.example/n/1" },
      target: { id: "https://a.example/conversation/1", type: "OrderedCollection", attributedTo: ann },
    },
    by: byAnn,
    ruling: byId,
  },
  {
    what: "a comment of ours, in the conversation that is hers",
    is: { type: "Add", object: said, target: { ...conversation, attributedTo: ann } },
    by: byAnn,
    known: { owner: bob, threadOwner: ann },
    ruling: byId,
  },
  {
    what: "a post of ours that she announces as a group",
    is: { type: "Announce", object: said },
    by: byAnn,
    known: { owner: bob },
    ruling: byId,
  },
  {
    what: "somebody's comment that she takes out of her thread",
    is: { type: "Delete", object: "https://e.example/n/1" },
    by: byAnn,
    known: { owner: eve, threadOwner: ann },
    ruling: { do: "take_out", object: "https://e.example/n/1" },
  },
  {
    what: "a post of hers that wants to quote one of ours",
    is: { type: "QuoteRequest", object: ours, instrument: note },
    by: byAnn,
    known: { owner: bob, askingOwner: ann },
    ruling: byId,
  },
  {
    what: "the same, only named",
    is: { type: "QuoteRequest", object: ours, instrument: note.id },
    by: byAnn,
    ruling: byId,
  },
  {
    what: "our comment that she takes out of her thread",
    is: { type: "Delete", object: ours },
    by: byAnn,
    known: { owner: bob, threadOwner: ann },
    ruling: { do: "take_out", object: ours },
  },
];

test.each(anns)("$what", ({ is, by, known, ruling }) => {
  expect(rule(activity(is), by, { origin: "https://hub.example", ...known })).toEqual(ruling);
});

/** The forgery list of the contract (9, rule 7; 16, check 10), and its neighbours. */
const forgeries: Row[] = [
  {
    what: "the author is somebody else than who signed",
    is: { type: "Create", actor: ann, object: note },
    by: byEve,
    ruling: fetched(note.id, "object"),
  },
  {
    what: "a post of somebody else in one's own activity",
    is: { type: "Create", actor: ann, object: { ...note, attributedTo: amy } },
    by: byAnn,
    ruling: fetched(note.id, "object"),
  },
  {
    what: "a post of another host in one's own activity",
    is: { type: "Create", object: { ...note, id: "https://e.example/n/1", attributedTo: eve } },
    by: byAnn,
    ruling: fetched("https://e.example/n/1", "object"),
  },
  {
    what: "one's own post under an id of another host",
    is: { type: "Create", object: { ...note, id: "https://e.example/n/1" } },
    by: byAnn,
    ruling: fetched("https://e.example/n/1", "object"),
  },
  {
    what: "two authors, the first of whom is somebody else",
    is: { type: "Create", object: { ...note, attributedTo: [amy, ann] } },
    by: byAnn,
    ruling: fetched(note.id, "object"),
  },
  {
    what: "a post without an author",
    is: { type: "Create", object: { ...note, attributedTo: undefined } },
    by: byAnn,
    ruling: fetched(note.id, "object"),
  },
  {
    what: "a post without an id or author",
    is: { type: "Create", object: { type: "Note", content: "x" } },
    by: byAnn,
    ruling: drop("not_owner"),
  },
  {
    what: "an activity under an id of another host",
    is: { id: "https://e.example/1", type: "Create", object: note },
    by: byAnn,
    ruling: drop("foreign_id"),
  },
  {
    what: "an activity in our own name",
    is: { id: "https://hub.example/activity/1", actor: bob, type: "Like", object: note.id },
    by: byEve,
    ruling: drop("ours"),
  },
  {
    what: "a post under an id of our own",
    is: { type: "Create", object: { ...note, id: ours } },
    by: byAnn,
    ruling: drop("ours"),
  },
  {
    what: "a change of a post of ours",
    is: { type: "Update", object: { ...note, id: ours, attributedTo: bob } },
    by: byAnn,
    ruling: drop("ours"),
  },
  {
    what: "a deletion of a post of ours",
    is: { type: "Delete", object: ours },
    by: byAnn,
    known: { owner: bob },
    ruling: drop("ours"),
  },
  {
    what: "a forwarded deletion of a post of ours",
    is: { type: "Delete", object: ours },
    by: byEve,
    known: { owner: bob },
    ruling: drop("ours"),
  },
  {
    what: "a change by another actor of the same host",
    is: { type: "Update", actor: amy, object: note },
    by: { signer: amy },
    known: { owner: ann },
    ruling: drop("not_owner"),
  },
  {
    what: "a change by another actor of the same host, who claims it",
    is: { type: "Update", actor: amy, object: { ...note, attributedTo: amy } },
    by: { signer: amy },
    known: { owner: ann },
    ruling: drop("not_owner"),
  },
  {
    what: "a changed profile of somebody else on the same host",
    is: { type: "Update", actor: amy, object: { id: ann, type: "Person", inbox: `${amy}/inbox` } },
    by: { signer: amy },
    ruling: fetched(ann, "object"),
  },
  {
    what: "the same by its id",
    is: { type: "Update", actor: amy, object: ann },
    by: { signer: amy },
    ruling: fetched(ann, "object"),
  },
  {
    what: "a deletion of somebody else's on the same host",
    is: { type: "Delete", actor: amy, object: note.id },
    by: { signer: amy },
    known: { owner: ann },
    ruling: fetched(note.id, "gone"),
  },
  {
    what: "a deletion of somebody else's",
    is: { type: "Delete", object: "https://e.example/n/1" },
    by: byAnn,
    known: { owner: eve },
    ruling: fetched("https://e.example/n/1", "gone"),
  },
  {
    what: "a quotation that another actor of the same host asks for",
    is: { type: "QuoteRequest", actor: amy, object: ours, instrument: note },
    by: { signer: amy },
    ruling: drop("not_owner"),
  },
  {
    what: "a quotation that another actor of the same host asks for, who claims the post",
    is: { type: "QuoteRequest", actor: amy, object: ours, instrument: { ...note, attributedTo: amy } },
    by: { signer: amy },
    known: { askingOwner: ann },
    ruling: drop("not_owner"),
  },
  {
    what: "a quotation in a post of another host",
    is: { type: "QuoteRequest", actor: eve, object: ours, instrument: note.id },
    by: byEve,
    ruling: drop("foreign_id"),
  },
  {
    what: "a quotation in a post without an author",
    is: { type: "QuoteRequest", object: ours, instrument: { ...note, attributedTo: undefined } },
    by: byAnn,
    ruling: drop("not_owner"),
  },
  {
    what: "a quotation in nothing",
    is: { type: "QuoteRequest", object: ours },
    by: byAnn,
    ruling: drop("no_object"),
  },
  {
    what: "a quotation that somebody else asks for in her name",
    is: { type: "QuoteRequest", object: ours, instrument: note },
    by: byEve,
    ruling: fetched("https://a.example/activities/1", "activity"),
  },
  {
    what: "a deletion that somebody forwards",
    is: { type: "Delete", object: note.id },
    by: byEve,
    known: { owner: ann },
    ruling: fetched(note.id, "gone"),
  },
  {
    what: "a like that somebody forwards",
    is: { type: "Like", object: ours },
    by: byEve,
    ruling: fetched("https://a.example/activities/1", "activity"),
  },
  {
    what: "a like without an id that somebody forwards",
    is: { id: undefined, type: "Like", object: ours },
    by: byEve,
    ruling: drop("unproven"),
  },
  {
    what: "nobody vouches for it",
    is: { type: "Like", object: ours },
    by: {},
    ruling: fetched("https://a.example/activities/1", "activity"),
  },
  {
    what: "a like of somebody else's that is taken back",
    is: { type: "Undo", object: { id: "https://a.example/likes/1", type: "Like", actor: amy, object: ours } },
    by: byAnn,
    ruling: drop("not_owner"),
  },
  {
    what: "a like that is claimed, and known to be somebody else's",
    is: { type: "Undo", object: { id: "https://a.example/likes/1", type: "Like", actor: ann, object: ours } },
    by: byAnn,
    known: { owner: amy },
    ruling: drop("not_owner"),
  },
  {
    what: "a like of another host that is taken back",
    is: { type: "Undo", object: "https://e.example/likes/1" },
    by: byAnn,
    ruling: drop("not_owner"),
  },
  {
    what: "a like of ours that is taken back",
    is: { type: "Undo", object: { id: "https://hub.example/activity/1", type: "Like", actor: ann } },
    by: byAnn,
    ruling: drop("not_owner"),
  },
  {
    what: "a share with an altered note",
    is: {
      type: "Announce",
      object: { id: "https://e.example/n/1", type: "Note", attributedTo: eve, content: "altered" },
    },
    by: byAnn,
    ruling: byId,
  },
  {
    what: "a share of a note that claims to be hers, under another host's id",
    is: { type: "Announce", object: { id: "https://e.example/n/1", type: "Note", attributedTo: ann } },
    by: byAnn,
    ruling: byId,
  },
  {
    what: "a share of an activity with two names on it",
    is: { type: "Announce", object: { id: "https://a.example/x", type: "Create", actor: amy, attributedTo: ann } },
    by: byAnn,
    ruling: byId,
  },
  {
    what: "a share of a post of ours, written out",
    is: { type: "Announce", object: { id: ours, type: "Note", attributedTo: ann, content: "altered" } },
    by: byAnn,
    ruling: byId,
  },
  {
    what: "a share of nothing that has an id",
    is: { type: "Announce", object: { type: "Note", content: "x" } },
    by: byAnn,
    ruling: drop("no_object"),
  },
  { what: "a like of nothing", is: { type: "Like" }, by: byAnn, ruling: drop("no_object") },
  {
    what: "a move of somebody else",
    is: { type: "Move", object: amy, target: bob },
    by: byAnn,
    ruling: drop("not_owner"),
  },
  {
    what: "a pin in a collection of somebody else",
    is: { type: "Add", object: note.id, target: `${amy}/featured` },
    by: byAnn,
    known: { targetOwner: amy },
    ruling: drop("not_owner"),
  },
  {
    what: "a pin in a collection that nobody knows",
    is: { type: "Add", object: note.id, target: `${ann}/unknown` },
    by: byAnn,
    ruling: drop("not_owner"),
  },
  {
    what: "a collection of another host that claims to be hers",
    is: { type: "Add", object: note.id, target: { id: "https://e.example/c", attributedTo: ann } },
    by: byAnn,
    ruling: drop("not_owner"),
  },
  {
    what: "a comment of ours, in a conversation that is somebody else's",
    is: { type: "Add", object: said, target: { ...conversation, attributedTo: amy } },
    by: byAnn,
    known: { owner: bob, threadOwner: amy },
    ruling: drop("not_owner"),
  },
  {
    what: "a comment of ours, in a conversation that is only named",
    is: { type: "Add", object: said, target: conversation.id },
    by: byAnn,
    known: { owner: bob, threadOwner: amy },
    ruling: drop("not_owner"),
  },
  {
    what: "a comment of ours, that somebody of another host adds to her conversation",
    is: {
      id: "https://e.example/1",
      type: "Add",
      actor: eve,
      object: said,
      target: { ...conversation, attributedTo: eve },
    },
    by: byEve,
    known: { owner: bob, threadOwner: ann },
    ruling: drop("not_owner"),
  },
  ...["Add", "Announce"].map((type) => ({
    what: `a comment of ours, that somebody else hands on in her name (${type})`,
    is: { type, object: said, target: { ...conversation, attributedTo: ann } },
    by: byEve,
    known: { owner: bob, threadOwner: ann },
    ruling: fetched("https://a.example/activities/1", "activity"),
  })),
  ...["Add", "Announce"].map((type) => ({
    what: `a comment of ours, that is handed on in our own name (${type})`,
    is: { id: "https://hub.example/x", type, actor: bob, object: said, target: { ...conversation, attributedTo: bob } },
    by: byEve,
    ruling: drop("ours"),
  })),
  {
    what: "an id that differs in case",
    is: { type: "Update", object: { ...note, attributedTo: "https://a.example/users/Ann" } },
    by: byAnn,
    ruling: fetched(note.id, "object"),
  },
  {
    what: "a signer that differs in case",
    is: { type: "Create", object: note },
    by: { signer: "https://a.example/users/Ann" },
    ruling: fetched(note.id, "object"),
  },
];

test.each(forgeries)("forged: $what", ({ is, by, known, ruling }) => {
  expect(rule(activity(is), by, { origin: "https://hub.example", ...known })).toEqual(ruling);
});

describe("what was fetched", () => {
  const at = (changes: object): Ways => ({ fetched: { asked: note.id, at: note.id, type: json, ...changes } });

  test.each([
    ["at its id", at({}), true],
    ["after a redirect within its origin", at({ at: "https://a.example/notes/1.json" }), true],
    ["as the other type", at({ type: "application/activity+json; charset=utf-8" }), true],
    ["after a redirect to somebody else", at({ at: "https://e.example/notes/1" }), false],
    ["under another id", at({ asked: "https://a.example/notes/2" }), false],
    ["as JSON that somebody uploaded", at({ type: "application/json" }), false],
    ["as a page", at({ type: "text/html" }), false],
    ["as a type that begins alike", at({ type: "application/activity+jsonx" }), false],
  ])("%s", (_, ways, genuine) => {
    expect(isGenuine(note.id, ann, ways)).toBe(genuine);
  });

  test("says nothing about owners of other hosts, nor about what has no id", () => {
    expect(isGenuine(note.id, eve, at({}))).toBe(false);
    expect(isGenuine(undefined, ann, at({}))).toBe(false);
  });
});

describe("key and owner", () => {
  const key = { id: `${ann}#main-key`, owner: ann, text: "PEM" };
  const actor = (publicKey: unknown) =>
    readActor(Node.of({ id: ann, type: "Person", inbox: `${ann}/inbox`, publicKey } as Json)!)!;
  const written = (changes: object) => actor({ id: key.id, owner: ann, publicKeyPem: "PEM", ...changes });

  test("name each other, the key in the actor or in a document of its own", () => {
    expect(isKeyOf(key, written({}))).toBe(true);
    expect(isKeyOf({ ...key, id: `${ann}/key` }, actor(`${ann}/key`))).toBe(true);
  });

  test.each([
    ["a key of somebody else", { ...key, owner: amy }, written({})],
    ["a key without an owner", { ...key, owner: undefined }, written({})],
    ["a key that the actor does not name", { ...key, id: `${ann}#other` }, written({})],
    [
      "a key at another host that names her",
      { id: "https://e.example/key", owner: ann, text: "PEM" },
      actor("https://e.example/key"),
    ],
    ["an actor without a key", key, actor(undefined)],
  ])("%s is not hers", (_, strange, whose) => {
    expect(isKeyOf(strange, whose)).toBe(false);
  });
});
