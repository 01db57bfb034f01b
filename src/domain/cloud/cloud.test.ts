import { anonymous } from "../../../test/support/observers.ts";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { only, put, staged } from "../../../test/support/files.ts";
import { openTestHub } from "../../../test/support/hub.ts";
import type { TestHub } from "../../../test/support/hub.ts";
import { befriend, connectionId, newcomer, nobody } from "../../../test/support/people.ts";
import { runDue } from "../../jobs/runner.ts";
import { setAbconfig } from "../connections/abconfig.ts";
import { findFile, findFolder, ownFile } from "../files/find.ts";
import { listFiles, listFolder } from "../files/list.ts";
import { setStorageQuota, storageUsed } from "../files/quota.ts";
import { readFile } from "../files/read.ts";
import type { File } from "../files/types.ts";
import { uploadFolder } from "../files/upload-folder.ts";
import { setConfig } from "../identity/channels/channel-config.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { observerOf } from "../identity/channels/observer.ts";
import { findChannelById, updateChannel } from "../identity/channels/channels.ts";
import { changeAudience, makeDirectory, move, remove, rename } from "./change.ts";
import { newRevision, upload } from "./upload.ts";

let hub: TestHub;
let people = 0;
let ann: Channel;

beforeAll(async () => void (hub = await openTestHub()));
afterAll(() => hub.close());
beforeEach(async () => void (ann = await person()));

function person(timezone = "UTC"): Promise<Channel> {
  return newcomer(hub, `p${++people}`, { timezone });
}

async function folder(name: string, inside?: File): Promise<File> {
  return makeDirectory(hub, ann, ann, { folder: inside?.hash ?? "", name });
}

async function textOf(file: File): Promise<string> {
  return (await buffer(await readFile(hub, file))).toString();
}

async function filesOf(channel: Channel): Promise<File[]> {
  return listFiles(hub, channel.channel_id, { start: 0 }, 1000);
}

/** Does the storage hold these bytes still? */
async function isKept(file: File): Promise<boolean> {
  return hub.blobs.readAt(file.blob, 0, 1).then(
    () => true,
    () => false,
  );
}

/** Gives somebody the right to change ann's storage. */
async function trust(other: Channel): Promise<void> {
  await befriend(hub, ann, other);
  await setAbconfig(hub, ann, await connectionId(hub, ann, other), { cat: "my_perms", k: "write_storage", v: "1" });
}

const refused = { kind: "denied" };
const gone = { kind: "missing" };
const clash = { kind: "conflict" };

