import { addMembers, createGroup, deleteGroup } from "../../src/domain/groups/groups.ts";
import { block, connect, unfollow, updateConnection } from "../../src/domain/connections/connections.ts";
import { createGuest } from "../../src/domain/connections/guests.ts";
import { describePhoto } from "../../src/domain/cloud/describe.ts";
import { makeDirectory } from "../../src/domain/cloud/change.ts";
import { newRevision } from "../../src/domain/cloud/upload.ts";
import { uploadPhotoFor } from "../../src/domain/cloud/channel-photos.ts";
import { saveEvent } from "../../src/domain/events/save.ts";
import { importApp } from "../../src/domain/identity/belongings/apps.ts";
import type { Channel } from "../../src/domain/identity/channels/channel.ts";
import { setConfig } from "../../src/domain/identity/channels/channel-config.ts";
import { findChannelById, updateChannel } from "../../src/domain/identity/channels/channels.ts";
import { importChatroom } from "../../src/domain/identity/belongings/chatrooms.ts";
import { importLike } from "../../src/domain/identity/belongings/likes.ts";
import { setPermissionLimits } from "../../src/domain/identity/channels/permission-limits.ts";
import { savePermissionSet } from "../../src/domain/identity/channels/permission-sets.ts";
import { createProfile, defaultProfile } from "../../src/domain/identity/channels/profiles.ts";
import { updateProfile } from "../../src/domain/people/change-profile.ts";
import { importThing } from "../../src/domain/identity/belongings/things.ts";
import { followTag } from "../../src/domain/items/followed-tags.ts";
import { commentOn } from "../../src/domain/items/posting/comment.ts";
import { editItem } from "../../src/domain/items/posting/edit.ts";
import { followThread } from "../../src/domain/items/posting/follow.ts";
import { fileItem } from "../../src/domain/items/posting/folders.ts";
import { importOwnTerm } from "../../src/domain/items/restoring/own-terms.ts";
import { postItem } from "../../src/domain/items/posting/post.ts";
import { react } from "../../src/domain/items/posting/react.ts";
import { saveSearch } from "../../src/domain/items/timelines/saved-searches.ts";
import { shareItem } from "../../src/domain/items/posting/share.ts";
import { keepSketch } from "../../src/domain/items/posting/sketches.ts";
import { setStarred } from "../../src/domain/items/posting/star.ts";
import { recallMessage } from "../../src/domain/messages/remove.ts";
import { sendMessage } from "../../src/domain/messages/send.ts";
import { listNotices } from "../../src/domain/notifications/notices.ts";
import { markSeen } from "../../src/domain/notifications/seen.ts";
import { saveMenu } from "../../src/domain/pages/menus.ts";
import { savePage } from "../../src/domain/pages/save.ts";
import { createWiki } from "../../src/domain/pages/wiki-create.ts";
import { saveWikiPage } from "../../src/domain/pages/wiki-save.ts";
import { put, staged } from "./files.ts";
import type { TestHub } from "./hub.ts";
import { befriend, connectionId, deliver, newcomer } from "./people.ts";
import { picture } from "./pictures.ts";

/** A channel that has some of everything: every kind of record of native contract 2 with what can be told about it. */
export async function wholeChannel(hub: TestHub, nick: string): Promise<Channel> {
  const alma = await newcomer(hub, nick, { name: "Alma Ærlig", timezone: "Europe/Oslo" });
  await people(hub, alma);
  await settings(hub, alma);
  await posts(hub, alma);
  await pages(hub, alma);
  await calendar(hub, alma);
  await storage(hub, alma);
  await elsewhere(hub, alma);
  await deliver(hub);
  return (await findChannelById(hub, alma.channel_id))!;
}

const nobody = { allow_cid: [], allow_gid: [], deny_cid: [], deny_gid: [] };
const find = (hub: TestHub, nick: string): Promise<Channel> =>
  findChannelById(hub, known.get(hub)!.get(nick)!.channel_id) as Promise<Channel>;
const known = new WeakMap<TestHub, Map<string, Channel>>();

