import { afterAll, beforeAll, expect, test } from "vitest";
import { actorOf } from "../../../test/support/actors.ts";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { password } from "../../../test/support/hub.ts";
import { arrivesIn } from "../../../test/support/incoming.ts";
import { visitorOf } from "../../../test/support/visitor.ts";
import type { Visitor } from "../../../test/support/visitor.ts";
import { connect, receiveAccept } from "../../domain/connections/connections.ts";
import type { Xchan } from "../../domain/identity/xchans/xchans.ts";
import { linkId } from "../../domain/items/links.ts";
import { meetActor } from "../../domain/peers/meet-actor.ts";

/** The page of a thread of another hub (federation contract 17). */

const everybody = "https://www.w3.org/ns/activitystreams#Public";
let world: TestApp;
let alma: Person;
let member: Visitor;
let carla: Xchan;
let dora: Xchan;

beforeAll(async () => {
  world = await openTestApp();
  alma = await world.person("alma", { role: "social" });
  [carla, dora] = [await meetActor(world.hub, actorOf("carla")), await meetActor(world.hub, actorOf("dora"))];
  await connect(world.hub, alma.channel, carla);
  await receiveAccept(world.hub, alma.channel, carla);
  member = visitorOf(world.app);
  await member.logIn("alma", password);
});
afterAll(() => world.close());

let last = 0;
/** A note of Carla's, and where it is shown here. */
async function note(more: object = {}, by = carla): Promise<{ id: string; path: string }> {
  const id = `https://far.example/notes/${++last}`;
  const addressed = { to: [everybody], cc: [`${by.xchan_hash}/followers`] };
  const object = { id, type: "Note", attributedTo: by.xchan_hash, content: "<p>Hello</p>", ...addressed, ...more };
  const url = `https://far.example/@${by.xchan_name}/${last}`;
  const activity = {
    id: `${id}/create`,
    type: "Create",
    actor: by.xchan_hash,
    object: { url, ...object },
    ...addressed,
  };
  await arrivesIn(world.hub)(activity, [alma.channel]);
  return { id, path: `/display/${encodeURIComponent(linkId("http://hub.example", id))}` };
}
const wordsAt = async (path: string): Promise<string> => {
  const { status, text } = await member.get(path);
  expect(status).toBe(200);
  return text.replace(/^[^]*<main/, "").replaceAll(/\s+/g, " ");
};

test("says where it is at home, and how much of it may be missing", async () => {
  const { id, path } = await note({ replies: { type: "Collection", totalItems: 3 } });
  const link = `<a href="https://far.example/@Carla/${last}" rel="nofollow noopener">See it on far.example</a>`;
  expect(await wordsAt(path)).toContain(`0 of 3 answers are here, as far as that hub says. ${link}`);
  await note({ inReplyTo: id }, dora);
  expect(await wordsAt(path)).toContain("1 of 3 answers are here");
  const other = await note({ replies: "https://far.example/notes/x/replies" });
  const words = await wordsAt(other.path);
  expect(words).toContain("See it on far.example");
  expect(words).not.toContain("answers are here");
});

test.each([
  ["everybody", [everybody], ""],
  ["followers", [`https://far.example/users/dora/followers`], "lets only their followers answer it"],
  ["nobody", ["https://far.example/users/dora"], "lets nobody else answer it"],
])("for answers by %s it has a form, or says why not", async (_, automaticApproval, why) => {
  const interactionPolicy = { canReply: { automaticApproval } };
  const words = await wordsAt(
    (await note({ to: [everybody, "http://hub.example/channel/alma"], interactionPolicy }, dora)).path,
  );
  if (why === "") expect(words).toContain('name="body"');
  else expect(words).toContain(why);
});