describe("uploads", () => {
  test("have a row with all that is known", async () => {
    const file = await put(hub, ann, "notes.txt", "Minutes of the meeting");
    expect(file).toMatchObject({
      aid: ann.channel_account_id,
      uid: ann.channel_id,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      creator: ann.channel_hash,
      filename: "notes.txt",
      filetype: "text/plain",
      filesize: 22,
      revision: 0,
      latest: 1,
      folder: "",
      is_dir: 0,
      is_photo: 0,
      os_storage: 1,
      os_path: file.hash,
      display_path: "notes.txt",
      created: "2026-03-01 12:00:00",
      edited: "2026-03-01 12:00:00",
    });
    expect(await textOf(file)).toBe("Minutes of the meeting");
    await hub.db.deleteFrom("job").where("name", "=", "sweep-staging").execute();
    hub.advance(25 * 3600);
    await runDue(hub);
    expect(await isKept(file)).toBe(true);
  });

  test("have their bytes when the clock is set on by an hour while their rows are written", async () => {
    const { blobs } = hub;
    const keep: typeof blobs.keep = async (...bytes) => {
      await blobs.keep(...bytes);
      hub.advance(3601);
      await runDue(hub);
    };
    hub.blobs = { ...blobs, keep };
    const file = await put(hub, ann, "late.txt", "late");
    hub.blobs = blobs;
    expect(await textOf(file)).toBe("late");
  });

  test("may be empty", async () => {
    const file = await put(hub, ann, "empty", "");
    expect([file.filesize, await textOf(file)]).toEqual([0, ""]);
  });

  test("get a number when the name is taken, by a directory too", async () => {
    await folder("tree.txt");
    const names = [];
    for (let n = 0; n < 3; n++) names.push((await put(hub, ann, "tree.txt", String(n))).filename);
    expect(names).toEqual(["tree(1).txt", "tree(2).txt", "tree(3).txt"]);
    const oslo = await folder("Oslo");
    expect((await put(hub, ann, "tree.txt", "", { folder: { hash: oslo.hash } })).filename).toBe("tree.txt");
  });

  test("get different names when they come at once", async () => {
    const files = await Promise.all(Array.from({ length: 8 }, (_, n) => put(hub, ann, "same.txt", String(n))));
    expect(new Set(files.map((file) => file.filename)).size).toBe(8);
  });

  test.each(["../../evil", "a/b/evil", "ev\u0000il", "\u202eevil"])("cannot leave their place as %j", async (name) => {
    const file = await put(hub, ann, name, "x");
    expect([file.filename, file.folder, file.display_path]).toEqual(["evil", "", "evil"]);
  });

  test("take the new bytes in the same row where the channel wants that", async () => {
    await setConfig(hub, ann.channel_id, "system", "overwrite_dup_files", "1");
    const before = await put(hub, ann, "list.txt", "milk");
    hub.advance(60);
    const after = await put(hub, ann, "list.txt", "milk, honey");
    expect(after).toMatchObject({ id: before.id, hash: before.hash, revision: 1, latest: 1, filesize: 11 });
    expect(after.created).toBe(before.created);
    expect(after.edited > before.edited).toBe(true);
    expect(await textOf(after)).toBe("milk, honey");
    expect(await filesOf(ann)).toHaveLength(1);
    await runDue(hub);
    expect(await isKept(before)).toBe(false);
    const secret = await put(hub, ann, "list.txt", "presents", { audience: only(ann) });
    expect(secret).toMatchObject({ id: before.id, revision: 2, allow_cid: `<${ann.channel_hash}>` });
    expect((await put(hub, ann, "list.txt", "more presents")).allow_cid).toBe(secret.allow_cid);
    const guest = await person();
    await trust(guest);
    const theirs = await put(hub, ann, "list.txt", "nothing", { actor: guest });
    expect(theirs).toMatchObject({ filename: "list(1).txt", revision: 0, creator: guest.channel_hash });
    expect(await put(hub, ann, "list(1).txt", "their own", { actor: guest })).toMatchObject({
      hash: theirs.hash,
      revision: 1,
    });
  });

  test("go to the directory of the settings, in the calendar of the channel", async () => {
    hub.setClock("2026-12-31T23:30:00Z");
    const oslo = await person("Europe/Oslo");
    expect((await put(hub, oslo, "a.txt", "a", { folder: undefined })).display_path).toBe("2027-01/a.txt");
    await setConfig(hub, oslo.channel_id, "system", "attach_path", "Files/%Y/%m-%d/../%x");
    expect(await uploadFolder(hub, oslo, "file")).toBe("Files/2027/01-01/file/%x");
    const deep = await put(hub, oslo, "b.txt", "b", { folder: undefined });
    expect(deep.display_path).toBe("Files/2027/01-01/file/%x/b.txt");
    const month = await findFolder(hub, oslo.channel_id, ["2027-01"]);
    expect(month).toMatchObject({ is_dir: 1, filetype: "multipart/mixed", filesize: 0, folder: "" });
    expect(await findFolder(hub, oslo.channel_id, ["2027-01", "a.txt"])).toBeUndefined();
    await updateChannel(hub, oslo.channel_id, { timezone: "UTC" });
    const [atHome] = [(await findChannelById(hub, oslo.channel_id))!];
    expect(await uploadFolder(hub, atHome, "photo")).toBe("2026-12");
  });

  test("go around a file that stands where a directory should be", async () => {
    await put(hub, ann, "Travel", "not a directory");
    const file = await put(hub, ann, "a.txt", "a", { folder: { path: "Travel/Oslo" } });
    expect(file.display_path).toBe("Travel(1)/Oslo/a.txt");
  });

  test("have the audience that they are given, else their directory's, else the channel's", async () => {
    const bob = await person();
    const audience = { allowCid: `<${bob.channel_hash}>`, allowGid: "", denyCid: "", denyGid: "" };
    const owner = await updateChannel(hub, ann.channel_id, { audience });
    const plain = await put(hub, owner, "a.txt");
    expect(plain.allow_cid).toBe(`<${bob.channel_hash}>`);
    const open = await makeDirectory(hub, owner, owner, { folder: "", name: "Open", audience: nobody });
    expect(open.allow_cid).toBe("");
    expect((await put(hub, owner, "b.txt", "b", { folder: { hash: open.hash } })).allow_cid).toBe(plain.allow_cid);
    const narrow = await makeDirectory(hub, owner, owner, { folder: "", name: "Narrow", audience: only(owner) });
    expect((await put(hub, owner, "b.txt", "b", { folder: { hash: narrow.hash } })).allow_cid).toBe(narrow.allow_cid);
    const own = await put(hub, owner, "c.txt", "c", { folder: { hash: open.hash }, audience: only(owner) });
    expect(own.allow_cid).toBe(`<${owner.channel_hash}>`);
  });

  test("need a group that exists", async () => {
    const audience = { ...nobody, allow_gid: ["no such group"] };
    await expect(put(hub, ann, "a.txt", "a", { audience })).rejects.toMatchObject({ kind: "invalid" });
    expect(await filesOf(ann)).toEqual([]);
  });
});

