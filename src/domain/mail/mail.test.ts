import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { openTestHub } from "../../../test/support/hub.ts";
import type { TestHub } from "../../../test/support/hub.ts";
import { openMailbox } from "../../../test/support/mailbox.ts";
import type { Mailbox } from "../../../test/support/mailbox.ts";
import { readConfig } from "../../config/config.ts";
import { describeConfig } from "../../config/describe.ts";
import { DiskRefuses } from "../../errors.ts";
import { inTransaction } from "../../hub.ts";
import { listJobs } from "../../jobs/operate.ts";
import { runDue } from "../../jobs/runner.ts";
import { layOut } from "./lay-out.ts";
import type { Mail } from "./mail.ts";
import { queueMail } from "./queue-mail.ts";
import { sendLetter, trimLetters } from "./send-letter.ts";

let mailbox: Mailbox;
let hub: TestHub;
beforeAll(async () => {
  mailbox = await openMailbox();
  const url = mailbox.url.replace("smtp://", "smtp://hub:p%40ss@");
  hub = await openTestHub({ env: { HUBBUB_SMTP_URL: url, HUBBUB_MAIL_FROM: "hub@example.org" } });
});
afterAll(async () => {
  await hub.close();
  await mailbox.close();
});
beforeEach(async () => {
  mailbox.refuse(undefined);
  mailbox.received.length = 0;
  await hub.db.deleteFrom("letter").execute();
  await hub.db.deleteFrom("job").execute();
});

const mail: Mail = {
  to: "mia@example.org",
  site: "Our Hub",
  subject: "A word for you",
  parts: ["Hello <Mia>,", { quote: "so\nit is" }, { button: "Look", href: "https://hub.example/x?a=1&b=2" }],
};
const letters = () => hub.db.selectFrom("letter").selectAll().execute();

test("a mail arrives once, as text and as HTML, and its row goes", async () => {
  expect(await queueMail(hub, { ...mail, unsubscribe: "https://hub.example/unsubscribe/1" })).toBe(true);
  const id = (await letters())[0]!.message_id;
  await runDue(hub);
  await runDue(hub);
  expect(mailbox.received).toHaveLength(1);
  const { from, to, headers, text, raw } = mailbox.lastTo("mia@example.org");
  expect([from, to]).toEqual(["hub@example.org", ["mia@example.org"]]);
  expect(headers).toMatchObject({
    from: "Our Hub <hub@example.org>",
    to: "mia@example.org",
    subject: "A word for you",
    "message-id": id,
    "auto-submitted": "auto-generated",
    "list-unsubscribe": "<https://hub.example/unsubscribe/1>",
    "list-unsubscribe-post": "List-Unsubscribe=One-Click",
  });
  expect(text.replaceAll("\r\n", "\n")).toContain(
    "Hello <Mia>,\n\n> so\n> it is\n\nLook:\nhttps://hub.example/x?a=1&b=2",
  );
  expect(raw).toContain("multipart/alternative");
  expect(await letters()).toEqual([]);
});

test("the letter and its job are there exactly when the transaction has been committed", async () => {
  const undone = inTransaction(hub, async (hub) => {
    await queueMail(hub, mail);
    throw new Error("no");
  });
  await expect(undone).rejects.toThrow("no");
  await runDue(hub);
  expect([mailbox.received, await letters(), await listJobs(hub, false)]).toEqual([[], [], []]);
});

test("nothing that people type becomes a header, a recipient or markup", async () => {
  const nasty = "Hi\r\nBcc: eve@example.org\u2028\u0000X: y";
  await queueMail(hub, { ...mail, subject: nasty, site: `"Ev\r\nCc: eve@example.org" <eve@example.org>,` });
  await runDue(hub);
  const { headers, to } = mailbox.lastTo("mia@example.org");
  expect(to).toEqual(["mia@example.org"]);
  expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(["bcc"]));
  expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(["cc"]));
  expect(headers["from"]).toMatch(/<hub@example\.org>$/);
  for (const address of [
    "a@example.org,eve@example.org",
    "a@example.org>\r\nRCPT TO:<eve@example.org",
    "<eve@example.org>",
  ])
    await queueMail(hub, { ...mail, to: address });
  await runDue(hub);
  expect(mailbox.received.flatMap(({ to }) => to)).not.toContain("eve@example.org");
  const { html } = layOut({ ...mail, site: "<b>", parts: [{ entry: "<i>", href: '"><script>' }] });
  expect(html).not.toMatch(/<b>|<i>|<script>/);
});

