import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { basic, clientOf } from "../../../test/support/client.ts";
import { password } from "../../../test/support/hub.ts";
import { createChannel } from "../../domain/identity/channels/channels.ts";
import { setAccountFlag } from "../../domain/identity/accounts/accounts.ts";

let world: TestApp;
let alma: Person;
const api = "/api/z/1.0";

beforeAll(async () => {
  world = await openTestApp();
  alma = await world.person("alma");
  await world.person("bruno");
  const account = await world.hub.db
    .selectFrom("account")
    .selectAll()
    .where("account_email", "=", "alma@example.org")
    .executeTakeFirstOrThrow();
  await createChannel(world.hub, account, { nick: "cards", name: "Cards" });
});
afterAll(() => world.close());

describe("errors (1.8)", () => {
  test("the error object, with the path but not the query", async () => {
    const answer = await alma.get(`${api}/group_members`, { secret: "x" });
    expect(answer.status).toBe(400);
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(answer.json).toEqual({
      success: false,
      error: "One of group_id and group_name is needed.",
      message: "One of group_id and group_name is needed.",
      reason: "missing_parameter",
      code: 400,
      request: "/api/z/1.0/group_members",
      field: "group_id",
    });
  });

  test.each(["/nothing", "/group/1", "/group.xml", "/group.rss", "/Group", "", "/item"])(
    "%s is not implemented",
    async (path) => {
      const answer = await alma.get(api + path);
      expect(answer).toMatchObject({
        status: 404,
        json: { reason: "not_implemented", error: "not implemented", request: api + path },
      });
    },
  );

  test("another version is unknown too", async () => {
    expect((await alma.get("/api/z/2.0/group")).json.reason).toBe("not_implemented");
  });

  test.each(["/api/red/group", `${api}/group.json`, `${api}/group/`])("%s is the same endpoint", async (path) => {
    expect((await alma.get(path)).json).toEqual((await alma.get(`${api}/group`)).json);
  });

  test.each(["network/stream", "abook", "abconfig", "perm_allowed", "verify"])(
    "the older prefix has no %s",
    async (name) => {
      expect((await alma.get(`/api/red/${name}`)).status).toBe(404);
    },
  );

  test("a fault of the hub says nothing about itself", async () => {
    const broken = await openTestApp();
    const person = await broken.person("alma");
    await broken.hub.db.schema.dropTable("pgrp").execute();
    const answer = await person.get(`${api}/group`);
    expect(answer).toMatchObject({ status: 500, json: { reason: "server_error", error: "system error", code: 500 } });
    expect(answer.text).not.toMatch(/pgrp|sql/i);
    await broken.close();
  });
});