async function people(hub: TestHub, alma: Channel): Promise<void> {
  const all = new Map<string, Channel>();
  known.set(hub, all);
  for (const nick of ["bob", "carol", "dora", "eve", "frida", "gina", "hugo", "ida"])
    all.set(nick, await newcomer(hub, nick));
  const [bob, carol, dora, frida] = ["bob", "carol", "dora", "frida"].map((nick) => all.get(nick)!);
  const [gina, hugo] = ["gina", "hugo"].map((nick) => all.get(nick)!);
  for (const one of [bob!, carol!, dora!]) await befriend(hub, alma, one);
  await befriend(hub, alma, gina!);
  await unfollow(hub, alma, gina!.channel_hash);
  await block(hub, alma, { xchan_hash: hugo!.channel_hash, xchan_network: "zot" });
  await connect(hub, frida!, { xchan_hash: alma.channel_hash });
  const guid = (await createProfile(hub, alma, "For friends")).profile_guid;
  await updateConnection(hub, alma, await connectionId(hub, alma, bob!), {
    closeness: 15,
    profile: guid,
    incl: "#cats\nlang=en",
    excl: "football",
  });
  await updateConnection(hub, alma, await connectionId(hub, alma, carol!), { ignored: true, hidden: true });
  await updateConnection(hub, alma, await connectionId(hub, alma, dora!), { blocked: true, archived: true });
  const choir = await createGroup(hub, alma.channel_id, "Choir", { visible: true });
  await addMembers(hub, alma.channel_id, choir.id, [bob!.channel_hash, carol!.channel_hash]);
  const gone = await createGroup(hub, alma.channel_id, "Gone");
  await deleteGroup(hub, alma.channel_id, gone.id);
  await createGuest(hub, alma, { name: "Aunt Agda", expires: "2027-01-01 00:00:00" });
}

async function settings(hub: TestHub, alma: Channel): Promise<void> {
  const uid = alma.channel_id;
  await updateChannel(hub, uid, { location: "Oslo", expireDays: 90, notifyFlags: 17 });
  await setPermissionLimits(hub, uid, { post_comments: 256, view_contacts: 128 });
  await setConfig(hub, uid, "system", "photo_path", "%Y/%m");
  await setConfig(hub, uid, "feature", "photo_location", "1");
  await setConfig(hub, uid, "addon", "list", 'json:{"a":[1,"é"]}');
  await savePermissionSet(hub, uid, { name: "Acquaintances", granted: ["view_stream", "post_like"] });
  const { id } = await defaultProfile(hub, uid);
  await updateProfile(hub, uid, id, {
    about: "I sing & <b>dance</b>",
    locality: "Oslo",
    dob: "0000-02-29",
    keywords: "song, rain",
  });
  await saveSearch(hub, alma, "#rain");
  await importOwnTerm(hub, alma, { ttype: 7, otype: 6, term: "bicycle", url: `${hub.config.baseUrl}/thing/1` });
  await importThing(hub, alma, {
    obj_obj: "ab".repeat(32),
    obj_term: "bicycle",
    obj_verb: "has",
    obj_type: 6,
    obj_quantity: 2,
    obj_url: `${hub.config.baseUrl}/thing/1`,
    obj_created: "2026-01-01 10:00:00",
    obj_edited: "2026-01-01 10:00:00",
  });
  await importLike(hub, alma, {
    liker: (await find(hub, "bob")).channel_hash,
    likee: alma.channel_hash,
    verb: "like",
    target_type: "profile",
    target_id: "p1",
    target: '{"a":1}',
  });
  await importApp(hub, alma, {
    app_id: `${"cd".repeat(32)}.a.example`,
    app_name: "Tuner",
    app_url: "https://tuner.example",
    app_created: "2026-01-01 10:00:00",
    app_edited: "2026-01-02 10:00:00",
    term: [{ term: "Music", ttype: 3 }],
  });
  await importChatroom(hub, alma, {
    cr_name: "Rehearsal",
    cr_expire: 60,
    allow_cid: `<${alma.channel_hash}>`,
    cr_created: "2026-01-01 10:00:00",
    cr_edited: "2026-01-01 10:00:00",
  });
}

