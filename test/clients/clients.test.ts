import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { findChannelByNick } from "../../src/domain/identity/channels/find-channel.ts";
import { sendMessage } from "../../src/domain/messages/messages.ts";
import { postItem } from "../../src/domain/items/posting/post.ts";
import type { Hub } from "../../src/hub.ts";
import { runDue } from "../../src/jobs/runner.ts";
import { createApp } from "../../src/main.ts";
import { hubbubJson, makePeople, newPlace, openPlace, serve } from "../support/command.ts";
import type { Place, Serving } from "../support/command.ts";
import { drive, lacks, lastSaid } from "../support/driven.ts";
import { password } from "../support/hub.ts";
import { picture } from "../support/pictures.ts";
import { openTlsProxy } from "../support/tls-proxy.ts";
import type { TlsProxy } from "../support/tls-proxy.ts";
import { visitorOf } from "../support/visitor.ts";

/**
 * Client libraries that people use, driven against a hub that listens: what they show their users is what was posted.
 * Those that are not from npm are Debian's packages (`.ci/run` names them).
 */

const folder = mkdtempSync(join(tmpdir(), "hubbub-clients-"));
const image = join(folder, "tree.jpg");

type Stage = {
  place: Place;
  running: Serving;
  proxy: TlsProxy | undefined;
  /** The same hub, for looking behind the scenes. */
  hub: Hub;
  /** Alice's copy of what Bob has posted. */
  friendsPost: number;
  /** What a client is told. */
  client: object;
};
let stage: Stage;

beforeAll(async () => void (await picture(640, 480).jpeg().toFile(image)));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(async () => {
  stage.proxy?.close();
  await stage.running.stop();
  await stage.hub.close();
  await stage.place.remove();
});

/** A hub with Alice, who has a client, and Bob, whom she knows; `tls`: behind a proxy that ends TLS. */
async function setTheStage(tls = false): Promise<void> {
  const place = await newPlace();
  const proxy = tls ? await openTlsProxy(Number(place.env["HUBBUB_PORT"])) : undefined;
  const url = proxy ? `https://localhost:${proxy.port}` : place.url;
  Object.assign(place.env, { HUBBUB_BASE_URL: url, HUBBUB_TRUST_PROXY: tls ? "on" : "off" });
  await makePeople(place, "alice", "bob");
  await makePeople(place, "carl");
  const words = ["oauth-client", "create", "--channel", "alice", "--name", "A client", "--with-token"];
  const application = await hubbubJson<object>(place, ...words);
  const hub = await openPlace(place);
  const friendsPost = await playBob(hub);
  const client = { ...application, url, host: new URL(url).host, picture: image, friend: "bob", foe: "carl" };
  stage = {
    place,
    running: await serve(place),
    proxy,
    hub,
    friendsPost,
    client: { ...client, friends_post: friendsPost },
  };
}

/** Bob posts and writes to Alice; answers her copy of the post. */
async function playBob(hub: Hub): Promise<number> {
  const [alice, bob] = [await findChannelByNick(hub, "alice"), await findChannelByNick(hub, "bob")];
  const { message_id } = await postItem(hub, bob!, { body: "Good news from Bob, @alice" });
  await sendMessage(hub, bob!, { to: alice!.channel_hash, body: "Hello from Bob" });
  await runDue(hub);
  const copies = hub.db.selectFrom("item").select("id").where("message_id", "=", message_id);
  return (await copies.where("uid", "=", alice!.channel_id).executeTakeFirstOrThrow()).id;
}

/** Runs a client to its end and answers what it said last; an address that it prints gets the PIN that it leads to. */
async function run(program: string, ...args: string[]): Promise<any> {
  const { proxy } = stage;
  const trusted = proxy && { REQUESTS_CA_BUNDLE: proxy.certificate, NODE_EXTRA_CA_CERTS: proxy.certificate };
  const env = { HUBBUB_CLIENT: JSON.stringify(stage.client), ...trusted };
  return lastSaid(await drive(program, args, { cwd: import.meta.dirname, env, agree }));
}

/** What Alice does in her browser; answers the PIN that she reads there. */
async function agree(address: string): Promise<string> {
  const { pathname, search, host } = new URL(address);
  const browser = visitorOf(createApp(stage.hub), host);
  await browser.logIn("alice", password);
  await browser.get(pathname + search);
  const { text } = await browser.post(pathname + search, { oauth_yes: "Yes" });
  return /\b(\d{8})\b/.exec(text)![1]!;
}

/** Newest first, each once: what the client found by paging is what it posted, and what was there before. */
function expectPaged(said: { posted: number[]; paged: number[]; since: number[] }): void {
  expect(said.posted).toHaveLength(7);
  expect(said.paged.slice(0, 7)).toEqual(said.posted.toReversed());
  expect(said.paged).toContain(stage.friendsPost);
  expect(new Set(said.paged).size).toBe(said.paged.length);
  expect(said.since).toEqual(said.posted.slice(5).toReversed());
}

const noTweepy = lacks("python3-tweepy", "/usr/lib/python3/dist-packages/tweepy");
const noPythonTwitter = lacks("python3-twitter", "/usr/lib/python3/dist-packages/twitter");
const noNetTwitter = lacks("libnet-twitter-perl", "/usr/share/perl5/Net/Twitter.pm");
const noRubyTwitter = lacks("ruby-twitter", "/usr/lib/ruby/vendor_ruby/twitter.rb");