describe("authentication (1.9)", () => {
  const good = [
    `alma:${password}`,
    `ALMA:${password}`,
    ` alma :${password}`,
    `alma@example.org:${password}`,
    `alma@hub.example:${password}`,
  ];
  test.each(good)("%s logs in", async (credentials) => {
    expect((await clientOf(world.app, credentials).get(`${api}/verify`)).json.channel_address).toBe("alma");
  });

  test.each(["alma:wrong", "nobody:wrong", "alma", ":", `alma@elsewhere.example:${password}`, `alma:${password} `])(
    "%s does not, and a browser is not asked for a password",
    async (credentials) => {
      const client = clientOf(world.app, credentials);
      const plain = await client.get(`${api}/version`);
      expect(plain).toMatchObject({ status: 401, json: { reason: "unauthorized" } });
      expect(plain.headers.get("www-authenticate")).toBe('Basic realm="Hubbub"');
      const browser = await client.get(`${api}/version`, {}, { headers: { "sec-fetch-site": "cross-site" } });
      expect(browser.headers.get("www-authenticate")).toBe('OAuth realm="http://hub.example/"');
    },
  );

  test("unknown schemes and cookies do not", async () => {
    for (const authorization of ["Bearer x", "Basic", "x"]) {
      expect((await world.anonymous.get(`${api}/version`, {}, { headers: { authorization } })).status).toBe(401);
    }
    expect((await world.anonymous.get(`${api}/verify`, {}, { headers: { cookie: "session=x" } })).status).toBe(401);
  });

  test("a password may hold colons and any letters", async () => {
    const { hub, app } = world;
    const { createAccount } = await import("../../domain/identity/accounts/accounts.ts");
    const account = await createAccount(hub, { email: "colon@example.org", password: "a:b:ä€ horse" });
    await createChannel(hub, account, { nick: "colon", name: "Colon" });
    expect((await clientOf(app, "colon:a:b:ä€ horse").get(`${api}/verify`)).status).toBe(200);
    await setAccountFlag(hub, account.account_id, "blocked", true);
    expect((await clientOf(app, "colon:a:b:ä€ horse").get(`${api}/verify`)).status).toBe(401);
  });

  test("channel selects another channel of the account, and no other", async () => {
    expect((await alma.get(`${api}/verify`, { channel: "cards" })).json.channel_address).toBe("cards");
    expect((await alma.get(`${api}/verify`, { channel: "" })).json.channel_address).toBe("alma");
    for (const channel of ["bruno", "nobody"]) {
      expect(await alma.get(`${api}/verify`, { channel })).toMatchObject({
        status: 403,
        json: { reason: "wrong_channel" },
      });
    }
  });

  test("checks come in their order: method, credentials, channel, parameters", async () => {
    expect((await world.anonymous.send("PUT", `${api}/group`)).status).toBe(405);
    expect((await world.anonymous.get(`${api}/abook`, { abook_id: "x", channel: "bruno" })).status).toBe(401);
    expect((await alma.get(`${api}/abook`, { abook_id: "x", channel: "bruno" })).status).toBe(403);
    expect((await alma.get(`${api}/abook`, { abook_id: "x" })).status).toBe(400);
  });
});

