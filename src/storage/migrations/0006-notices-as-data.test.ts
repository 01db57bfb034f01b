import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import type { Kysely } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freshDatabase, onPostgres } from "../../../test/support/hub.ts";
import { readConfig } from "../../config/config.ts";
import { noticeOf, selectNotices } from "../../domain/notifications/stored.ts";
import { noticeWords } from "../../domain/portable/notice-sentence.ts";
import type { Hub } from "../../hub.ts";
import { migrate, openDatabase } from "../database.ts";
import type { Database } from "../engine.ts";

const base = "https://hub.example";
const engine = onPostgres ? "postgres" : "sqlite";
const activity = "http://activitystrea.ms/schema/1.0/";
const zot = "http://purl.org/zot/activity/";

const bob = "[zrl=https://hub.example/channel/bob]Bob x[/zrl]";
const post = { link: `${base}/display/top`, item_id: 1, parent: `${base}/item/top`, otype: "item" };
const aPost = `[zrl=${post.link}]a post[/zrl]`;
const far = { link: `${base}/display/b64.${Buffer.from("https://far.example/1").toString("base64url")}`, item_id: 2 };
const friend = { otype: "intro", verb: `${activity}make-friend` };
const foreign = { url: "https://far.example/carol", xname: "Carol", photo: "https://far.example/c.png" };

type OldRow = Record<string, string | number>;

/** Notices in every shape that the version before wrote, the kind that they become, and who did it. */
const shapes: [name: string, kind: string, row: OldRow, actor?: string][] = [
  ["a post on the wall", "wall", { ...post, ntype: 4, msg: `${bob} wrote ${aPost} on your wall` }],
  ["a comment", "comment", { ...post, ntype: 8, msg: `${bob} commented on ${aPost}` }],
  [
    "a comment by somebody of elsewhere on something of elsewhere",
    "comment",
    {
      ...post,
      ...far,
      ...foreign,
      ntype: 8,
      msg: `[zrl=${foreign.url}]Carol[/zrl] commented on [zrl=${far.link}]a post[/zrl]`,
    },
    "carol",
  ],
  [
    "comments that wait",
    "held",
    {
      ntype: 8,
      otype: "item",
      link: `${base}/moderate`,
      parent: `${base}/item/top`,
      msg: `${bob} commented on [zrl=${base}/moderate]a post; the comment waits for you[/zrl]`,
    },
  ],
  ["a mention", "mention", { ...post, ntype: 128, msg: `${bob} mentioned you in ${aPost}` }],
  ["a tag", "tag", { ...post, ntype: 256, verb: `${activity}tag`, msg: `${bob} tagged ${aPost}` }],
  [
    "a share",
    "share",
    { ...post, ntype: 1024, verb: `${activity}share`, msg: `${bob} shared ${aPost.replace("a p", "your p")}` },
  ],
  ...Object.entries({
    [`${activity}like`]: "likes",
    [`${zot}dislike`]: "dislikes",
    [`${zot}agree`]: "agrees with",
    [`${zot}disagree`]: "disagrees with",
    [`${zot}abstain`]: "abstains from a decision on",
    [`${zot}attendyes`]: "will attend",
    [`${zot}attendno`]: "will not attend",
    [`${zot}attendmaybe`]: "may attend",
    [`${zot}react#smile`]: "reacts with 😄 to",
    [`${zot}react#nobody-knows`]: "reacts to",
  }).map(([verb, does]): [string, string, OldRow] => [
    `the reaction ${verb}`,
    "reaction",
    { ...post, ntype: 1024, verb, msg: `${bob} ${does} ${aPost}` },
  ]),
  [
    "a message",
    "mail",
    { ntype: 16, otype: "mail", verb: `${activity}post`, link: `${base}/mail/7`, msg: `${bob} sent you a message` },
  ],
  [
    "a request",
    "request",
    { ...friend, ntype: 1, link: `${base}/connections/ifpending`, msg: `${bob} would like to connect with you` },
  ],
  ["a follower", "follower", { ...friend, ntype: 1, link: `${base}/connedit/3`, msg: `${bob} has connected with you` }],
  [
    "a connection",
    "confirmed",
    { ...friend, ntype: 2, link: `${base}/connedit/3`, msg: `${bob} has confirmed the connection with you` },
  ],
  [
    "a connection that is gone",
    "worded",
    { ...friend, ntype: 2, link: `${base}/connedit/99`, msg: `${bob} has confirmed the connection with you` },
    "",
  ],
  ["an item that is gone", "worded", { ...post, item_id: 99, ntype: 8, msg: `${bob} commented on ${aPost}` }, ""],
  ["other words", "worded", { ...post, ntype: 8, msg: `${bob} hat ${aPost} kommentiert` }, ""],
  [
    "somebody unknown",
    "worded",
    {
      ...post,
      url: "https://gone.example/u",
      ntype: 1024,
      verb: `${activity}like`,
      msg: `[zrl=https://gone.example/u]Bob x[/zrl] likes ${aPost}`,
    },
    "",
  ],
  [
    "a poke of another program",
    "worded",
    { ntype: 512, otype: "item", xname: "P", url: "", link: "", msg: '[b]P[/b] "pokes" you\n☃' },
    "",
  ],
];