describe("revisions", () => {
  test("stand beside each other under one hash", async () => {
    const first = await put(hub, ann, "plan.txt", "one");
    const second = await newRevision(hub, ann, ann, first.hash, await staged(hub, "second"), "");
    expect(second).toMatchObject({ hash: first.hash, revision: 1, latest: 1, filesize: 6, filename: "plan.txt" });
    expect(second.id).not.toBe(first.id);
    expect(await textOf(await ownFile(hub, ann.channel_id, first.hash))).toBe("second");
    expect(await textOf(await ownFile(hub, ann.channel_id, first.hash, 0))).toBe("one");
    expect((await filesOf(ann)).map((file) => [file.revision, file.latest])).toEqual([
      [0, 0],
      [1, 1],
    ]);
  });

  test("are renamed, moved, hidden and deleted together", async () => {
    const file = await put(hub, ann, "plan.txt", "one");
    await newRevision(hub, ann, ann, file.hash, await staged(hub, "two"), "");
    const oslo = await folder("Oslo");
    await rename(hub, ann, ann, file.hash, "Plan");
    await move(hub, ann, ann, file.hash, oslo.hash);
    await changeAudience(hub, ann, ann, file.hash, only(ann));
    const rows = (await filesOf(ann)).filter((one) => one.hash === file.hash);
    const allow_cid = `<${ann.channel_hash}>`;
    expect(rows).toMatchObject([0, 1].map((revision) => ({ revision, display_path: "Oslo/Plan", allow_cid })));
    await remove(hub, ann, ann, file.hash);
    await runDue(hub);
    expect((await filesOf(ann)).map((one) => one.hash)).toEqual([oslo.hash]);
    expect(await Promise.all(rows.map(isKept))).toEqual([false, false]);
  });

  test("of a directory do not exist", async () => {
    const oslo = await folder("Oslo");
    await expect(newRevision(hub, ann, ann, oslo.hash, await staged(hub, "x"), "")).rejects.toMatchObject(gone);
  });

  test("made at once all count", async () => {
    const file = await put(hub, ann, "plan.txt", "0");
    const bytes = await Promise.all(Array.from({ length: 5 }, (_, n) => staged(hub, String(n))));
    await Promise.all(bytes.map((one) => newRevision(hub, ann, ann, file.hash, one, "")));
    const rows = (await filesOf(ann)).toSorted((a, b) => a.revision - b.revision);
    expect(rows.map((row) => [row.revision, row.latest])).toEqual([0, 1, 2, 3, 4, 5].map((n) => [n, n === 5 ? 1 : 0]));
  });
});