async function posts(hub: TestHub, alma: Channel): Promise<void> {
  await followTag(hub, alma, "#Fjord", "2024-05-06 07:08:09");
  const fields = [
    ["body", "Half a *thought*"],
    ["option", "Tea"],
    ["option", ""],
  ] as const;
  await keepSketch(hub, alma, { name: "on-autumn", place: "/network", fields }, "2026-02-03 04:05:06");
  const [bob, eve] = [await find(hub, "bob"), await find(hub, "eve")];
  const base = hub.config.baseUrl;
  const hello = await postItem(hub, alma, {
    body: `Hello #world, see ${base}/channel/${alma.channel_address} and ${base}/channel/bob & 1 < 2`,
    title: "First",
    categories: ["Diary"],
    location: "Oslo",
    coord: "59.9 10.7",
  });
  await deliver(hub);
  hub.advance(60);
  const reply = await commentOn(hub, bob, { mid: hello.mid }, { body: "Welcome!" });
  await commentOn(
    hub,
    alma,
    { mid: hello.mid },
    { body: `Thanks, ${base}/photos/${alma.channel_address}`, thrParent: reply.mid },
  );
  await commentOn(hub, eve, { id: hello.id }, { body: "From a stranger" });
  await react(hub, bob, { mid: hello.mid }, "like", "stays");
  await deliver(hub);
  await setStarred(hub, alma, { id: hello.id }, true);
  await fileItem(hub, alma, { id: hello.id }, "Keep");
  hub.advance(60);
  await editItem(hub, alma, hello.id, { body: `Hello #world, see ${base}/channel/${alma.channel_address} again` });
  const choir = await hub.db.selectFrom("pgrp").select("hash").where("gname", "=", "Choir").executeTakeFirstOrThrow();
  await postItem(hub, alma, {
    body: "Rehearsal at eight",
    audience: { ...nobody, allow_gid: [choir.hash], deny_cid: [bob.channel_hash] },
  });
  await postItem(hub, alma, {
    body: "*Shall we?*",
    mimetype: "text/markdown",
    consensus: true,
    commentsClosed: "2027-01-01 00:00:00",
  });
  await postItem(hub, alma, {
    body: "Silence",
    nocomment: true,
    nsfw: true,
    expires: "2027-06-01 00:00:00",
    namespace: "bridge",
    remoteId: "7",
  });
  await postItem(hub, alma, { body: "The butler did it", title: "The film", summary: "How it ends & why" });
  await postItem(hub, alma, { body: "Tomorrow", created: "2026-06-01 08:00:00" });
  await postItem(hub, alma, { body: `@[zrl=${base}/channel/bob]Bob[/zrl] and [b]you[/b]` });
  await befriend(hub, bob, eve);
  const theirs = await postItem(hub, bob, { body: "Bob's news" });
  await deliver(hub);
  await shareItem(hub, alma, { mid: theirs.mid });
  const letter = await sendMessage(hub, alma, { to: bob.channel_hash, title: "Secret", body: "Come [b]quick[/b]" });
  hub.advance(60);
  const theirCopy = await hub.db
    .selectFrom("mail")
    .selectAll()
    .where("channel_id", "=", bob.channel_id)
    .executeTakeFirstOrThrow();
  await sendMessage(hub, bob, { to: alma.channel_hash, body: "Coming", replyTo: theirCopy.id });
  const wrong = await sendMessage(hub, alma, { to: bob.channel_hash, body: "Not that", replyTo: letter.id });
  await recallMessage(hub, alma, wrong.id);
}

/** What Alma did in the threads of Ida, whom she follows: each of them is told by its first word. */
async function elsewhere(hub: TestHub, alma: Channel): Promise<void> {
  const ida = await find(hub, "ida");
  await befriend(hub, alma, ida);
  const post = async (body: string): Promise<{ mid: string }> => {
    const { mid } = await postItem(hub, ida, { body });
    await deliver(hub);
    return { mid };
  };
  await followThread(hub, alma, await post("Dull, as nobody would deny"), false);
  const starred = await post("Starred, and in a folder");
  await setStarred(hub, alma, starred, true);
  await fileItem(hub, alma, starred, "Recipes");
  await react(hub, alma, await post("Liked by somebody"), "like", "stays");
  const talk = await post("Talked about");
  const own = await commentOn(hub, alma, talk, { body: `Indeed, see ${hub.config.baseUrl}/channel/alma` });
  await deliver(hub);
  hub.advance(60);
  await commentOn(hub, ida, talk, { body: "You say so", thrParent: own.mid });
  await post("Passed by without a word");
  await deliver(hub);
  await readAll(hub, alma);
  await post("New and unread");
  const mention = await post(`Named: @[zrl=${hub.config.baseUrl}/channel/alma]Alma[/zrl]`);
  await react(hub, ida, { mid: own.mid }, "like", "stays");
  await deliver(hub);
  const [told] = await listNotices(hub, alma.channel_id, 1);
  await markSeen(hub, alma.channel_id, told!.id);
  await react(hub, ida, mention, "like", "stays");
}

