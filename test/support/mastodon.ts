import { expect } from "vitest";
import { z } from "zod";
import { registerApp } from "../../src/domain/identity/applications/oauth2-apps.ts";
import { issueBearer } from "../../src/domain/identity/applications/oauth2-tokens.ts";
import { answers } from "../../src/faces/mastodon/answers.ts";
import { mastodonFace } from "../../src/faces/mastodon/face.ts";
import { Routes } from "../../src/http/routes.ts";
import type { Hub } from "../../src/hub.ts";
import type { TestApp } from "./app.ts";
import type { Answer, Client, Sent } from "./client.ts";
import { clientOf } from "./client.ts";
import { formWith, picture } from "./pictures.ts";
import type { Channel } from "../../src/domain/identity/channels/channel.ts";

const routes = new Routes([mastodonFace]);
const schemas: Readonly<Record<string, z.ZodType>> = answers;

/** Is the answer what its row says that it is? Every answer in tests comes by here. */
export async function expectShape(method: string, path: string, { status, json, text }: Answer): Promise<void> {
  const found = await routes.find(path.replace(/\?.*$/s, ""));
  const row = found.entry?.routes.find(({ methods }) => methods.some((one) => one === method))?.row;
  if (method === "HEAD" || method === "OPTIONS" || status === 304) return;
  const names = row && status < 300 ? row.answer.split(" | ") : ["Error"];
  const faults = names.map((name) => {
    const schema = schemas[name.replace("[]", "")]!;
    return (name.endsWith("[]") ? z.array(schema) : schema).safeParse(status < 300 && row?.textType ? text : json).error
      ?.issues;
  });
  if (!faults.includes(undefined)) expect([method, path, status, text, faults]).toEqual("what the row says");
}

/** What it posts is JSON, as most applications send it. */
export type MastodonClient = Client & Record<"put" | "patch", (path: string, form?: object) => Promise<Answer>>;

/** A client with a bearer token, or with none; all that it is answered has the shape that the rows promise. */
export function mastodonClient({ app }: Pick<TestApp, "app">, token?: string): MastodonClient {
  const client = clientOf(app);
  const authorization: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const send: Client["send"] = async (method, path, body, { query = {}, headers = {} } = {}) => {
    const answer = await client.send(method, path, body, { query, headers: { ...authorization, ...headers } });
    await expectShape(method, path, answer);
    return answer;
  };
  const sendJson = (method: string, path: string, form: object = {}, sent: Sent = {}): Promise<Answer> =>
    send(method, path, JSON.stringify(form), {
      ...sent,
      headers: { "content-type": "application/json", ...sent.headers },
    });
  return {
    send,
    get: (path, query = {}, sent = {}) => send("GET", path, undefined, { ...sent, query }),
    post: (path, form, sent) => sendJson("POST", path, form, sent),
    put: (path, form) => sendJson("PUT", path, form),
    patch: (path, form) => sendJson("PATCH", path, form),
  };
}

/** A token of a new application for the channel, with these scopes. */
export async function bearerFor(
  world: { hub: Hub },
  channel: Pick<Channel, "channel_id"> | undefined,
  scopes = "read write follow",
): Promise<string> {
  const { app } = await registerApp(world.hub, 0, {
    name: "Crow",
    redirects: ["crow-app://login"],
    scopes,
    website: "https://crow.example/",
  });
  const { token } = await issueBearer(world.hub, app, channel?.channel_id ?? 0, scopes.split(" "));
  return token;
}

/** Somebody with an application that may do everything for them. */
export type MastodonPerson = MastodonClient & { channel: Channel };

/** A client of the channel that may do everything. */
export async function mastodonPerson(world: TestApp, channel: Channel, scopes?: string): Promise<MastodonPerson> {
  return { ...mastodonClient(world, await bearerFor(world, channel, scopes)), channel };
}

/** Makes channels of these names, one after the other, and a client of each. */
export async function mastodonPeople<const Nicks extends readonly string[]>(
  world: TestApp,
  ...nicks: Nicks
): Promise<{ [N in keyof Nicks]: MastodonPerson }> {
  const people: MastodonPerson[] = [];
  for (const nick of nicks) people.push(await mastodonPerson(world, (await world.person(nick)).channel));
  return people as { [N in keyof Nicks]: MastodonPerson };
}

/** Posts, and has done all that follows from it; answers the status. */
export async function postStatus(world: Pick<TestApp, "work">, client: Client, form: object): Promise<any> {
  const answer = await client.post("/api/v1/statuses", form as Record<string, unknown>);
  await world.work();
  expect(answer).toMatchObject({ status: 200 });
  return answer.json;
}

/** Uploads a small picture; answers the attachment. */
export async function uploadPicture(
  client: Client,
  form: Record<string, string> = {},
  path = "/api/v2/media",
): Promise<any> {
  const png = await picture(60, 40).png().toBuffer();
  const answer = await client.send("POST", path, formWith(form, [["file", png, "a.png", "image/png"]]));
  expect(answer).toMatchObject({ status: 200 });
  return answer.json;
}