describe("parameters (1.3)", () => {
  const json = { "content-type": "application/json" };
  const body = async (answer: Promise<{ status: number; json: any }>) => {
    const { status, json } = await answer;
    return [status, json.item?.title, json.item?.body];
  };

  test("from query, form, multipart and JSON; the body wins", async () => {
    const multipart = new FormData();
    multipart.append("body", "b");
    multipart.append("title", "t");
    const query = { title: "q" };
    expect(await body(alma.post(`${api}/item/update`, { body: "b", title: "t" }, { query }))).toEqual([200, "t", "b"]);
    expect(await body(alma.send("POST", `${api}/item/update`, multipart, { query }))).toEqual([200, "t", "b"]);
    expect(
      await body(alma.send("POST", `${api}/item/update`, '{"body":"b","title":"t"}', { query, headers: json })),
    ).toEqual([200, "t", "b"]);
    expect(await body(alma.post(`${api}/item/update`, { body: "b" }, { query }))).toEqual([200, "q", "b"]);
    expect(await body(alma.send("POST", `${api}/item/update`, undefined, { query: { body: "b" } }))).toEqual([
      200,
      "",
      "b",
    ]);
  });

  test("a text part with a file name is text; media are files", async () => {
    const form = new FormData();
    form.append("body", new File(["from a file"], "body.txt", { type: "application/octet-stream" }));
    expect(await body(alma.send("POST", `${api}/item/update`, form))).toEqual([200, "", "from a file"]);
    form.append("media[]", new File(["x"], "x.png", { type: "image/png" }));
    const { json } = await alma.send("POST", `${api}/item/update`, form);
    // It is no image, whatever it calls itself.
    expect(JSON.parse(json.item.attach)).toMatchObject([
      { title: "x.png", type: "application/octet-stream", length: "1" },
    ]);
  });

  test("lists in all their forms", async () => {
    const hash = (await alma.get(`${api}/verify`)).json.channel_hash as string;
    const forms = [
      "contact_allow[]=H",
      "contact_allow=H",
      "contact_allow[0]=H",
      "contact_allow=%3CH%3E",
      "contact_allow=H,",
      "contact_allow[]=&contact_allow[]=H",
    ];
    for (const form of forms) {
      const sent = await alma.send("POST", `${api}/item/update`, `body=b&${form.replace("H", hash)}`, {
        headers: { "content-type": "application/x-www-form-urlencoded" },
      });
      expect([form, sent.json.item?.allow_cid]).toEqual([form, `<${hash}>`]);
    }
    const open = await alma.post(`${api}/item/update`, { body: "b", contact_allow: [] });
    expect(open.json.item.allow_cid).toBe("");
    for (const unreadable of ["<>", "[]", ",", " ", "<>,<>"]) {
      const unclear = await alma.post(`${api}/item/update`, { body: "b", contact_allow: unreadable });
      expect(unclear).toMatchObject({ status: 400, json: { reason: "bad_parameter", field: "contact_allow" } });
    }
  });

  test("a refusal names the parameter as the endpoint calls it", async () => {
    const wrong: [string, string, object][] = [
      ["item/update", "message_id", { body: "b", message_id: "a b" }],
      ["channel/stream", "mid", { body: "b", mid: "a b" }],
      ["item/update", "group_deny", { body: "b", group_deny: "nobody" }],
      ["channel/stream", "deny_gid", { body: "b", deny_gid: "<nobody>" }],
    ];
    for (const [path, field, form] of wrong) {
      const { json } = await alma.post(`${api}/${path}`, form as Record<string, unknown>);
      expect([path, json.reason, json.field]).toEqual([path, "bad_parameter", field]);
    }
    const form = new FormData();
    form.append("media", new File([Buffer.from("ffd8ffe04a464946", "hex")], "x.jpg", { type: "image/jpeg" }));
    const { json } = await alma.send("POST", `${api}/item/update`, form);
    expect([json.reason, json.field]).toEqual(["bad_parameter", "media"]);
  });

  test("line ends and control characters", async () => {
    const sent = await alma.post(`${api}/item/update`, { body: "a\r\nb\rc\0d\x07e\tf" });
    expect(sent.json.item.body).toBe("a\nb\ncde\tf");
  });

  test("numbers", async () => {
    for (const [records, status] of [
      ["5", 200],
      ["-5", 200],
      ["+5", 200],
      ["", 200],
      ["5.5", 400],
      ["x", 400],
      ["1e3", 400],
      ["9".repeat(30), 400],
    ] as const) {
      expect([records, (await alma.get(`${api}/network/stream`, { records })).status]).toEqual([records, status]);
    }
  });

  test("bodies that cannot be read", async () => {
    const send = (type: string, body: string, more = {}) =>
      alma.send("POST", `${api}/item/update`, body, { headers: { "content-type": type, ...more } });
    expect((await send("text/plain", "body=b")).json.reason).toBe("unsupported_media");
    expect((await send("application/json", "[]")).json.reason).toBe("bad_parameter");
    expect((await send("application/json", "{")).json.reason).toBe("bad_parameter");
    expect((await send("application/x-www-form-urlencoded", "body=%FF")).json.reason).toBe("bad_parameter");
    expect((await send("multipart/form-data", "x")).json.reason).toBe("bad_parameter");
    expect((await send("multipart/form-data; boundary=x", "--x\r\nbroken")).json.reason).toBe("bad_parameter");
    expect(
      (await send("application/x-www-form-urlencoded", "body=b", { "content-encoding": "gzip" })).json.reason,
    ).toBe("unsupported_media");
    expect((await send("application/x-www-form-urlencoded", `body=${"x".repeat(5_000_000)}`)).json.reason).toBe(
      "too_large",
    );
    expect((await send("application/json", `{"body":"${"x".repeat(5_000_000)}"}`)).status).toBe(413);
    const form = new FormData();
    form.append("body", "x".repeat(5_000_000));
    expect((await alma.send("POST", `${api}/item/update`, form)).status).toBe(413);
  });
});

