import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../../test/support/app.ts";
import type { Person, TestApp } from "../../../../test/support/app.ts";
import { befriend } from "../../../../test/support/people.ts";
import { addMembers, createGroup } from "../../../domain/groups/groups.ts";
import type { Group } from "../../../domain/groups/groups.ts";
import { updateChannel } from "../../../domain/identity/channels/channels.ts";
import { findConnectionTo } from "../../../domain/connections/connections.ts";

/** `statuses/update`, microblog contract 8.3 and 3.7. */

let world: TestApp;
let ann: Person;
let bob: Person;
let cara: Person;
let group: Group;
let bobsCid: number;

beforeAll(async () => {
  world = await openTestApp({ env: { HUBBUB_MAX_BODY: "500" } });
  [ann, bob, cara] = [await world.person("ann"), await world.person("bob"), await world.person("cara")];
  await befriend(world.hub, ann.channel, bob.channel);
  await befriend(world.hub, ann.channel, cara.channel);
  group = await createGroup(world.hub, ann.channel.channel_id, "Choir");
  await addMembers(world.hub, ann.channel.channel_id, group.id, [bob.channel.channel_hash]);
  bobsCid = (await findConnectionTo(world.hub, ann.channel.channel_id, bob.channel.channel_hash))!.abook_id;
});
afterAll(() => world.close());

const update = (form: Record<string, unknown>, as = ann) => as.post("/api/statuses/update.json", form);

/** Who of the others finds it in the own stream. */
async function readers(text: string): Promise<string[]> {
  await world.work();
  const found = await Promise.all(
    [bob, cara].map(async (person) => {
      const { json } = await person.get("/api/statuses/home_timeline", { count: 200 });
      return json.some((status: any) => status.text === text) ? person.nick : [];
    }),
  );
  return found.flat();
}

describe("who may read it", () => {
  test("nothing said: the channel's default", async () => {
    expect((await update({ status: "default one" })).json.svc_private).toBe(false);
    const lists = { allowCid: "", allowGid: `<${group.hash}>`, denyCid: "", denyGid: "" };
    await updateChannel(world.hub, ann.channel.channel_id, { audience: lists });
    expect((await update({ status: "default two" })).json.svc_private).toBe(true);
    expect(await readers("default two")).toEqual(["bob"]);
  });

  test.each(["group_allow", "contact_allow", "group_deny", "contact_deny", "circle_allow"])(
    "%s present but empty: public",
    async (name) => {
      const text = `public by ${name}`;
      expect((await update({ status: text, [name]: "" })).json).toMatchObject({
        svc_private: false,
        user: { protected: false },
      });
      expect(await readers(text)).toEqual(["bob", "cara"]);
    },
  );

  test("every form of a list", async () => {
    const forms: [string, Record<string, unknown>][] = [
      ["group_allow[]=id", { group_allow: [group.id] }],
      ["group_allow=<id>", { group_allow: `<${group.id}>` }],
      ["group_allow=id", { group_allow: group.id }],
      ["group_allow=hash", { group_allow: group.hash }],
      ["circle_allow=<hash>", { circle_allow: `<${group.hash}>` }],
      ["contact_allow=<cid>", { contact_allow: `<${bobsCid}>` }],
      ["contact_allow=cid,cid", { contact_allow: `${bobsCid},${bobsCid}` }],
      ["contact_allow=<hash>", { contact_allow: `<${bob.channel.channel_hash}>` }],
      [
        "contact_deny",
        {
          contact_deny: `<${(await findConnectionTo(world.hub, ann.channel.channel_id, cara.channel.channel_hash))!.abook_id}>`,
        },
      ],
    ];
    for (const [name, lists] of forms) {
      const { status, json } = await update({ status: `only bob by ${name}`, ...lists });
      expect([name, status, json.svc_private, json.user?.protected]).toEqual([name, 200, true, true]);
      expect([name, await readers(`only bob by ${name}`)]).toEqual([name, ["bob"]]);
    }
  });

  test("trap 39: several ids in one text", async () => {
    const second = await createGroup(world.hub, ann.channel.channel_id, "Band");
    await addMembers(world.hub, ann.channel.channel_id, second.id, [cara.channel.channel_hash]);
    expect((await update({ status: "both", group_allow: `<${group.id}><${second.id}>` })).status).toBe(200);
    expect(await readers("both")).toEqual(["bob", "cara"]);
  });

  test("denying beats allowing", async () => {
    await update({ status: "denied", group_allow: `<${group.id}>`, contact_deny: `<${bobsCid}>` });
    expect(await readers("denied")).toEqual([]);
  });

  test("what is not the caller's is refused, so that nothing becomes public by mistake", async () => {
    const foreign = await createGroup(world.hub, bob.channel.channel_id, "Secret");
    const bobsCidOfAnn = (await findConnectionTo(world.hub, bob.channel.channel_id, ann.channel.channel_hash))!
      .abook_id;
    const lists = [
      { group_allow: `<${foreign.id}>` },
      { group_allow: foreign.hash },
      { contact_allow: `<${bobsCidOfAnn}>` },
      { contact_deny: 999_999 },
      { contact_allow: "nobody-at-all" },
      { group_allow: "<>" },
      { contact_allow: "," },
      { contact_allow: `<${bobsCid}` },
      { group_deny: "99999999999999999999999" },
      { contact_allow: "99999999999999999999999" },
    ];
    const before = (await ann.get("/api/statuses/user_timeline")).json[0].id;
    for (const list of lists) {
      const { status, json } = await update({ status: "refused", ...list });
      expect([list, status, json]).toEqual([
        list,
        400,
        { error: "acl data invalid", code: 400, request: "api/statuses/update.json" },
      ]);
    }
    expect((await ann.get("/api/statuses/user_timeline")).json[0].id).toBe(before);
  });
});