describe("quotas", () => {
  const full = { kind: "denied", code: "storage_full" };

  async function leave(bytes: number): Promise<void> {
    await setStorageQuota(hub, (await storageUsed(hub, ann.channel_account_id)) + bytes);
  }

  test("hold for uploads and revisions; what was refused leaves nothing", async () => {
    const file = await put(hub, ann, "a.txt", "12345");
    await leave(10);
    await put(hub, ann, "b.txt", "1234567890");
    await expect(put(hub, ann, "c.txt", "1")).rejects.toMatchObject(full);
    await expect(newRevision(hub, ann, ann, file.hash, await staged(hub, "1"), "")).rejects.toMatchObject(full);
    await put(hub, ann, "empty.txt", "");
    await runDue(hub);
    expect((await filesOf(ann)).map((one) => one.filename)).toEqual(["a.txt", "b.txt", "empty.txt"]);
    await setStorageQuota(hub, 0);
    await put(hub, ann, "c.txt", "1");
  });

  test("count what overwriting adds, no more", async () => {
    await setConfig(hub, ann.channel_id, "system", "overwrite_dup_files", "1");
    await put(hub, ann, "a.txt", "12345");
    await leave(2);
    expect((await put(hub, ann, "a.txt", "1234567")).revision).toBe(1);
    await expect(put(hub, ann, "a.txt", "12345678")).rejects.toMatchObject(full);
    expect((await put(hub, ann, "a.txt", "1")).filesize).toBe(1);
    await setStorageQuota(hub, 0);
  });

  test("are kept when uploads come at once", async () => {
    await leave(10);
    const done = await Promise.allSettled(Array.from({ length: 6 }, (_, n) => put(hub, ann, `${n}.txt`, "1234")));
    await setStorageQuota(hub, 0);
    expect(done.filter((one) => one.status === "fulfilled")).toHaveLength(2);
  });
});

