import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findConnectionTo } from "../../src/domain/connections/connections.ts";
import { moveTo } from "../../src/domain/identity/channels/moved.ts";
import { meetAgain, metActor } from "../../src/faces/federation/retrieve/actor.ts";
import { trustedAuthority } from "../support/strict.ts";
import { startFedify } from "./fedify-server.ts";
import type { FedifyServer } from "./fedify-server.ts";
import { startRealHub } from "./real-hub.ts";
import type { Member, RealHub } from "./real-hub.ts";

/** A server made with Fedify, which judges signatures, ids and vocabulary by itself, on real sockets: in the clear, and over TLS. */
describe.each([
  ["draft-cavage-http-signatures-12", "http"],
  ["rfc9421", "https"],
] as const)("a peer that signs by %s first, over %s", (scheme, protocol) => {
  const authority = protocol === "https" ? trustedAuthority() : undefined;
  let hub: RealHub;
  let peer: FedifyServer;
  let alma: Member;
  let fay: number;

  beforeAll(async () => {
    hub = await startRealHub(authority);
    peer = await startFedify(scheme, authority);
    alma = await hub.channel("alma");
    fay = (await metActor(hub.hub, peer.id))!.xchan_id;
  });
  afterAll(async () => {
    await peer.close();
    await hub.close();
    authority?.close();
  });

  const typesGot = () => peer.got.map(({ type }) => type);
  const homeTexts = async (): Promise<string[]> =>
    ((await alma.get("/api/statuses/home_timeline.json")) as { text: string }[]).map(({ text }) => text.trim());

  test("is followed, and says yes", async () => {
    await alma.post("/api/friendships/create.json", { user_id: String(fay) });
    await expect
      .poll(async () => (await alma.get(`/api/friendships/show.json?target_id=${fay}`)).relationship.source.following)
      .toBe(true);
    expect(typesGot()).toEqual(["Follow"]);
  });

  test("follows somebody who follows it, and is let in at once", async () => {
    await peer.follow(alma.id);
    await expect.poll(typesGot).toEqual(["Follow", "Accept"]);
    expect(peer.got[1]).toMatchObject({ actor: alma.id, object: { type: "Follow", actor: peer.id, object: alma.id } });
  });

  test("gets what is posted, edited and deleted", async () => {
    const from = peer.got.length;
    const { id } = await alma.post("/api/statuses/update.json", { status: "Hello from #Hubbub" });
    await expect.poll(() => typesGot().slice(from)).toEqual(["Create"]);
    expect(peer.got[from]).toMatchObject({
      actor: alma.id,
      object: {
        type: "Note",
        attributedTo: alma.id,
        content: expect.stringContaining("Hello from"),
        tag: { href: expect.stringContaining("/search?tag=Hubbub") },
      },
    });
    await alma.post("/api/z/1.0/item/update", { post_id: String(id), body: "Hello again" });
    await expect.poll(() => typesGot().slice(from)).toEqual(["Create", "Update"]);
    await alma.post("/api/statuses/destroy.json", { id: String(id) });
    await expect.poll(() => typesGot().slice(from)).toEqual(["Create", "Update", "Delete"]);
  });

  test("writes to the stream, and is answered", async () => {
    const note = await peer.say("Hello from Fedify", { to: [alma.id] });
    await expect.poll(homeTexts).toContain("Hello from Fedify");
    const [status] = (await alma.get("/api/statuses/home_timeline.json")) as { id: number }[];
    const from = peer.got.length;
    await alma.post("/api/statuses/update.json", { status: "And to you", in_reply_to_status_id: String(status!.id) });
    await expect.poll(() => typesGot().slice(from)).toEqual(["Create"]);
    expect(peer.got[from]).toMatchObject({ object: { inReplyTo: note } });
  });

  test("answers a post here", async () => {
    const { id, mid } = (await alma.post("/api/z/1.0/item/update", { body: "What do you think?" })).item;
    await peer.say("Very good", { to: [alma.id], inReplyTo: mid });
    await expect
      .poll(async () =>
        ((await alma.get(`/api/statusnet/conversation/${id}.json`)) as { text: string }[]).map(({ text }) =>
          text.trim(),
        ),
      )
      .toContain("Very good");
  });

  const totalOf = async (collection: string): Promise<number> => {
    const answer = await fetch(collection, { headers: { accept: "application/activity+json" } });
    return ((await answer.json()) as { totalItems: number }).totalItems;
  };

  test("likes and shares a post here, and takes both back", async () => {
    const { mid } = (await alma.post("/api/z/1.0/item/update", { body: "Do you like it?" })).item;
    const totals = async () => [await totalOf(`${mid}/likes`), await totalOf(`${mid}/shares`)];
    const back = [await peer.react("Like", mid, alma.id), await peer.react("Announce", mid, alma.id)];
    await expect.poll(totals).toEqual([1, 1]);
    for (const take of back) await take();
    await expect.poll(totals).toEqual([0, 0]);
  });

  test("is told what somebody here likes and shares of it, and that both are taken back", async () => {
    const note = await peer.say("Do you like that?", { to: [alma.id] });
    await expect.poll(homeTexts).toContain("Do you like that?");
    const [{ id }] = (await alma.get("/api/statuses/home_timeline.json")) as [{ id: number }];
    const from = peer.got.length;
    const form = { id: String(id) };
    await alma.post("/api/friendica/activity/like.json", form);
    await expect.poll(() => typesGot().slice(from)).toEqual(["Like"]);
    await alma.post("/api/statuses/retweet.json", form);
    await expect.poll(() => typesGot().slice(from)).toEqual(["Like", "Announce"]);
    expect(peer.got.slice(from)).toMatchObject([{ object: note }, { object: note }]);
    await alma.post("/api/friendica/activity/unlike.json", form);
    await alma.post("/api/statuses/unretweet.json", form);
    await expect.poll(() => typesGot().slice(from + 2)).toEqual(["Undo", "Undo"]);
  });

  test("takes back what it wrote, however long that was", async () => {
    const long = "far and wide ".repeat(15_000);
    const note = await peer.say(`Long: ${long}`, { to: [alma.id] });
    const isHere = async (): Promise<boolean> => (await homeTexts()).some((text) => text.startsWith("Long: far"));
    await expect.poll(isHere).toBe(true);
    await peer.remove(note, alma.id);
    await expect.poll(isHere).toBe(false);
  });

  test("finds that what is public bears a proof of its author", async () => {
    await alma.post("/api/statuses/update.json", { status: "Proven" });
    const came = () => peer.bodies.find((bytes) => bytes.includes("Proven"));
    await expect.poll(came).toBeDefined();
    expect(await peer.isProven(came()!)).toBe(true);
    expect(await peer.isProven(came()!.replace("Proven", "Forged"))).toBe(false);
  });

  test("reads what is for its people alone, signed, and nobody else does", async () => {
    const allow_cid = `<${peer.id}>`;
    const { mid } = (
      await alma.post("/api/z/1.0/item/update", { body: "Between us", contact_allow: allow_cid, allow_cid })
    ).item;
    await expect.poll(() => JSON.stringify(peer.got)).toContain("Between us");
    expect(await peer.read(mid)).toMatchObject({ type: "Note", content: expect.stringContaining("Between us") });
    const unsigned = await fetch(mid, { headers: { accept: "application/activity+json" } });
    expect(unsigned.status).toBe(404);
  });

  test("hears that somebody whom it follows goes on elsewhere", async () => {
    const nora = await hub.channel("nora", { role: "feed" });
    await peer.follow(nora.id);
    await expect.poll(() => nora.get("/api/followers/ids.json")).toContain(fay);
    peer.next.aliases.push(nora.id);
    await moveTo(hub.hub, nora.channel, (await meetAgain(hub.hub, peer.next.id))!);
    await expect
      .poll(() => peer.got)
      .toContainEqual(expect.objectContaining({ type: "Move", actor: nora.id, object: nora.id, target: peer.next.id }));
    expect(await peer.read(nora.id)).toMatchObject({ movedTo: peer.next.id });
  });

  test("has somebody who goes on as another, and is followed there", async () => {
    const following = async (hash: string) =>
      (await findConnectionTo(hub.hub, alma.channel.channel_id, hash))?.follow_out ?? "none";
    expect(await following(peer.id)).toBe("accepted");
    await peer.move(alma.id);
    await expect.poll(() => following(peer.next.id)).toBe("accepted");
    expect(await following(peer.id)).toBe("none");
    await expect.poll(() => peer.got).toContainEqual(expect.objectContaining({ type: "Undo", actor: alma.id }));
  });

  test("goes", async () => {
    await peer.unfollow(alma.id);
    await expect.poll(() => alma.get("/api/followers/ids.json")).not.toContain(fay);
  });
});