describe("answers", () => {
  test.each(["", "0", "-1", undefined])("trap 32: %j is no reply", async (id) => {
    expect((await update({ status: "top", in_reply_to_status_id: id, group_allow: "" })).json).toMatchObject({
      in_reply_to_status_id: null,
    });
  });

  test("take their audience from the thread and name their parent", async () => {
    const top = (await update({ status: "for bob", group_allow: `<${group.id}>` })).json;
    await world.work();
    const [seen] = (await bob.get("/api/statuses/home_timeline")).json;
    const answer = (
      await update(
        { status: "answer", in_reply_to_status_id: seen.id, contact_allow: "nonsense", group_allow: "" },
        bob,
      )
    ).json;
    expect(answer).toMatchObject({
      in_reply_to_status_id: seen.id,
      in_reply_to_status_id_str: String(seen.id),
      in_reply_to_user_id: ann.channel.xchan_id,
      in_reply_to_screen_name: "ann",
      statusnet_conversation_id: seen.id,
      svc_private: true,
      svc_owner: { screen_name: "bob" },
    });
    expect(await readers("answer")).toEqual(["bob"]);
    const byMid = (await update({ status: "by message id", in_reply_to_status_id: top.external_url })).json;
    expect(byMid.in_reply_to_status_id).toBe(top.id);
  });

  test("an unknown parent and one that may not be seen are answered alike", async () => {
    const top = (await update({ status: "not for cara", group_allow: `<${group.id}>` })).json;
    for (const id of [top.id, 999_999, "http://hub.example/item/none", "9".repeat(30)]) {
      const { status, json } = await update({ status: "?", in_reply_to_status_id: id }, cara);
      expect([status, json.error]).toEqual([404, "There is no status with this id."]);
    }
  });
});

test("it answers the status that was just created, not the newest (lessons)", async () => {
  const first = (await update({ status: "first", group_allow: "" })).json;
  await update({ status: "second", group_allow: "" });
  const answer = (await update({ status: "late answer", in_reply_to_status_id: first.id })).json;
  expect([answer.text, answer.in_reply_to_status_id]).toEqual(["late answer", first.id]);
});

test("a known message id creates nothing", async () => {
  const first = (await update({ status: "once", message_id: "client-17@example.org", group_allow: "" })).json;
  const again = (await update({ status: "twice", message_id: "client-17@example.org", group_allow: "" })).json;
  expect([again.id, again.text]).toEqual([first.id, "once"]);
});

test.each([
  ["", "api (Hubbub)"],
  ["AndStatus", "AndStatus (Hubbub)"],
  ["<a href='http://x.example'>Friendica App</a>", "Friendica App (Hubbub)"],
  ["Hubbub", "Hubbub"],
  ["x".repeat(150), `${"x".repeat(100)} (Hubbub)`],
])("trap 28: the source %j is shown as %j", async (source, shown) => {
  expect((await update({ status: "by", source, group_allow: "" })).json.source).toBe(shown);
});

test.each([
  [{ lat: "52.5163", long: "13.3777" }, [52.5163, 13.3777]],
  [{ lat: "-90", long: "+180" }, [-90, 180]],
  [{ lat: "91", long: "0" }, undefined],
  [{ lat: "0", long: "-180.5" }, undefined],
  [{ lat: "52" }, undefined],
  [{ lat: "here", long: "there" }, undefined],
])("coordinates %j", async (form, expected) => {
  const { status, json } = await update({ status: "there", group_allow: "", ...form });
  expect([status, json.geo?.coordinates]).toEqual([200, expected]);
});