describe("directories", () => {
  test("have names that nothing else has", async () => {
    const oslo = await folder("Oslo");
    expect(oslo).toMatchObject({ is_dir: 1, filetype: "multipart/mixed", blob: "", os_path: oslo.hash });
    await expect(folder("Oslo")).rejects.toMatchObject(clash);
    for (const name of ["a/b", "..", "", "x".repeat(192)])
      await expect(folder(name)).rejects.toMatchObject({ kind: "invalid", field: "filename" });
    expect((await folder("Oslo", oslo)).display_path).toBe("Oslo/Oslo");
    const file = await put(hub, ann, "a.txt");
    await expect(folder("x", file)).rejects.toMatchObject(gone);
  });

  test("note when entries come and go", async () => {
    const [one, other] = [await folder("one"), await folder("other")];
    const edited = async (of: File): Promise<string> => (await ownFile(hub, ann.channel_id, of.hash)).edited;
    const changed: [boolean, boolean][] = [];
    const step = async (work: () => Promise<unknown>): Promise<void> => {
      const before = [await edited(one), await edited(other)];
      hub.advance(60);
      await work();
      changed.push([(await edited(one)) !== before[0], (await edited(other)) !== before[1]]);
    };
    let file!: File;
    await step(async () => (file = await put(hub, ann, "a.txt", "a", { folder: { hash: one.hash } })));
    await step(() => rename(hub, ann, ann, file.hash, "b.txt"));
    await step(() => move(hub, ann, ann, file.hash, other.hash));
    await step(() => remove(hub, ann, ann, file.hash));
    await step(() => folder("inside", one));
    expect(changed).toEqual([
      [true, false],
      [false, false],
      [true, true],
      [false, true],
      [true, false],
    ]);
  });

  test("take the paths of everything in them along", async () => {
    const travel = await folder("Travel");
    const oslo = await folder("Oslo", travel);
    const file = await put(hub, ann, "fjord.txt", "x", { folder: { hash: oslo.hash } });
    const paths = async (): Promise<[string, string]> => {
      const { os_path, display_path } = await ownFile(hub, ann.channel_id, file.hash);
      return [os_path, display_path];
    };
    expect(await paths()).toEqual([`${travel.hash}/${oslo.hash}/${file.hash}`, "Travel/Oslo/fjord.txt"]);
    await rename(hub, ann, ann, travel.hash, "Reisen 🌲");
    expect(await paths()).toEqual([`${travel.hash}/${oslo.hash}/${file.hash}`, "Reisen 🌲/Oslo/fjord.txt"]);
    await move(hub, ann, ann, oslo.hash, "");
    expect(await paths()).toEqual([`${oslo.hash}/${file.hash}`, "Oslo/fjord.txt"]);
    await move(hub, ann, ann, travel.hash, oslo.hash);
    expect((await ownFile(hub, ann.channel_id, travel.hash)).display_path).toBe("Oslo/Reisen 🌲");
  });

  test("cannot be moved into themselves", async () => {
    const a = await folder("a");
    const b = await folder("b", a);
    const c = await folder("c", b);
    for (const target of [a, b, c])
      await expect(move(hub, ann, ann, a.hash, target.hash)).rejects.toMatchObject({ kind: "invalid" });
    const x = await folder("x");
    const y = await folder("y");
    const both = await Promise.allSettled([move(hub, ann, ann, x.hash, y.hash), move(hub, ann, ann, y.hash, x.hash)]);
    expect(both.map((one) => one.status).toSorted()).toEqual(["fulfilled", "rejected"]);
  });

  test("keep names unique when something is moved or renamed", async () => {
    const oslo = await folder("Oslo");
    await put(hub, ann, "a.txt", "1", { folder: { hash: oslo.hash } });
    const file = await put(hub, ann, "a.txt", "2");
    const other = await put(hub, ann, "b.txt", "3");
    await expect(move(hub, ann, ann, file.hash, oslo.hash)).rejects.toMatchObject(clash);
    await expect(rename(hub, ann, ann, other.hash, "a.txt")).rejects.toMatchObject(clash);
    await expect(rename(hub, ann, ann, other.hash, "../b")).rejects.toMatchObject({ kind: "invalid" });
    expect((await rename(hub, ann, ann, other.hash, " b.txt ")).filename).toBe("b.txt");
    await expect(move(hub, ann, ann, other.hash, file.hash)).rejects.toMatchObject(gone);
    const bob = await person();
    await expect(move(hub, ann, ann, other.hash, (await put(hub, bob, "x")).hash)).rejects.toMatchObject(gone);
  });

  test("are deleted with everything in them, and nothing else", async () => {
    const travel = await folder("Travel");
    const oslo = await folder("Oslo", travel);
    const inside = await put(hub, ann, "a.txt", "a", { folder: { hash: oslo.hash } });
    const newer = await newRevision(hub, ann, ann, inside.hash, await staged(hub, "b"), "");
    const beside = await put(hub, ann, "b.txt", "b");
    const bob = await person();
    await put(hub, bob, "c.txt", "c");
    await remove(hub, ann, ann, travel.hash);
    await runDue(hub);
    expect((await filesOf(ann)).map((file) => file.hash)).toEqual([beside.hash]);
    expect(await Promise.all([inside, newer, beside].map(isKept))).toEqual([false, false, true]);
    expect(await filesOf(bob)).toHaveLength(1);
    await expect(remove(hub, ann, ann, travel.hash)).rejects.toMatchObject(gone);
  });

  test("are listed by page: directories first, then by name", async () => {
    const names = ["b.txt", "A.txt", "c.txt"];
    for (const name of names) await put(hub, ann, name);
    for (const name of ["z", "y"]) await folder(name);
    const seen: string[] = [];
    let after: File | undefined;
    do {
      const page = await listFolder(hub, observerOf(ann), ann.channel_id, "", { limit: 2, after });
      expect(page.entries.length).toBeLessThanOrEqual(2);
      seen.push(...page.entries.map((file) => file.filename));
      after = page.next;
    } while (after);
    expect(seen).toEqual(["y", "z", "A.txt", "b.txt", "c.txt"]);
    // Others are told of directories that hold something for them.
    const others = async (): Promise<string[]> =>
      (await listFolder(hub, anonymous, ann.channel_id, "", { limit: 10 })).entries.map((file) => file.filename);
    expect(await others()).toEqual(["A.txt", "b.txt", "c.txt"]);
    for (const name of ["y", "z"]) await put(hub, ann, "inside.txt", "x", { folder: { path: name } });
    await changeAudience(hub, ann, ann, (await findFolder(hub, ann.channel_id, ["y"]))!.hash, only(ann));
    expect(await others()).toEqual(["z", "A.txt", "b.txt", "c.txt"]);
  });
});

