import type { Selectable } from "kysely";
import { isPlainAddress } from "../../config/mail.ts";
import { detailOf } from "../../errors.ts";
import { now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { isHubsFault } from "../../probing.ts";
import { removeInSteps } from "../../storage/in-steps.ts";
import type { LetterTable } from "../../storage/tables/letters.ts";
import { storedJson } from "../../stored-json.ts";
import { layOut } from "./lay-out.ts";
import type { Part } from "./mail.ts";

/** Milliseconds for which a mail server may keep the hub waiting. */
const patience = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

/** Gives a letter to the mail server; a job. A letter that the server will never take is dropped. */
export async function sendLetter(hub: Hub, id: number): Promise<void> {
  const letter = await hub.db.selectFrom("letter").selectAll().where("id", "=", id).executeTakeFirst();
  if (!letter) return;
  if (letter.keep_until > now(hub) && hub.config.mail) await hand(hub, hub.config.mail, letter);
  try {
    await hub.db.deleteFrom("letter").where("id", "=", id).execute();
  } catch (error) {
    if (!isHubsFault(error)) throw error;
    // It is on its way, and would go out again; what is left goes with the old ones.
    hub.log.warning("A letter that was sent could not be removed: {error}", { error });
  }
}

async function hand(
  hub: Hub,
  mail: NonNullable<Hub["config"]["mail"]>,
  letter: Selectable<LetterTable>,
): Promise<void> {
  const { site, subject, recipient, message_id: messageId, unsubscribe } = letter;
  // Whatever reads headers would find a list of addresses in some of them.
  if (!isPlainAddress(recipient)) return hub.log.warning("A mail is not sent: its recipient is no address");
  const name = new URL(hub.config.baseUrl).hostname;
  // Two megabytes that a hub without a mail server never needs.
  const { createTransport } = await import("nodemailer");
  const server = createTransport({ url: mail.url, requireTLS: mail.needsTls, name, ...patience });
  try {
    await server.sendMail({
      from: { name: site, address: mail.from },
      to: { name: "", address: recipient },
      // Said apart from the headers: what stands in an address must not become a second recipient.
      envelope: { from: mail.from, to: [recipient] },
      subject,
      messageId,
      ...layOut({ site, subject, parts: storedJson<Part[]>(letter.parts) }),
      headers: {
        "Auto-Submitted": "auto-generated",
        ...(unsubscribe !== "" && { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }),
      },
      ...(unsubscribe !== "" && { list: { unsubscribe: { url: unsubscribe } } }),
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  } catch (error) {
    if (!isForGood(error)) throw notTaken(error);
    hub.log.warning("The mail server refuses a mail for good: {reason}", { reason: reasonOf(error) });
  } finally {
    server.close();
  }
}

/** The recipient or the text is refused, and will be tomorrow; what is wrong with the log-in at the server may be mended. */
function isForGood(error: unknown): boolean {
  const code = detailOf(error, "code");
  const answer = answerOf(error);
  return (code === "EENVELOPE" || code === "EMESSAGE") && (answer === undefined || answer >= 500);
}

/** What goes to logs and to the operator says neither to whom the mail goes nor what it says, and no password. */
function notTaken(error: unknown): Error {
  return new Error(`The mail server has not taken the mail: ${reasonOf(error)}`);
}

function reasonOf(error: unknown): string {
  const code = detailOf(error, "code");
  return `${typeof code === "string" ? code : "unknown"} ${answerOf(error) ?? ""}`.trimEnd();
}

function answerOf(error: unknown): number | undefined {
  const answer: unknown = typeof error === "object" && error !== null ? Reflect.get(error, "responseCode") : undefined;
  return typeof answer === "number" ? answer : undefined;
}

/** Removes letters that nobody has a use for any more; a scheduled job. */
export async function trimLetters(hub: Hub): Promise<void> {
  await removeInSteps((most) =>
    hub.db
      .deleteFrom("letter")
      .where("id", "in", (eb) =>
        eb
          .selectFrom("letter as old")
          .select("old.id")
          .where("old.keep_until", "<=", now(hub))
          .orderBy("old.keep_until")
          .limit(most),
      )
      .executeTakeFirst(),
  );
}