test("title, markup and flags", async () => {
  const { json } = await update({
    status: "some [b]bold[/b] words",
    title: "Words",
    possibly_sensitive: "1",
    group_allow: "",
  });
  expect(json).toMatchObject({ text: "Words\n\nsome bold words", svc_title: "Words", possibly_sensitive: true });
  expect(json.svc_html).toContain("<strong>bold</strong>");
  const html = (
    await update({ status: "ignored", htmlstatus: "<p>From <em>HTML</em><script>x</script></p>", group_allow: "" })
  ).json;
  expect([html.text, html.svc_html.includes("<script")]).toEqual(["From HTML", false]);
  const same = (await update({ status: "Words are here", title: "Words", group_allow: "" })).json;
  expect(same.text).toBe("Words are here");
});

test("what cannot be posted", async () => {
  const refused: [Record<string, unknown>, number, string][] = [
    [{}, 400, "Empty post discarded."],
    [{ status: " \n " }, 400, "Empty post discarded."],
    [{ status: "", title: "only a title" }, 400, "Empty post discarded."],
    [{ status: "x".repeat(501) }, 400, "Status is too long."],
    [{ status: "x", media_ids: "1,2" }, 400, "Media not found."],
    [{ status: "x", message_id: "with space" }, 400, "Unusable message id."],
  ];
  for (const [form, code, error] of refused) {
    const { status, json } = await update(form);
    expect([form, status, json]).toEqual([form, code, { error, code, request: "api/statuses/update.json" }]);
  }
  expect((await update({ status: "x".repeat(500), group_allow: "" })).status).toBe(200);
});

test("a closed thread takes no answers", async () => {
  const feed = await world.person("feed", { role: "soapbox" });
  await befriend(world.hub, feed.channel, ann.channel);
  const { json } = await update({ status: "no comments please" }, feed);
  const { status, json: refusal } = await update({ status: "but", in_reply_to_status_id: json.id }, cara);
  expect([status, refusal.error]).toEqual([403, "Permission denied."]);
});

describe("trap 47: parameters come from anywhere", () => {
  test.each(["POST", "PUT"])("%s with the query alone", async (method) => {
    const answer = await ann.send(method, "/api/statuses/update", undefined, {
      query: { status: "by query", group_allow: "" },
    });
    expect([answer.status, answer.json.text]).toEqual([200, "by query"]);
  });

  test.each(["application/json", "text/plain"])("an empty body that says it is %s", async (type) => {
    const query = { status: `empty ${type}`, group_allow: "" };
    const answer = await ann.send("POST", "/api/statuses/update", "", { query, headers: { "content-type": type } });
    expect([answer.status, answer.json.text]).toEqual([200, `empty ${type}`]);
  });

  test("a JSON body, and the body wins over the query", async () => {
    const body = JSON.stringify({ status: "by JSON", group_allow: [group.id] });
    const answer = await ann.send("POST", "/api/statuses/update", body, {
      query: { status: "by query" },
      headers: { "content-type": "application/json" },
    });
    expect(answer.json).toMatchObject({ text: "by JSON", svc_private: true });
  });

  test("trap 48: a form without a file, also where the text has a file name", async () => {
    const form = new FormData();
    form.set("status", new File(["by form"], "status.txt"));
    form.set("group_allow", "");
    expect((await ann.send("POST", "/api/statuses/update", form)).json).toMatchObject({ text: "by form" });
  });

  test("a picture is not dropped silently", async () => {
    const form = new FormData();
    form.set("status", "with picture");
    form.set("media", new File([new Uint8Array(10)], "a.jpg", { type: "image/jpeg" }));
    expect((await ann.send("POST", "/api/statuses/update", form)).status).toBe(400);
  });
});

test("trap 45: cache-busters with any text are ignored", async () => {
  const { status } = await ann.get("/api/statuses/home_timeline", {
    timestamp: "21/11/2026 03:00:00 %",
    include_rts: "true",
    tweet_mode: "extended",
  });
  expect(status).toBe(200);
});

test("text that is not UTF-8 or holds control characters is stored clean", async () => {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const { status, json } = await ann.send("POST", "/api/statuses/update", "group_allow=&status=a%ffb%00c%0d%0ad", {
    headers,
  });
  expect([status, json.text]).toEqual([200, "a\ufffdbc\nd"]);
});