// So much only where much else runs: alone each takes a few seconds.
describe("a client built on", () => {
  test.skipIf(noTweepy)("Python's tweepy, behind a proxy that ends TLS, with a PIN", async () => {
    await setTheStage(true);
    const said = await run("/usr/bin/python3", "with-tweepy.py");
    expectPaged(said);
    expect(said).toMatchObject({
      login: "alice",
      text: "tweepy 0 é 😀 & <b>",
      pictures: ["photo", "photo"],
      alt: "A test picture",
      at_once: 1,
      reply_to: stage.friendsPost,
      favorited: true,
      favorites: [stage.friendsPost],
      unfavorited: false,
      retweeters: ["alice"],
      search: [expect.any(Number)],
      members: ["bob"],
      list: [stage.friendsPost],
      left: [],
      friends: ["bob"],
      followers: ["bob"],
      friend_ids: true,
      follows: true,
      about: "Drives by tweepy",
      settings: "alice",
      limits: true,
      gone: "There is no status with this id.",
    });
    expect(said.lists).toContain("Tweepy's circle");
  });

  test("Node's twitter-api-v2, behind a proxy that ends TLS, with a PIN", async () => {
    await setTheStage(true);
    const said = await run(process.execPath, "with-twitter-api.ts");
    expectPaged(said);
    expect(said).toMatchObject({
      login: "alice",
      text: "Node 0 é 😀 & <b>",
      pictures: ["photo"],
      alt: ["A test picture"],
      reply_to: stage.friendsPost,
      favorites: [stage.friendsPost],
      looked_up: said.posted.slice(1, 3),
      members: ["bob"],
      list: [stage.friendsPost],
      left: [],
      friends: ["bob"],
      followers: ["bob"],
      friend_ids: 1,
      follows: true,
      about: "Drives by Node",
      settings: "alice",
      limits: true,
      message: "Node write...\nNode writes",
      received: ["Hello from Bob"],
      gone: "There is no status with this id.",
    });
    expect(said.lists).toContain("Node's circle");
  });

  test.skipIf(noPythonTwitter)("Python's python-twitter", async () => {
    await setTheStage();
    const said = await run("/usr/bin/python3", "with-python-twitter.py");
    expectPaged(said);
    expect(said).toMatchObject({
      login: "alice",
      text: "python-twitter 0 é 😀 & <b>",
      mine: said.posted.toReversed(),
      pictures: ["photo"],
      at_once: 1,
      // Without a title of its own a message is shown under its beginning (microblog contract 7.6, 8.12).
      message: "python-twi...\npython-twitter writes",
      sent: true,
      received: ["Hello from Bob"],
      left: [],
      reply_to: stage.friendsPost,
      favorited: true,
      favorites: [stage.friendsPost],
      search: [expect.any(Number)],
      mentions: ["bob"],
      members: ["bob"],
      list: [stage.friendsPost],
      friends: ["bob"],
      followers: ["bob"],
      friend_ids: true,
      looked_up: ["bob"],
      blocked: "carl",
      blocks: ["carl"],
      unblocked: "carl",
    });
    expect(said.lists).toContain("Python's circle");
    expect(said.gone).toContain("There is no status with this id.");
  });

  test.skipIf(noNetTwitter)("Perl's Net::Twitter, with a PIN", async () => {
    await setTheStage();
    const said = await run("perl", "with-net-twitter.pl");
    expectPaged(said);
    expect(said).toMatchObject({
      named: "alice",
      login: "alice",
      text: "Net::Twitter 0 é 😀 & <b>",
      pictures: ["photo"],
      at_once: 1,
      message: "Net::Twitt...\nNet::Twitter writes",
      sent: ["Net::Twitt...\nNet::Twitter writes"],
      received: ["Hello from Bob"],
      shown: "Net::Twitt...\nNet::Twitter writes",
      left: [],
      reply_to: stage.friendsPost,
      favorites: [stage.friendsPost],
      search: [expect.any(Number)],
      saved: "#perl",
      searches: ["#perl"],
      members: ["bob"],
      list: [stage.friendsPost],
      friends: ["bob"],
      followers: ["bob"],
      friend_ids: 1,
      follows: 1,
      about: "Drives by Perl",
    });
    expect(said.lists).toContain("Perl's circle");
    expect(said.gone).toContain("There is no status with this id.");
  });

  test.skipIf(noRubyTwitter)("Ruby's twitter", async () => {
    await setTheStage();
    const said = await run("ruby", "with-ruby-twitter.rb");
    expectPaged(said);
    expect(said).toMatchObject({
      login: "alice",
      text: "Ruby 0 é 😀 & <b>",
      pictures: ["Twitter::Media::Photo"],
      reply_to: stage.friendsPost,
      favorites: [stage.friendsPost],
      search: [expect.any(Number)],
      looked_up: said.posted.slice(1, 3),
      members: ["bob"],
      list: [stage.friendsPost],
      held: true,
      friends: ["bob"],
      followers: ["bob"],
      friend_ids: true,
      follows: true,
      about: "Drives by Ruby",
      gone: "There is no status with this id.",
    });
    expect(said.lists).toContain("Ruby's circle");
  });
});
