import type { Channel } from "../../src/domain/identity/channels/channel.ts";
import { uploadPhotoFor } from "../../src/domain/cloud/channel-photos.ts";
import { connect } from "../../src/domain/connections/connections.ts";
import { saveEvent } from "../../src/domain/events/save.ts";
import { addMembers, createGroup } from "../../src/domain/groups/groups.ts";
import { accountRoles } from "../../src/domain/identity/accounts/accounts.ts";
import { registerApp } from "../../src/domain/identity/applications/oauth2-apps.ts";
import { updateProfile } from "../../src/domain/people/change-profile.ts";
import { defaultProfile } from "../../src/domain/identity/channels/profiles.ts";
import { commentOn } from "../../src/domain/items/posting/comment.ts";
import { postItem } from "../../src/domain/items/posting/post.ts";
import { react } from "../../src/domain/items/posting/react.ts";
import { sendMessage } from "../../src/domain/messages/send.ts";
import { meetActor } from "../../src/domain/peers/meet-actor.ts";
import { createWiki } from "../../src/domain/pages/wiki-create.ts";
import { saveWikiPage } from "../../src/domain/pages/wiki-save.ts";
import { report } from "../../src/domain/reports/report.ts";
import type { Hub } from "../../src/hub.ts";
import { actorOf } from "../support/actors.ts";
import type { Person, TestApp } from "../support/app.ts";
import { staged } from "../support/files.ts";
import { befriend } from "../support/people.ts";
import { formWith } from "../support/pictures.ts";
import { landscape, portrait } from "./paintings.ts";

/** A hub that looks lived in: the valley of a few people, a choir, and somebody from elsewhere. */

export type Village = {
  thread: string;
  article: string;
  event: string;
  stranger: number;
  photo: string;
  nick: string;
  /** Where an application asks to be let in. */
  consent: string;
};

/** Fills an empty hub; `work` does what is due. Alma runs it, and is who looks at the pages. */
export async function settle(world: TestApp): Promise<Village> {
  const { hub } = world;
  const person = async (nick: string, name: string, hue: number, about: string): Promise<Person> => {
    const made = await world.person(nick, { name, timezone: "Europe/Oslo" });
    const face = await staged(hub, await portrait(hue));
    await uploadPhotoFor(hub, "profile", made.channel, face, { filename: "face.png", type: "image/png" });
    const { id } = await defaultProfile(hub, made.channel.channel_id);
    await updateProfile(hub, made.channel.channel_id, id, { about, publish: 1 });
    return made;
  };
  const alma = await person("alma", "Alma Berg", 150, "Bakes, sings alto, walks up hills.");
  const jonas = await person("jonas", "Jonas Eide", 25, "Carpenter. Boats when the fjord lets me.");
  const meera = await person("meera", "Meera Nair", 290, "Teaches maths, grows far too many tomatoes.");
  const tomas = await person("tomas", "Tomás Ruiz", 205, "Runs the village shop and its radio.");
  const linh = await person("linh", "Linh Tran", 340, "Birds, bicycles, bad puns.");
  await hub.db
    .updateTable("account")
    .set({ account_roles: accountRoles.administrator })
    .where("account_id", "=", alma.channel.channel_account_id)
    .execute();
  for (const friend of [jonas, meera, tomas]) await befriend(hub, alma.channel, friend.channel);
  await befriend(hub, jonas.channel, meera.channel);
  await befriend(hub, meera.channel, tomas.channel);
  await connect(hub, linh.channel, { xchan_hash: alma.channel.channel_hash });
  const choir = await createGroup(hub, alma.channel.channel_id, "Choir", { visible: true });
  await addMembers(
    hub,
    alma.channel.channel_id,
    choir.id,
    [jonas, meera].map(({ channel }) => channel.channel_hash),
  );
  const stranger = await fromElsewhere(hub, alma.channel);

  const article = await postItem(hub, alma.channel, {
    title: "How to keep a sourdough alive",
    summary: "Flour, water, and not thinking about it too much.",
    body: "[h2]Feeding[/h2]Once a day when it stands warm, once a week in the fridge. [b]Throw half of it away first.[/b]",
    itemType: 7,
    pageTitle: "sourdough",
  });
  const concert = await saveEvent(hub, alma.channel, {
    summary: "Autumn concert",
    description: "Songs from four valleys, and coffee after.",
    location: "The old school",
    dtstart: later(hub, 6),
    dtend: later(hub, 6.1),
    share: { audience: { allow_cid: [], allow_gid: [], deny_cid: [], deny_gid: [] } },
  });
  await pass(world, 90);
  await withPictures(jonas, "The boat is back in the water. #fjord #boats", [
    [landscape(200, "water"), "A wooden boat at its mooring"],
    [landscape(32, "hills"), "Evening light over the hills"],
    [landscape(260, "water"), "The fjord after sunset"],
  ]);
  await pass(world, 40);
  await postItem(hub, tomas.channel, {
    body: "The shop has *fresh bread at seven* from Monday. Which one first?",
    mimetype: "text/markdown",
    poll: { options: ["Rye", "Sourdough", "Cardamom buns"], several: false, ends: later(hub, 2) },
  });
  await pass(world, 25);
  const rehearsal = await postItem(hub, alma.channel, {
    body: "Rehearsal on Thursday at eight, in the old school. Bring the new sheets, please.",
    audience: { allow_cid: [], allow_gid: [choir.hash], deny_cid: [], deny_gid: [] },
  });
  await pass(world, 12);
  await commentOn(hub, meera.channel, { mid: rehearsal.mid }, { body: "I will be ten minutes late, school council." });
  await pass(world, 30);
  const code =
    "```python\ndef tomatoes(plants):\n    return sum(plant.harvest() for plant in plants)  # far too many\n```";
  await postItem(hub, meera.channel, {
    body: `The greenhouse counts for itself now:\n\n${code}`,
    mimetype: "text/markdown",
  });
  await pass(world, 20);
  const thread = await postItem(hub, jonas.channel, {
    body: "Who has a long ladder? The gutter of the boathouse will not last the winter.",
  });
  await pass(world, 5);
  const first = await commentOn(
    hub,
    alma.channel,
    { mid: thread.mid },
    { body: "I do, eight metres. Come by after work." },
  );
  await pass(world, 4);
  await commentOn(hub, jonas.channel, { mid: thread.mid }, { body: "You are the best!", thrParent: first.mid });
  await commentOn(hub, meera.channel, { mid: thread.mid }, { body: "I can hold it. Someone has to." });
  await react(hub, meera.channel, { mid: thread.mid }, "like", "stays");
  await react(hub, alma.channel, { mid: thread.mid }, "like", "stays");
  await pass(world, 3);
  await withPictures(alma, "First snow on the ridge this morning. #snow", [
    [landscape(215, "hills"), "Snow on a mountain ridge under a clear sky"],
  ]);
  await letters(world, alma.channel, jonas.channel, meera.channel);
  await createWiki(hub, alma.channel, { name: "Choir notes", mimetype: "text/markdown", posted: false });
  const page = "# Songs\n\n1. Northern lights\n2. The ferry\n3. A round for four\n\nSee [[Voices]].";
  await saveWikiPage(hub, alma.channel, alma.channel, "Choir notes", { name: "Home", body: page, base: 0 });
  const spam = await postItem(hub, linh.channel, { body: "Cheap watches, three for one, write to me!" });
  await world.work();
  const about = { person: linh.channel.channel_hash, comment: "Somebody has got into Linh's account.", forward: false };
  await report(hub, tomas.channel, { ...about, items: [{ mid: spam.mid }], category: "spam" });
  await pass(world, 2);
  return {
    thread: thread.uuid,
    article: article.uuid,
    event: concert.event_hash,
    stranger,
    photo: await newestPhoto(hub, jonas.channel),
    nick: alma.nick,
    consent: await applicationAsks(hub),
  };
}