describe("headers (1.13)", () => {
  test("of every answer", async () => {
    const { headers } = await alma.get(`${api}/group`);
    expect(Object.fromEntries(headers)).toMatchObject({
      "access-control-allow-origin": "*",
      "cache-control": "no-store",
      vary: "Authorization",
      "x-content-type-options": "nosniff",
    });
    expect(headers.get("x-request-id")).toMatch(/^[\w-]{8,}$/);
    expect(headers.get("access-control-allow-credentials")).toBeNull();
    expect(headers.get("set-cookie")).toBeNull();
  });

  test("before a call from another site", async () => {
    const answer = await world.anonymous.send("OPTIONS", `${api}/item/update`, undefined, {
      headers: { "access-control-request-headers": "authorization, x-special" },
    });
    expect(answer.status).toBe(204);
    expect(answer.headers.get("allow")).toBe("POST, OPTIONS");
    expect(answer.headers.get("access-control-allow-headers")).toBe(
      "Authorization, Content-Type, X-Requested-With, authorization, x-special",
    );
    expect(answer.headers.get("access-control-max-age")).toBe("86400");
  });

  test("no header can be smuggled in", async () => {
    const { headers } = await alma.get(`${api}/abook`, { cat: "x\r\nx-evil: 1" });
    expect(headers.get("x-evil")).toBeNull();
  });

  test("another program than JSONP", async () => {
    expect((await alma.get(`${api}/version`, { callback: "f" })).headers.get("content-type")).toBe(
      "application/json; charset=utf-8",
    );
  });
});

describe("text that is not UTF-8 is refused with the name of its parameter (1.8)", () => {
  const bad = Buffer.from("x\xff", "latin1");
  const part = (value: Buffer): Buffer =>
    Buffer.concat([
      Buffer.from('--b\r\ncontent-disposition: form-data; name="body"\r\n\r\n'),
      value,
      Buffer.from("\r\n--b--\r\n"),
    ]);
  const sent: [how: string, type: string, body: Buffer][] = [
    ["form", "application/x-www-form-urlencoded", Buffer.from("title=a&body=%FF")],
    ["JSON", "application/json", Buffer.concat([Buffer.from('{"title":"a","body":"'), bad, Buffer.from('"}')])],
    ["JSON that names half a character", "application/json", Buffer.from('{"title":"a","body":"\\ud800"}')],
    ["multipart", "multipart/form-data; boundary=b", part(bad)],
  ];

  test.each(sent)("%s", async (_, type, body) => {
    const refused = await alma.send("POST", `${api}/item/update`, body, { headers: { "content-type": type } });
    expect(refused).toMatchObject({ status: 400, json: { reason: "bad_parameter", field: "body" } });
  });

  test("query", async () => {
    const refused = await alma.send("GET", `${api}/files?start=0&filename=%C3%28`);
    expect(refused).toMatchObject({ status: 400, json: { reason: "bad_parameter", field: "filename" } });
  });
});

test("request limits are for channels and for addresses, and start anew", async () => {
  const limited = await openTestApp({ env: { HUBBUB_RATE_LIMITS: "on" } });
  const person = await limited.person("alma");
  const other = await limited.person("bruno");
  for (let count = 0; count < 20_000; count += 100) {
    await Promise.all(Array.from({ length: 100 }, () => limited.anonymous.get(`${api}/version`)));
  }
  const refused = await limited.anonymous.get(`${api}/version`);
  expect(refused).toMatchObject({ status: 429, json: { reason: "rate_limited" } });
  expect(refused.headers.get("retry-after")).toBe("900");
  expect((await person.get(`${api}/verify`)).status).toBe(200);
  expect((await other.get(`${api}/verify`)).status).toBe(200);
  limited.hub.advance(901);
  expect((await limited.anonymous.get(`${api}/version`)).status).toBe(200);
  await limited.close();
});

test("credentials are read as UTF-8", () => {
  expect(basic("ä:ö")).toBe("Basic w6Q6w7Y=");
});
