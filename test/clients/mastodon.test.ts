import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { writeAnnouncement } from "../../src/domain/announcements/write.ts";
import { postItem } from "../../src/domain/items/posting/post.ts";
import { findChannelByNick } from "../../src/domain/identity/channels/channels.ts";
import type { Hub } from "../../src/hub.ts";
import { createApp } from "../../src/main.ts";
import { sqlDate } from "../../src/storage/sql.ts";
import { openAuthority } from "../support/authority.ts";
import { hasChromium, openChromium } from "../support/chromium.ts";
import { newPlace, openPlace, serve } from "../support/command.ts";
import type { Place, Serving } from "../support/command.ts";
import { codeIn, sayYes } from "../support/consent.ts";
import { drive, lacks, lastSaid } from "../support/driven.ts";
import { makeChannel, password } from "../support/hub.ts";
import { befriend } from "../support/people.ts";
import { picture } from "../support/pictures.ts";
import { openTlsProxy } from "../support/tls-proxy.ts";
import { visitorOf } from "../support/visitor.ts";
import { driveBitlbee, mayListenAt443, ownAddress } from "./with-bitlbee.ts";
import { driveMasto } from "./with-masto.ts";
import { driveMegalodon } from "./with-megalodon.ts";
import { driveTsl } from "./with-tsl.ts";
import type { Seat } from "./seat.ts";

/**
 * Clients for Mastodon, driven against a hub that listens: one hub for all of them, with somebody of their own for each. Every
 * one logs in on the page that asks for consent. Those that are not from npm are Debian's packages (`.ci/run` names them).
 */

const folder = mkdtempSync(join(tmpdir(), "hubbub-clients-"));
const image = join(folder, "tree.jpg");

let place: Place;
let running: Serving;
/** The same hub, for people in their browsers and for what others do. */
let hub: Hub;
let browser: Promise<Browser> | undefined;
/** One for all of them, once the first comes. */
const chromium = (): Promise<Browser> => (browser ??= openChromium());