/** The address at which an application for telephones asks. */
async function applicationAsks(hub: Hub): Promise<string> {
  const [redirect_uri, scope] = ["crow-app://login", "read write follow push"];
  const { app } = await registerApp(hub, 0, {
    name: "Crow",
    redirects: [redirect_uri],
    scopes: scope,
    website: "https://crow.example/",
  });
  const asked = { response_type: "code", client_id: app.client_id, redirect_uri, scope };
  return `/oauth/authorize?${new URLSearchParams(asked).toString()}`;
}

/** Somebody of another site, whom Alma follows. */
async function fromElsewhere(hub: Hub, alma: Channel): Promise<number> {
  const about = "Draws maps of places that are not there.";
  const mira = await meetActor(hub, actorOf("mira", { name: "Mira Koskela", about }));
  await connect(hub, alma, mira);
  return mira.xchan_id;
}

async function letters({ hub, work }: TestApp, alma: Channel, jonas: Channel, meera: Channel): Promise<void> {
  await sendMessage(hub, meera, { to: alma.channel_hash, body: "Do you still have the old recordings?" });
  await work();
  await sendMessage(hub, jonas, { to: alma.channel_hash, body: "Shall I bring the ladder back tonight?" });
  await work();
  const mail = await hub.db
    .selectFrom("mail")
    .select("id")
    .where("channel_id", "=", alma.channel_id)
    .orderBy("id", "desc")
    .executeTakeFirstOrThrow();
  await sendMessage(hub, alma, { to: jonas.channel_hash, body: "Keep it till the gutter is done.", replyTo: mail.id });
  await work();
}

async function withPictures(
  who: Person,
  body: string,
  all: readonly (readonly [Promise<Buffer>, string])[],
): Promise<void> {
  const ids: string[] = [];
  for (const [n, [bytes, description]] of all.entries()) {
    const form = formWith({ alt_text: description }, [["media", await bytes, `${n + 1}.jpg`, "image/jpeg"]]);
    const { status, json } = await who.send("POST", "/api/media/upload.json", form);
    if (status >= 300) throw new Error(`The picture was refused: ${JSON.stringify(json)}`);
    ids.push(String(json.media_id_string ?? json.media_id));
  }
  const { status, json } = await who.post("/api/statuses/update.json", { status: body, media_ids: ids.join(",") });
  if (status >= 300) throw new Error(`The post was refused: ${JSON.stringify(json)}`);
}

async function newestPhoto(hub: Hub, { channel_id }: Channel): Promise<string> {
  const row = await hub.db
    .selectFrom("photo")
    .select("resource_id")
    .where("uid", "=", channel_id)
    .where("photo_usage", "=", 0)
    .orderBy("id", "desc")
    .executeTakeFirstOrThrow();
  return row.resource_id;
}

/** Does what is due, and lets so many minutes pass. */
async function pass(world: TestApp, minutes: number): Promise<void> {
  await world.work();
  world.hub.advance(minutes * 60);
}

/** So many days from now, in the stored form. */
function later(hub: Hub, days: number): string {
  return new Date(hub.clock().getTime() + days * 86_400_000).toISOString().slice(0, 19).replace("T", " ");
}