const usual: OldRow = {
  xname: "Bob [x]",
  url: `${base}/channel/bob`,
  photo: `${base}/photo/profile/s/5`,
  created: "2026-01-01 10:00:00",
  aid: 1,
  uid: 1,
  link: "",
  parent: "",
  seen: 0,
  ntype: 8,
  verb: `${activity}post`,
  otype: "item",
  item_id: 0,
};
const rows = shapes.map(([, , row], at): OldRow => ({
  ...usual,
  ...row,
  seen: at % 2,
  hash: String(at).padStart(64, "0"),
}));

let db: Database;
let end: () => Promise<void>;

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "hubbub-test-"));
  const { url, drop } = await freshDatabase(folder);
  db = openDatabase(readConfig({ HUBBUB_BASE_URL: base, HUBBUB_DATABASE_URL: url }).database);
  end = async () => {
    await db.destroy();
    await drop();
    rmSync(folder, { recursive: true, force: true });
  };
  await migrate(db, engine, "0005-one-house");
  await people();
  await things();
  for (const row of rows) await add("notify", row);
  await add("job", { name: "lay-out-notices", payload: "{}", run_at: usual["created"]!, created: usual["created"]! });
  await migrate(db, engine);
});
afterAll(() => end());

function add(table: string, row: OldRow): Promise<unknown> {
  return (db as unknown as Kysely<Record<string, OldRow>>).insertInto(table).values(row).execute();
}

/** Bob had his nick after somebody else, and an import has told of a third. */
async function people(): Promise<void> {
  const created = { xchan_created: "2026-01-01 09:00:00", xchan_url: `${base}/channel/bob` };
  await add("xchan", {
    ...created,
    xchan_hash: "former",
    xchan_name: "Bob [x]",
    xchan_photo_s: `${base}/photo/profile/s/4`,
  });
  await add("xchan", {
    ...created,
    xchan_hash: "bob",
    xchan_name: "Bob [x]",
    xchan_photo_s: `${base}/photo/profile/s/5`,
  });
  await add("xchan", { ...created, xchan_hash: "hearsay", xchan_name: "Bob [x]", xchan_photo_s: "", xchan_hearsay: 1 });
  const carol = { xchan_url: foreign.url, xchan_name: "Carol", xchan_photo_s: foreign.photo };
  await add("xchan", { ...created, ...carol, xchan_hash: "carol" });
}

async function things(): Promise<void> {
  const moment = "2026-01-01 09:00:00";
  for (const [at, mid] of [`${base}/item/top`, "https://far.example/1"].entries()) {
    const parents = { parent_mid: `${base}/item/top`, thr_parent: mid };
    await add("message", {
      id: at + 1,
      mid,
      uuid: mid,
      ...parents,
      verb: "",
      obj_type: "",
      author_id: 1,
      created: moment,
      edited: moment,
    });
    const dates = { created: moment, commented: moment, received: moment, changed: moment };
    await add("item", {
      id: at + 1,
      uid: 1,
      aid: 1,
      message_id: at + 1,
      parent: 1,
      thr_parent_id: 0,
      author_id: 1,
      owner_id: 1,
      ...dates,
    });
  }
  const abook = {
    abook_account: 1,
    abook_channel: 1,
    abook_xchan: "bob",
    abook_created: moment,
    abook_updated: moment,
  };
  await add("abook", { abook_id: 3, ...abook });
  const mail = {
    convid: 1,
    account_id: 1,
    channel_id: 1,
    conv_guid: "",
    from_xchan: "bob",
    to_xchan: "",
    mid: "",
    parent_mid: "",
  };
  await add("mail", { id: 7, ...mail, created: moment });
}

test("every old notice becomes one of its kind, and says what it said", async () => {
  const found = await selectNotices({ db } as Hub)
    .orderBy("notify.id")
    .execute();
  const notices = found.map(noticeOf);
  expect(notices.map(({ kind, actor }, at) => [shapes[at]![0], kind, actor.hash])).toEqual(
    shapes.map(([name, kind, , actor = "bob"]) => [name, kind, actor]),
  );
  for (const [at, notice] of notices.entries()) {
    const { aid: _, hash, created, uid, seen, item_id, ...words } = rows[at]!;
    // What waits may be in many threads, so the notice names none.
    expect(noticeWords(base, notice)).toEqual(notice.kind === "held" ? { ...words, parent: "" } : words);
    expect(notice).toMatchObject({ hash, created, uid, seen, item_id, count: 1 });
  }
});

test("nothing is left to be laid out", async () => {
  expect(await sql`select name from job where name = 'lay-out-notices'`.execute(db)).toMatchObject({ rows: [] });
});