beforeAll(async () => {
  await picture(640, 480).jpeg().toFile(image);
  place = await newPlace({ HUBBUB_RATE_LIMITS: "on" });
  place.env["HUBBUB_BASE_URL"] = place.url;
  hub = await openPlace(place);
  running = await serve(place);
});
afterAll(async () => {
  await (await browser)?.close();
  await running.stop();
  await hub.close();
  await place.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** Somebody with a friend, who has posted, and with what a client is told. */
async function seat(nick: string): Promise<Seat> {
  const [channel, friend] = [await makeChannel(hub, nick), await makeChannel(hub, `bob-${nick}`)];
  await befriend(hub, channel, friend);
  const { message_id } = await postItem(hub, friend, { body: `Good news from Bob, @${nick}` });
  const copies = hub.db.selectFrom("item").select("id").where("message_id", "=", message_id);
  const find = () => copies.where("uid", "=", channel.channel_id).executeTakeFirst();
  // Several of these run at once, and expect() knows only one of them.
  await vi.waitFor(async () => {
    if (!(await find())) throw new Error("The post has not arrived");
  }, 60_000);
  return {
    nick,
    url: place.url,
    picture: image,
    friend: friend.channel_address,
    friend_id: String(friend.xchan_id),
    friends_post: String((await find())!.id),
    agree: (address) => (hasChromium() ? agreeInChromium : agree)(nick, address),
    friendPosts: async (body) => void (await postItem(hub, friend, { body })),
  };
}

/** What somebody does with an address in Chromium; answers the code that they read or are sent off with. */
async function agreeInChromium(nick: string, address: string): Promise<string> {
  const { pathname, search } = new URL(address);
  const page = await (await chromium()).newPage();
  await page.goto(place.url + pathname + search);
  await page.fill('[name="login"]', nick);
  await page.fill('[name="password"]', password);
  await page.locator('main form button:not([type="button"])').first().click();
  const [sentOff] = await Promise.all([
    page.waitForRequest((request) => /[?&]code=/.test(request.url())),
    page.click('[name="oauth_yes"]'),
  ]);
  await page.close();
  return codeIn(sentOff.url());
}

/** The same without a window, where there is no Chromium. */
async function agree(nick: string, address: string): Promise<string> {
  const { pathname, search } = new URL(address);
  const visitor = visitorOf(createApp(hub), new URL(place.url).host);
  await visitor.logIn(nick, password);
  return codeIn(await sayYes(visitor, pathname + search));
}

/** What a program of its own prints last. */
async function run(who: Seat, program: string, ...args: string[]): Promise<any> {
  const { agree: _agree, friendPosts: _friendPosts, ...told } = who;
  const env = {
    HUBBUB_CLIENT: JSON.stringify(told),
    XDG_CONFIG_HOME: join(folder, who.nick),
  };
  return lastSaid(await drive(program, args, { cwd: import.meta.dirname, env, agree: who.agree }));
}

/** Newest first, each once: what the client found by paging is what it posted, and what was there before. */
function expectPaged(who: Seat, said: { posted: string[]; paged: string[] }): void {
  expect(said.posted).toHaveLength(5);
  expect(said.paged.slice(0, 5)).toEqual(said.posted.toReversed());
  expect(said.paged).toContain(who.friends_post);
  expect(new Set(said.paged).size).toBe(said.paged.length);
}

const noBitlbee = lacks("bitlbee-plugin-mastodon", "/usr/lib/bitlbee/mastodon.so") || !mayListenAt443();
const noToot = lacks("toot", "/usr/bin/toot");
const noMastodonClient = lacks("libmastodon-client-perl", "/usr/share/perl5/Mastodon/Client.pm");
const noMastodonEl = lacks("elpa-mastodon", "/usr/share/emacs/site-lisp/elpa-src/mastodon-0.10.0/mastodon.el");
const noMastodonPy = lacks("python3-mastodon", "/usr/lib/python3/dist-packages/mastodon");

/** What all of them come to. */
const common = (who: Seat) => ({ login: who.nick, reply_to: who.friends_post, context: [who.friends_post] });
const deeds = (who: Seat) => ({
  ...common(who),
  favourited: true,
  bookmarked: true,
  reblogged: who.friends_post,
  unreblogged: false,
});

/** What those keep that can. */
const keeps = (who: Seat) => ({
  found: [who.friend_id],
  poll: ["Tea", "Coffee"],
  scheduled: [true],
  told: true,
  announced: true,
});

describe.concurrent("a client built on", () => {
  test("masto.js", async () => {
    const who = await seat("masto");
    const announcement = { body: "Tea tonight", published: sqlDate(new Date()), ends: undefined };
    const said = await driveMasto(who, String(await writeAnnouncement(hub, announcement)));
    expectPaged(who, said);
    expect(said).toMatchObject({
      ...deeds(who),
      streaming: place.url.replace("http", "ws"),
      preferences: "public",
      text: "<p>masto 0 é 😀 &amp; &lt;b&gt;</p>",
      above: said.posted.slice(1),
      warning: [true, "Trees"],
      unfavourited: false,
      favourites: [who.friends_post],
      bookmarks: [who.friends_post],
      liked_by: [],
      edited: "<p>masto has changed</p>",
      source: "masto has changed",
      history: ["<p>masto 2 é 😀 &amp; &lt;b&gt;</p>", "<p>masto has changed</p>"],
      pinned: [true, false],
      muted: [true, false],
      conversations: ["direct"],
      friend: who.friend,
      found: who.friend_id,
      relationship: true,
      friends_statuses: [who.friends_post],
      following: [who.friend],
      notified: [who.friend],
      groups: ["mention", "follow"],
      marker: said.posted[4],
      pictures: [["image", "A test picture", { x: 0.5, y: -0.5 }]],
      kept: {
        ...keeps(who),
        listed: who.friends_post,
        filtered: ["News"],
        quoted: who.friends_post,
      },
      refused: [],
      streamed: [["user"], who.friend, "<p>Heard by masto</p>"],
      gone: [404, "Record not found"],
    });
  });

  test("megalodon", async () => {
    const who = await seat("megalodon");
    const said = await driveMegalodon(who);
    expectPaged(who, said);
    expect(said).toMatchObject({
      ...deeds(who),
      kind: "mastodon",
      streaming: place.url.replace("http", "ws"),
      text: "<p>megalodon 0 é 😀 &amp; &lt;b&gt;</p>",
      pictures: [["image", "A test picture"]],
      relationship: true,
      notified: ["mention", "follow"],
      kept: {
        ...keeps(who),
        listed: [true],
        filtered: ["good news"],
        edited: "<p>megalodon has changed</p>",
      },
      refusing: [],
      streamed: [who.friend, "<p>Heard by megalodon</p>", [true, true, true], [who.friend]],
      gone: 404,
    });
  });

  test("tsl-mastodon-api", async () => {
    const who = await seat("tsl");
    const said = await driveTsl(who);
    expect(said).toMatchObject({
      ...common(who),
      text: "<p>tsl é 😀 &amp; &lt;b&gt;</p>",
      home: said["posted"],
      notified: ["mention"],
      deleted: true,
      gone: 404,
    });
  });

  test.skipIf(noMastodonPy)("Mastodon.py", async () => {
    const who = await seat("mastodonpy");
    const said = await run(who, "/usr/bin/python3", "with-mastodon-py.py");
    expectPaged(who, said);
    expect(said).toMatchObject({
      ...deeds(who),
      version: 4,
      app: "Python",
      limited: 3000,
      text: "<p>python 0 é 😀 &amp; &lt;b&gt;</p>",
      created: true,
      once: true,
      above: 1,
      pictures: [["image", "A test picture"]],
      warning: [true, "Trees", "unlisted"],
      unfavourited: false,
      bookmarks: [who.friends_post],
      edited: ["<p>python has changed</p>", true],
      source: "python has changed",
      history: 2,
      pinned: [true, false],
      conversations: 0,
      friend: who.friend,
      found: true,
      following: true,
      notified: [["mention", who.friend]],
      listed: [who.friends_post],
      filters: ["good news"],
      searched: [who.friend],
      poll: ["Tea", "Coffee"],
      scheduled: [true],
      told: true,
      announced: true,
      streamed: "<p>Heard by python</p>",
      gone: [404, "Not Found", "Record not found"],
      paced: who.nick,
    });
  });

  test.skipIf(noMastodonClient)("Perl's Mastodon::Client", async () => {
    const who = await seat("perl");
    const said = await run(who, "perl", "with-mastodon-client.pl");
    expectPaged(who, said);
    expect(said).toMatchObject({
      ...common(who),
      text: "<p>perl 0 é 😀 &amp; &lt;b&gt;</p>",
      class: "Mastodon::Entity::Status",
      created: "DateTime",
      favourited: 1,
      reblogged: who.friends_post,
      friend: who.friend,
      following: 1,
      notified: ["mention", "follow"],
      found: [who.friend],
      gone: "404 Not Found",
    });
  });

  test.skipIf(noMastodonEl)("Emacs with mastodon.el", async () => {
    const who = await seat("emacs");
    const said = await run(who, "emacs", "--batch", "--no-init-file", "--load", "with-mastodon-el.el");
    expect(said).toEqual({
      login: "emacs",
      home: expect.stringContaining("Good news from Bob, @emacs"),
      posted: "<p>From Emacs é 😀</p>",
      notified: expect.stringMatching(/Mentioned you[^]*Followed you/),
      found: ["Bob-emacs"],
    });
  });

  test.skipIf(noBitlbee)("BitlBee", async () => {
    const who = await seat("bitlbee");
    const channel = await findChannelByNick(hub, who.nick);
    for (let number = 0; number < 21; number++) await postItem(hub, channel!, { body: `Before ${number}` });
    const [authority, name] = [openAuthority(), ownAddress()];
    const proxy = await openTlsProxy(Number(place.env["HUBBUB_PORT"]), { authority, name, address: name, port: 443 });
    const said = await driveBitlbee(who, { url: `https://${name}`, certificate: proxy.certificate }).finally(() => {
      proxy.close();
      authority.close();
    });
    expect(said).toEqual({
      room: expect.stringMatching(/^#/),
      home: "Before 20",
      streamed: who.friend,
      more: "Before 0",
    });
    const written = hub.db
      .selectFrom("item")
      .innerJoin("message", "message.id", "item.message_id")
      .select("plain")
      .where("item.uid", "=", channel!.channel_id)
      .where("item.author_id", "=", channel!.xchan_id)
      .where("item_thread_top", "=", 0)
      .orderBy("plain");
    await vi.waitFor(
      async () =>
        expect((await written.execute()).map(({ plain }) => plain)).toEqual([
          "@Bob-bitlbee Answered by BitlBee",
          "Bitlbee likes Bob-bitlbee's post",
        ]),
      60_000,
    );
  });

  test.skipIf(noToot)("the program toot", async () => {
    const who = await seat("toot");
    // It asks first whether to open a browser.
    const { agree } = who;
    who.agree = async (address) => `n\n${await agree(address)}`;
    const said = await run(who, "/usr/bin/python3", "with-toot.py");
    const [answer] = said.home;
    expect(said).toMatchObject({
      login: "toot",
      auth: expect.stringContaining(`* toot@${new URL(place.url).host} ACTIVE`),
      whoami: "@toot Toot",
      instance: ["Hubbub", new URL(place.url).host],
      url: expect.stringContaining(`${place.url}/item/`),
      home: [answer, expect.any(String), expect.any(String), who.friends_post],
      public: expect.arrayContaining([said.home[2]]),
      thread: [who.friends_post, answer],
      favourite: "✓ Status favourited",
      unfavourite: "✓ Status unfavourited",
      reblog: "✓ Status reblogged",
      reblogged_by: expect.stringContaining("@toot"),
      pin: "✓ Status pinned",
      unpin: "✓ Status unpinned",
      unreblog: "✓ Status unreblogged",
      bookmark: "✓ Status bookmarked",
      bookmarks: [who.friends_post],
      unbookmark: "✓ Status unbookmarked",
      notifications: expect.stringContaining("@bob-toot mentioned you in"),
      search: expect.stringContaining(who.friend),
      whois: expect.stringContaining(`@${who.friend}`),
      following: expect.stringContaining(`@${who.friend}`),
      mute: expect.stringContaining("✓"),
      unmute: expect.stringContaining("✓"),
      block: expect.stringContaining("✓"),
      unblock: expect.stringContaining("✓"),
      follow: expect.stringContaining("✓"),
      upload: true,
      scheduled: true,
      tags: [expect.stringContaining("✓"), expect.stringContaining("#tea")],
      shown: expect.stringMatching(/toot shows[^]*Media:/),
      deleted: "✓ Status deleted",
      gone: "Record not found",
      login_cli: expect.stringContaining("Login failed"),
    });
  });
});