/** Alma has looked at everything. */
async function readAll(hub: TestHub, { channel_id }: Channel): Promise<void> {
  await hub.db.updateTable("item").set({ item_unseen: 0 }).where("uid", "=", channel_id).execute();
}

async function pages(hub: TestHub, alma: Channel): Promise<void> {
  const element = { title: "", mimetype: "text/bbcode", layoutMid: "" };
  const layout = await savePage(hub, alma, alma, {
    ...element,
    kind: "layout",
    name: "plain",
    body: "[region=content]$content[/region]",
    mimetype: "application/x-pdl",
  });
  await savePage(hub, alma, alma, { ...element, kind: "block", name: "foot", body: "Foot of the page" });
  await savePage(hub, alma, alma, {
    ...element,
    kind: "webpage",
    name: "about-us",
    title: "About",
    body: "We are",
    layoutMid: layout.mid,
  });
  const article = { body: "It falls.", title: "On rain", summary: "Why it falls", itemType: 7, pageTitle: "On rain" };
  await postItem(hub, alma, article);
  await postItem(hub, alma, {
    body: "Bread",
    title: "Shopping",
    itemType: 6,
    audience: { ...nobody, allow_cid: [alma.channel_hash] },
  });
  await saveMenu(hub, alma, alma, {
    name: "main",
    title: "Main menu",
    flags: 2,
    entries: [
      { link: `${hub.config.baseUrl}/page/${alma.channel_address}/about-us`, label: "About", order: 1, flags: 1 },
      { link: "https://elsewhere.example", label: "Elsewhere", order: 2, flags: 2 },
    ],
  });
  await createWiki(hub, alma, { name: "Notes", mimetype: "text/markdown", posted: true });
  await saveWikiPage(hub, alma, alma, "Notes", { name: "Home", body: "# One", base: 0 });
  hub.advance(60);
  await saveWikiPage(hub, alma, alma, "Notes", { name: "Home", body: "# Two", base: 1 });
  await saveWikiPage(hub, alma, alma, "Notes", { name: "Songs", body: "La", base: undefined });
}

async function calendar(hub: TestHub, alma: Channel): Promise<void> {
  const concert = await saveEvent(hub, alma, {
    summary: "Concert",
    description: "[b]Loud[/b]",
    location: "Hall",
    dtstart: "2026-07-01 18:00:00",
    dtend: "2026-07-01 20:00:00",
    share: { audience: nobody },
  });
  await deliver(hub);
  const item = await hub.db
    .selectFrom("message")
    .select("mid")
    .where("resource_id", "=", concert.event_hash)
    .executeTakeFirstOrThrow();
  await react(hub, await find(hub, "bob"), { mid: item.mid }, "attendyes", "stays");
  await saveEvent(hub, alma, {
    etype: "task",
    summary: "Tune",
    dtstart: "2026-07-02 08:00:00",
    status: "IN-PROCESS",
    percent: 40,
    repeat: "FREQ=WEEKLY",
  });
}

async function storage(hub: TestHub, alma: Channel): Promise<void> {
  const travel = await makeDirectory(hub, alma, alma, { folder: "", name: "Travel" });
  const oslo = await makeDirectory(hub, alma, alma, { folder: travel.hash, name: "Oslo" });
  const notes = await put(hub, alma, "notes.txt", "first words", { folder: { hash: oslo.hash } });
  hub.advance(60);
  await newRevision(hub, alma, alma, notes.hash, await staged(hub, "second words, longer"), "text/plain");
  await put(hub, alma, "empty.bin", "", { audience: { ...nobody, allow_cid: [alma.channel_hash] } });
  const image = await put(hub, alma, "lake.png", await picture(1300, 900).png().toBuffer(), {
    folder: { hash: travel.hash },
  });
  await describePhoto(hub, alma, alma, image.hash, { title: "The lake", description: "A blue lake" });
  const face = await picture(500, 400, "#aa2266").jpeg().toBuffer();
  await uploadPhotoFor(hub, "profile", alma, await staged(hub, face), { filename: "me.jpg", type: "image/jpeg" });
}
