import { afterAll, beforeAll, expect, test } from "vitest";
import { block, blockHost, connect, receiveFollow } from "../src/domain/connections/connections.ts";
import { removeChannel } from "../src/domain/connections/remove-channel.ts";
import { setAccountFlag, setLimited } from "../src/domain/identity/accounts/accounts.ts";
import { postItem } from "../src/domain/items/posting/post.ts";
import { meetActor } from "../src/domain/peers/meet-actor.ts";
import { setSiteBlock } from "../src/domain/peers/site-blocks.ts";
import { dismissSuggestion } from "../src/domain/people/suggestions.ts";
import { actorOf } from "./support/actors.ts";
import { openTestApp } from "./support/app.ts";
import type { Person, TestApp } from "./support/app.ts";
import type { Client } from "./support/client.ts";
import { password } from "./support/hub.ts";
import { mastodonPerson } from "./support/mastodon.ts";
import { befriend, mark } from "./support/people.ts";
import { visitorOf } from "./support/visitor.ts";
import type { Visitor } from "./support/visitor.ts";

/** Who is suggested to whom: for audiences and messages, while somebody types a name, and to connect with. A new door gets a row here. */

let world: TestApp;
let ann: Person;
let visitor: Visitor;

/** Everybody of this world has a name that ends so, and a nick that begins so. */
const surname = "Quist";
const nicks = "qu-";

/** Those of this hub, by what they are to ann. */
const here = [
  "friend",
  "hidden friend",
  "limited friend",
  "suspended friend",
  "removed friend",
  "blocked friend",
  "blocking friend",
  "ignored friend",
  "archived friend",
  "asking",
  "stranger",
  "hidden stranger",
  "limited stranger",
  "suspended stranger",
  "removed stranger",
  "blocked stranger",
  "blocking stranger",
  "dismissed stranger",
] as const;
/** Those of elsewhere. */
const far = ["far friend", "far asking", "far of a blocked server", "far of a suspended server"] as const;

/** Who is suspended reads nothing, and is nobody to choose; whoever had chosen them before still has (locked-out.test.ts). */
const audience: readonly Who[] = [
  "friend",
  "hidden friend",
  "limited friend",
  "blocking friend",
  "ignored friend",
  "far friend",
];
const recipients = audience.filter((who) => who !== "blocking friend");
/** Who may be named in a text: all of one's own, and people of this hub who do not hide. */
const mentioned: readonly Who[] = [
  "friend",
  "hidden friend",
  "limited friend",
  "suspended friend",
  "blocking friend",
  "archived friend",
  "asking",
  "stranger",
  "blocking stranger",
  "dismissed stranger",
  "far friend",
  "far asking",
];

type Who = (typeof here)[number] | (typeof far)[number];

beforeAll(async () => {
  world = await openTestApp();
  const { hub } = world;
  ann = await world.person("ann");
  const people = new Map<Who, Person>();
  for (const who of here) {
    const person = await world.person(nickOf(who), { name: nameOf(who) });
    people.set(who, person);
    if (who.endsWith("friend")) await befriend(hub, ann.channel, person.channel);
    await postItem(hub, person.channel, { body: "I am new" });
  }
  const is = (who: Who): Person["channel"] => people.get(who)!.channel;
  await connect(hub, is("asking"), { xchan_hash: ann.channel.channel_hash });
  for (const who of here) await become(who, is(who));
  for (const who of far) {
    const nick = nickOf(who);
    const host = `${nick}.example`;
    const id = `https://${host}/users/${nick}`;
    const more = { id, address: `${nick}@${host}`, url: id, keys: [], inbox: `${id}/inbox`, sharedInbox: "" };
    const xchan = await meetActor(hub, actorOf(nick, { ...more, name: nameOf(who) }));
    await receiveFollow(hub, ann.channel, xchan, `${id}/follows/ann`);
    if (who !== "far asking") await connect(hub, ann.channel, xchan);
  }
  await blockHost(hub, ann.channel, `${nickOf("far of a blocked server")}.example`, "block");
  await setSiteBlock(hub, {
    domain: `${nickOf("far of a suspended server")}.example`,
    level: "suspend",
    noMedia: false,
  });
  await world.work();
  visitor = visitorOf(world.app);
  await visitor.logIn("ann", password);
});
afterAll(() => world?.close());

/** What is said of them comes true. */
async function become(who: Who, { channel_account_id: account, ...channel }: Person["channel"]): Promise<void> {
  const { hub } = world;
  const [how] = who.split(" ");
  const other = { channel_account_id: account, ...channel };
  if (how === "hidden")
    await hub.db.updateTable("xchan").set({ xchan_hidden: 1 }).where("xchan_id", "=", channel.xchan_id).execute();
  if (how === "limited") await setLimited(hub, account, true);
  if (how === "suspended") await setAccountFlag(hub, account, "blocked", true);
  if (how === "removed") await removeChannel(hub, channel.channel_id);
  if (who === "blocked friend") await mark(hub, ann.channel, other, { blocked: true });
  if (who === "blocking friend") await mark(hub, other, ann.channel, { blocked: true });
  if (who === "ignored friend") await mark(hub, ann.channel, other, { ignored: true });
  if (who === "archived friend") await mark(hub, ann.channel, other, { archived: true });
  if (who === "blocked stranger") await block(hub, ann.channel, somebody(other));
  if (who === "blocking stranger") await block(hub, other, somebody(ann.channel));
  if (who === "dismissed stranger") await dismissSuggestion(hub, ann.channel, channel.channel_hash);
}

const somebody = ({ channel_hash: xchan_hash }: Person["channel"]) => ({ xchan_hash, xchan_network: "zot" });
const nickOf = (who: Who): string => nicks + who.replaceAll(" ", "-");
const nameOf = (who: Who): string => `${who} ${surname}`;

const section = /<section id="suggested"[^]*?<\/section>/;
/** What is answered to ann, of what she sees there. */
const doors: [door: string, shown: readonly Who[], ask: (app: Client) => Promise<string>][] = [
  ["the people to choose for a post", audience, () => chosenFrom("posts")],
  ["the people to choose for a file", audience, () => chosenFrom("files")],
  ["the people to choose for a message", recipients, () => chosenFrom("messages")],
  ["what completes a name", mentioned, completed],
  ["the page of people to connect with", ["stranger"], async () => section.exec(await page("/directory"))![0]],
  ["the first steps", ["stranger"], async () => section.exec(await page("/welcome/people"))![0]],
  ["applications", ["stranger"], async (app) => (await app.get("/api/v2/suggestions?limit=80")).text],
];

test.each(doors)("%s are shown to nobody but whom they are for", async (_door, shown, ask) => {
  const text = await ask(await mastodonPerson(world, ann.channel));
  expect([...here, ...far].filter((who) => text.includes(nameOf(who)))).toEqual(shown);
});

async function page(path: string): Promise<string> {
  return (await visitor.get(path)).text;
}

function chosenFrom(list: string): Promise<string> {
  return page(`/suggestions/people?list=${list}&find=${surname}`);
}

/** There are only a few at once. */
async function completed(): Promise<string> {
  const texts = [...here, ...far].map((who) => page(`/suggestions?key=%40&text=${nickOf(who)}`));
  return (await Promise.all(texts)).join();
}
