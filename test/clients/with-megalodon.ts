import { createReadStream } from "node:fs";
import { detector, Mastodon } from "megalodon";
import type { Entity } from "megalodon";
import type { Seat } from "./seat.ts";

/** What a person does with a client built on megalodon, as Whalebird and Fedistar are. */
export async function driveMegalodon(seat: Seat) {
  const { url, friend_id, friends_post } = seat;
  const kind = await detector(url);
  const nobody = new Mastodon(url);
  const app = await nobody.registerApp("Megalodon", { scopes: ["read", "write", "follow"] });
  const code = await seat.agree(app.url!);
  const { access_token } = await nobody.fetchAccessToken(app.client_id, app.client_secret, code);
  const client = new Mastodon(url, access_token);
  const said: Record<string, unknown> & { posted: string[]; paged: string[] } = { posted: [], paged: [] };
  said["kind"] = kind;
  said["login"] = (await client.verifyAccountCredentials()).data.username;
  said["streaming"] = (await client.getInstance()).data.urls?.streaming_api;
  for (let number = 0; number < 5; number++)
    said.posted.push((await client.postStatus(`megalodon ${number} é 😀 & <b>`, {})).data.id);
  said["text"] = (await client.getStatus(said.posted[0]!)).data.content;
  for (let below: string | undefined; ; below = said.paged.at(-1)) {
    const { data } = await client.getHomeTimeline({ limit: 3, ...(below !== undefined && { max_id: below }) });
    if (data.length === 0) break;
    said.paged.push(...data.map(({ id }) => id));
  }

  const upload = await client.uploadMedia(createReadStream(seat.picture), { description: "A test picture" });
  const pictured = (await client.postStatus("megalodon with a picture", { media_ids: [upload.data.id] }))
    .data as Entity.Status;
  said["pictures"] = pictured.media_attachments.map(({ type, description }) => [type, description]);
  const reply = (await client.postStatus("megalodon answers", { in_reply_to_id: friends_post })).data as Entity.Status;
  said["reply_to"] = reply.in_reply_to_id;
  said["favourited"] = (await client.favouriteStatus(friends_post)).data.favourited;
  said["bookmarked"] = (await client.bookmarkStatus(friends_post)).data.bookmarked;
  said["reblogged"] = (await client.reblogStatus(friends_post)).data.reblog?.id;
  said["unreblogged"] = (await client.unreblogStatus(friends_post)).data.reblogged;
  said["context"] = (await client.getStatusContext(reply.id)).data.ancestors.map(({ id }) => id);
  said["relationship"] = (await client.getRelationship(friend_id)).data.following;
  said["notified"] = (await client.getNotifications({ limit: 5 })).data.map(({ type }) => type);
  said["streamed"] = await streamed(seat, client);
  await client.deleteStatus(said.posted[1]!);
  said["gone"] = await client.getStatus(said.posted[1]!).then(
    () => "It is still there",
    (error: { response: { status: number } }) => error.response.status,
  );
  return said;
}

async function streamed(seat: Seat, client: Mastodon): Promise<unknown> {
  const socket = await client.userStreaming();
  const first = new Promise<Entity.Status>((resolve, reject) => {
    socket.on("update", resolve);
    socket.on("error", reject);
    socket.on("parser-error", reject);
  });
  socket.on("connect", () => void seat.friendPosts("Heard by megalodon"));
  const { account, content } = await first;
  socket.stop();
  return [account.acct, content];
}
