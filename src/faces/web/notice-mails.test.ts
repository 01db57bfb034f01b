import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openTestApp } from "../../../test/support/app.ts";
import type { Person, TestApp } from "../../../test/support/app.ts";
import { password } from "../../../test/support/hub.ts";
import { openMailbox } from "../../../test/support/mailbox.ts";
import type { Mailbox } from "../../../test/support/mailbox.ts";
import { befriend } from "../../../test/support/people.ts";
import { visitorOf } from "../../../test/support/visitor.ts";
import { findAccountById, setAccountFlag, setLanguage } from "../../domain/identity/accounts/accounts.ts";
import { updateChannel } from "../../domain/identity/channels/channels.ts";
import { deleteItem } from "../../domain/items/posting/delete.ts";
import { postItem } from "../../domain/items/posting/post.ts";
import { react } from "../../domain/items/posting/react.ts";
import { sendMessage } from "../../domain/messages/send.ts";
import { choose, readChoices } from "../../domain/notifications/choices.ts";
import type { Ways } from "../../domain/notifications/choices.ts";
import { markAllSeen } from "../../domain/notifications/seen.ts";

/** What people are told by mail: at once, or once a day, until they say no. */

let mailbox: Mailbox;
let world: TestApp;
let [ann, bob]: Person[] = [];
let address = "";

beforeAll(async () => {
  mailbox = await openMailbox();
  world = await openTestApp({ env: { HUBBUB_SMTP_URL: mailbox.url } });
  [ann, bob] = [await world.person("ann"), await world.person("bob", { name: "Bob\r\nBcc: eve@example.org" })];
  await befriend(world.hub, ann.channel, bob.channel);
  address = (await findAccountById(world.hub, ann.channel.channel_account_id))!.account_email;
  await updateChannel(world.hub, ann.channel.channel_id, { timezone: "Asia/Kolkata" });
});
afterAll(async () => {
  await world.close();
  await mailbox.close();
});
beforeEach(async () => {
  await world.work();
  world.hub.advance(3 * 24 * 3600);
  await world.work();
  mailbox.received.length = 0;
});

const toAnn = () => mailbox.received.filter(({ to }) => to.includes(address));
const later = async (seconds: number) => {
  world.hub.advance(seconds);
  await world.work();
};
const want = (ways: Partial<Ways>) =>
  choose(world.hub, ann!.channel.channel_id, {
    comment: { page: true, push: true, mail: "never", ...ways },
    reaction: { page: true, push: true, mail: "never", ...ways },
  });
const post = (body: string) => postItem(world.hub, ann!.channel, { body });
const answer = async (mid: string, body: string) => {
  const item = await postItem(world.hub, bob!.channel, { body, parent: { mid } });
  await world.work();
  return item;
};

test("what is wanted at once comes within two minutes, several in one mail, with words and the way to stop", async () => {
  await want({ mail: "once" });
  const { mid } = await post("The garden opens.");
  await answer(mid, "I bring [b]cake[/b].");
  await react(world.hub, bob!.channel, { mid }, "like", "stays");
  await world.work();
  expect(toAnn()).toEqual([]);
  await later(120);
  const [mail, ...others] = toAnn();
  expect([others, mail!.to]).toEqual([[], [address]]);
  expect(mail!.headers["subject"]).toMatch(/^Bob Bcc: eve@example\.org likes your post, and 1 more$/);
  expect(Object.keys(mail!.headers)).not.toEqual(expect.arrayContaining(["bcc"]));
  const text = mail!.text.replaceAll("\r\n", "\n");
  expect(text).toMatch(/commented on your post\n {2}http\S+\/notify\/view\/\d+\n\n> I bring cake\./);
  expect(text).toMatch(/likes your post\n {2}http\S+\n\n> The garden opens\./);
  const [, link] = /^<(https?:\/\/[^>]+\/unsubscribe\/[^>]+)>$/.exec(mail!.headers["list-unsubscribe"]!)!;
  expect(mail!.headers["list-unsubscribe-post"]).toBe("List-Unsubscribe=One-Click");
  await later(24 * 3600);
  expect(toAnn()).toHaveLength(1);

  // One click, as mail programs make it: no cookie, no token, from nowhere.
  const program = visitorOf(world.app);
  const { pathname } = new URL(link!);
  const strangers = [pathname.replace(/.$/, (last) => (last === "A" ? "B" : "A")), pathname.replace(/\d+\./, "9999.")];
  for (const path of [...strangers, "/unsubscribe/x", "/unsubscribe/1."])
    for (const answer of [await program.get(path), await program.post(path, { "List-Unsubscribe": "One-Click" })])
      expect(answer.status).toBe(404);
  expect((await program.get(pathname)).text).toContain("No more e-mails?");
  expect((await readChoices(world.hub, ann!.channel.channel_id)).comment.mail).toBe("once");
  expect((await program.post(pathname, { form_security_token: "", "List-Unsubscribe": "One-Click" })).status).toBe(200);
  const after = await readChoices(world.hub, ann!.channel.channel_id);
  expect(Object.values(after).map(({ mail }) => mail)).toEqual(Object.values(after).map(() => "never"));
  expect(after.comment).toMatchObject({ page: true, push: true });
  await answer(mid, "And tea.");
  await later(3 * 24 * 3600);
  expect(toAnn()).toHaveLength(1);
});