describe("guests", () => {
  let bob: Channel;
  beforeEach(async () => {
    bob = await person();
    await trust(bob);
  });

  test("without the right change nothing", async () => {
    const stranger = await person();
    const file = await put(hub, ann, "a.txt");
    await expect(put(hub, ann, "b.txt", "b", { actor: stranger })).rejects.toMatchObject(refused);
    await expect(rename(hub, stranger, ann, file.hash, "x")).rejects.toMatchObject(refused);
    await expect(remove(hub, stranger, ann, file.hash)).rejects.toMatchObject(refused);
    await expect(makeDirectory(hub, stranger, ann, { folder: "", name: "x" })).rejects.toMatchObject(refused);
    expect(await filesOf(ann)).toHaveLength(1);
  });

  test("with the right upload into the owner's storage, for the owner's audience", async () => {
    const file = await put(hub, ann, "a.txt", "from bob", { actor: bob });
    expect(file).toMatchObject({ uid: ann.channel_id, aid: ann.channel_account_id, creator: bob.channel_hash });
    await expect(put(hub, ann, "b.txt", "b", { actor: bob, audience: only(bob) })).rejects.toMatchObject(refused);
    await expect(changeAudience(hub, bob, ann, file.hash, nobody)).rejects.toMatchObject(refused);
    expect((await rename(hub, bob, ann, file.hash, "b.txt")).filename).toBe("b.txt");
    await remove(hub, bob, ann, file.hash);
  });

  test("do not find what is hidden from them", async () => {
    const hidden = await folder("Hidden");
    await changeAudience(hub, ann, ann, hidden.hash, only(ann));
    const file = await put(hub, ann, "a.txt", "a", { folder: { hash: hidden.hash }, audience: nobody });
    const into = { actor: bob, folder: { hash: hidden.hash } };
    await expect(put(hub, ann, "b.txt", "b", into)).rejects.toMatchObject(gone);
    await expect(put(hub, ann, "b.txt", "b", { ...into, folder: { path: "Hidden" } })).rejects.toMatchObject(gone);
    await expect(put(hub, ann, "b.txt", "b", { ...into, folder: { path: "Hidden/x" } })).rejects.toMatchObject(gone);
    await expect(rename(hub, bob, ann, file.hash, "x")).rejects.toMatchObject(gone);
    await expect(remove(hub, bob, ann, hidden.hash)).rejects.toMatchObject(gone);
    await expect(move(hub, bob, ann, file.hash, "")).rejects.toMatchObject(gone);
    await expect(newRevision(hub, bob, ann, file.hash, await staged(hub, "x"), "")).rejects.toMatchObject(gone);
    expect(await findFolder(hub, ann.channel_id, ["Hidden", "x"])).toBeUndefined();
  });

  test("take along only what they can see", async () => {
    const open = await folder("Open");
    const secret = await put(hub, ann, "secret.txt", "s", { folder: { hash: open.hash }, audience: only(ann) });
    await expect(remove(hub, bob, ann, open.hash)).rejects.toMatchObject(refused);
    await expect(rename(hub, bob, ann, open.hash, "x")).rejects.toMatchObject(refused);
    await remove(hub, ann, ann, secret.hash);
    await remove(hub, bob, ann, open.hash);
    expect(await filesOf(ann)).toEqual([]);
  });
});

test("a channel that has moved away is read-only", async () => {
  const file = await put(hub, ann, "a.txt", "kept");
  await hub.db
    .updateTable("channel")
    .set({ channel_moved: "https://elsewhere.example" })
    .where("channel_id", "=", ann.channel_id)
    .execute();
  const moved = (await findChannelById(hub, ann.channel_id))!;
  await expect(put(hub, moved, "b.txt")).rejects.toMatchObject(refused);
  await expect(remove(hub, moved, moved, file.hash)).rejects.toMatchObject(refused);
  await expect(changeAudience(hub, moved, moved, file.hash, nobody)).rejects.toMatchObject(refused);
  expect(await textOf(await findFile(hub, observerOf(moved), { hash: file.hash }))).toBe("kept");
});

test("an upload that fails in its transaction leaves neither rows nor bytes", async () => {
  const bytes = await staged(hub, "x");
  const kept: string[] = [];
  const watching: TestHub = {
    ...hub,
    blobs: { ...hub.blobs, keep: async (one, name) => (await hub.blobs.keep(one, name), void kept.push(name)) },
  };
  const sent = { filename: "x", type: "", folder: { path: "New/Place" } };
  // What is known before is refused before anything is kept.
  const audience = { ...nobody, allow_gid: ["unknown"] };
  await expect(upload(watching, ann, ann, bytes, { ...sent, audience })).rejects.toMatchObject({ kind: "invalid" });
  expect(kept).toEqual([]);
  const fail = () => Promise.reject(new Error("no luck"));
  await expect(upload(watching, ann, ann, bytes, sent, fail)).rejects.toThrow("no luck");
  await runDue(hub);
  expect(kept).toHaveLength(1);
  await expect(hub.blobs.readAt(kept[0]!, 0, 1)).rejects.toMatchObject(gone);
  expect(await filesOf(ann)).toEqual([]);
});