test("while the server refuses for the moment it is tried again; no log has the recipient, the words or the password", async () => {
  mailbox.refuse(451);
  await queueMail(hub, mail);
  await runDue(hub);
  const [job] = await listJobs(hub, false);
  expect(job).toMatchObject({ name: "send-letter", attempts: 1 });
  expect(job!.last_error).toBe("Error: The mail server has not taken the mail: EENVELOPE 451");
  expect(await letters()).toHaveLength(1);
  mailbox.refuse(undefined);
  hub.advance(6);
  await runDue(hub);
  expect(mailbox.received).toHaveLength(1);
});

test("what was sent is not sent again because the disk is full", async () => {
  await queueMail(hub, mail);
  const { id } = (await letters())[0]!;
  const full = vi.spyOn(hub.db, "deleteFrom").mockImplementation(() => {
    throw new DiskRefuses("full", new Error("by the test"));
  });
  await sendLetter(hub, id);
  full.mockRestore();
  expect(mailbox.received).toHaveLength(1);
  expect(await letters()).toHaveLength(1);
});

test("what the server refuses for good, and what came too late, is dropped", async () => {
  mailbox.refuse(550);
  await queueMail(hub, mail);
  await runDue(hub);
  expect([await letters(), await listJobs(hub, false)]).toEqual([[], []]);
  mailbox.refuse(undefined);
  await queueMail(hub, { ...mail, until: "2020-01-01 00:00:00" });
  await runDue(hub);
  expect([mailbox.received, await letters()]).toEqual([[], []]);
  await queueMail(hub, mail);
  hub.advance(4 * 24 * 3600);
  await trimLetters(hub);
  expect(await letters()).toEqual([]);
});

test("a worker that is killed right after the server has taken the mail leaves one that can be told as the same", async () => {
  await queueMail(hub, mail);
  const [letter] = await letters();
  await sendLetter(hub, letter!.id);
  await hub.db.insertInto("letter").values(letter!).execute();
  await runDue(hub);
  expect(new Set(mailbox.received.map(({ headers }) => headers["message-id"]))).toEqual(new Set([letter!.message_id]));
});

test("a server that is away costs nothing but time", async () => {
  const away = { ...hub, config: { ...hub.config, mail: { ...hub.config.mail!, url: "smtp://127.0.0.1:1" } } };
  await queueMail(away, mail);
  const [letter] = await letters();
  await expect(sendLetter(away, letter!.id)).rejects.toThrow("The mail server has not taken the mail: ");
  expect(await letters()).toHaveLength(1);
});

describe("settings", () => {
  test("without a server nothing is queued", async () => {
    const none = { ...hub, config: { ...hub.config, mail: undefined } };
    expect(await queueMail(none, mail)).toBe(false);
    expect([await letters(), await listJobs(hub, false)]).toEqual([[], []]);
  });

  test("the address of mails follows from that of the hub, and passwords go to strange servers encrypted only", () => {
    const read = (HUBBUB_SMTP_URL: string) =>
      readConfig({ HUBBUB_BASE_URL: "https://hub.example:8443", HUBBUB_SMTP_URL }).mail;
    expect(read("none")).toBeUndefined();
    expect(read("smtp://mail.example.org")).toMatchObject({ from: "noreply@hub.example", needsTls: false });
    expect(read("smtp://me:secret@mail.example.org:587")).toMatchObject({ needsTls: true });
    expect(read("smtp://me:secret@127.0.0.1:25")).toMatchObject({ needsTls: false });
    expect(() => read("https://me:secret@mail.example.org")).toThrow(/HUBBUB_SMTP_URL is "https:\/\/me:\*\*\*@/);
    const byNumber = readConfig({ HUBBUB_BASE_URL: "http://[::1]:8080", HUBBUB_SMTP_URL: "smtp://127.0.0.1" });
    expect(byNumber.mail).toMatchObject({ from: "noreply@localhost" });
    expect(() => readConfig({ HUBBUB_MAIL_FROM: "Hub <hub@example.org>" })).toThrow("HUBBUB_MAIL_FROM");
    const shown = describeConfig({ HUBBUB_SMTP_URL: "smtps://me:secret@mail.example.org" });
    expect(shown.find(({ name }) => name === "HUBBUB_SMTP_URL")!.value).toBe("smtps://me:***@mail.example.org");
  });
});