test("a digest comes in the morning of whoever reads it, with what is still there, to be seen, and not seen", async () => {
  await want({ mail: "digest" });
  world.hub.setClock(new Date("2027-03-01T01:29:00Z"));
  const { mid } = await post("Digested");
  const gone = await answer(mid, "Gone again");
  await answer(mid, "Stays");
  await answer(mid, "Warned").then(({ id }) =>
    world.hub.db.updateTable("message").set({ summary: "Careful" }).where("id", "=", id).execute(),
  );
  await deleteItem(world.hub, bob!.channel, { mid: gone.mid });
  world.hub.setClock(new Date("2027-03-01T01:29:59Z"));
  await world.work();
  expect(toAnn()).toEqual([]);
  world.hub.setClock(new Date("2027-03-01T01:30:00Z"));
  await world.work();
  const [mail] = toAnn();
  expect(mail!.headers["subject"]).toMatch(/^New for you at /);
  expect(mail!.text).toContain("wrote 2 comments on your post");
  expect(mail!.text).not.toMatch(/Gone again/);
  await answer(mid, "Seen in time");
  await markAllSeen(world.hub, ann!.channel.channel_id);
  await later(24 * 3600);
  expect(toAnn()).toHaveLength(1);
});

test("what the page does not list is mailed all the same; messages are never quoted; who may not log in gets nothing", async () => {
  await want({ page: false, mail: "once" });
  await choose(world.hub, ann!.channel.channel_id, { mail: { page: true, push: true, mail: "once" } });
  const { mid } = await post("Unlisted");
  await answer(mid, "By mail alone");
  await sendMessage(world.hub, bob!.channel, { to: ann!.channel.channel_hash, body: "Between us" });
  await later(180);
  const [mail] = toAnn();
  expect(mail!.text).toContain("> By mail alone");
  expect(mail!.text).toMatch(/commented on your post\r?\n {2}http\S+\/display\//);
  expect(mail!.text).toContain("sent you a message");
  expect(mail!.raw).not.toContain("Between us");
  await setAccountFlag(world.hub, ann!.channel.channel_account_id, "unverified", true);
  await answer(mid, "To nobody");
  await later(180);
  await setAccountFlag(world.hub, ann!.channel.channel_account_id, "unverified", false);
  await later(180);
  expect(toAnn()).toHaveLength(1);
});

test("a mail speaks the language of the account, whoever caused it", async () => {
  const account = ann!.channel.channel_account_id;
  await want({ mail: "once" });
  await setLanguage(world.hub, account, "de");
  const { mid } = await post("Der Garten");
  await answer(mid, "Kuchen");
  await react(world.hub, bob!.channel, { mid }, "like", "stays");
  await later(180);
  await setLanguage(world.hub, account, "");
  const [mail] = toAnn();
  expect(mail!.headers["subject"]).toMatch(/mag deinen Beitrag, und 1 weitere$/);
  for (const words of ["Das ist neu für", "hat deinen Beitrag kommentiert", "> Kuchen", "Keine solchen E-Mails mehr"])
    expect(mail!.text).toContain(words);
  expect(mail!.text).not.toMatch(/This is|your post/);
});

test("the settings offer mails where the hub sends any", async () => {
  const visitor = visitorOf(world.app);
  await visitor.logIn("ann", password);
  const page = (await visitor.get("/settings/notices")).text;
  expect(page).toMatch(/<select name="comment_mail">/);
  await visitor.post("/settings/notices", { comment_page: "1", comment_mail: "digest" });
  expect((await visitor.get("/settings/notices")).text).toMatch(
    /name="comment_mail">\s*<option value="never"\s*>No<\/option><option value="once"\s*>At once<\/option\s*><option value="digest" selected/,
  );
});
