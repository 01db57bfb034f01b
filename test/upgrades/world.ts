import { connect, receiveAccept } from "../../src/domain/connections/connections.ts";
import { listGuests } from "../../src/domain/connections/guests.ts";
import { registerApp } from "../../src/domain/identity/applications/oauth2-apps.ts";
import { issueBearer } from "../../src/domain/identity/applications/oauth2-tokens.ts";
import type { Channel } from "../../src/domain/identity/channels/channel.ts";
import { findChannelByNick } from "../../src/domain/identity/channels/channels.ts";
import { commentOn } from "../../src/domain/items/posting/comment.ts";
import { postItem } from "../../src/domain/items/posting/post.ts";
import { meetActor } from "../../src/domain/peers/meet-actor.ts";
import type { Hub } from "../../src/hub.ts";
import { createApp } from "../../src/main.ts";
import { actorOf } from "../support/actors.ts";
import { password } from "../support/hub.ts";
import type { TestHub } from "../support/hub.ts";
import { arrivesIn } from "../support/incoming.ts";
import { application } from "../support/oauth.ts";
import { deliver } from "../support/people.ts";
import { visitorOf } from "../support/visitor.ts";
import { wholeChannel } from "../support/whole-channel.ts";
import type { Kept } from "./kept.ts";

/** The small hub that a version leaves: a channel with some of everything, and what waits to be done. */

/** Who asks it, and how. */
export type Askers = Pick<Kept, "application" | "sessions"> & { bearers: Record<string, string>; guest: string };

const everybody = "https://www.w3.org/ns/activitystreams#Public";

/** Fills a hub that asks nobody elsewhere. */
export async function fillWorld(hub: TestHub): Promise<Askers> {
  const alma = await wholeChannel(hub, "alma");
  const bob = (await findChannelByNick(hub, "bob"))!;
  await hearFromElsewhere(hub, alma);
  const askers = {
    application: await application(hub, alma),
    sessions: { alma: await cookieOf(hub, "alma"), bob: await cookieOf(hub, "bob") },
    bearers: { alma: await bearerOf(hub, alma), bob: await bearerOf(hub, bob) },
    guest: (await listGuests(hub, alma))[0]!.atoken_token,
  };
  await useApplication(hub, askers.bearers.alma);
  const { mid } = await postItem(hub, alma, { body: "I am leaving" });
  await deliver(hub);
  hub.advance(60);
  await postItem(hub, alma, { body: "Last words to @bob" });
  await commentOn(hub, bob, { mid }, { body: "And I, too" });
  return askers;
}

/** Somebody of another hub, with a post. */
async function hearFromElsewhere(hub: Hub, alma: Channel): Promise<void> {
  const carla = await meetActor(hub, actorOf("carla"));
  await connect(hub, alma, carla);
  await receiveAccept(hub, alma, carla);
  const actor = carla.xchan_hash;
  const to = [everybody, `${actor}/followers`];
  const object = { id: `${actor}/1`, type: "Note", attributedTo: actor, content: "<p>From far #rain</p>", to };
  await arrivesIn(hub)({ id: `${actor}/2`, type: "Create", actor, to, object }, [alma]);
}

async function cookieOf(hub: Hub, nick: string): Promise<string> {
  const visitor = visitorOf(createApp(hub));
  await visitor.logIn(nick, password);
  return [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
}

async function bearerOf(hub: Hub, { channel_id }: Channel): Promise<string> {
  const scopes = ["read", "write", "follow"];
  const wanted = { name: "Crow", redirects: ["crow://in"], scopes: scopes.join(" "), website: "" };
  const { app } = await registerApp(hub, 0, wanted);
  return (await issueBearer(hub, app, channel_id, scopes)).token;
}

/** What applications for Mastodon make. */
async function useApplication(hub: Hub, bearer: string): Promise<void> {
  const app = createApp(hub);
  const post = async (path: string, body: object): Promise<void> => {
    const headers = { authorization: `Bearer ${bearer}`, "content-type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    const { status } = await app.request(`${hub.config.baseUrl}${path}`, init);
    if (status !== 200) throw new Error(`${path} answers ${status}`);
  };
  const poll = { options: ["Rain", "Sun"], expires_in: 86_400 };
  await post("/api/v1/statuses", { status: "What will it be?", poll });
  await post("/api/v1/statuses", { status: "Behind a warning", spoiler_text: "The end of the film", language: "en" });
  const keywords_attributes = [{ keyword: "football", whole_word: true }];
  await post("/api/v2/filters", { title: "No sports", context: ["home"], keywords_attributes });
  await post("/api/v1/tags/rain/follow", {});
}
