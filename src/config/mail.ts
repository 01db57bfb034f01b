import { isPrivateHost } from "../fetch/private-hosts.ts";
import { refuse, text, withoutPassword } from "./read.ts";
import type { Environment } from "./read.ts";

/** `url` has name and password of the server in it. `needsTls`: they are not said before the connection is encrypted. */
export type MailSettings = Readonly<{ url: string; from: string; needsTls: boolean }>;

/** Is this one e-mail address and nothing else: no name, no list, no comment? */
export function isPlainAddress(text: string): boolean {
  return /^[^\p{C}\s@<>,;:"()[\]\\]+@[^\p{C}\s@<>,;:"()[\]\\]+$/u.test(text);
}

/** The mail server, unless there is none; who mails come from is checked either way. */
export function mailSettings(env: Environment, base: URL): MailSettings | undefined {
  const url = text(env, "HUBBUB_SMTP_URL");
  // In an address of the hub that is a number of IPv6, there is no name for mail.
  const host = base.hostname.startsWith("[") ? "localhost" : base.hostname;
  const from = env["HUBBUB_MAIL_FROM"]?.trim() || `noreply@${host}`;
  if (!isPlainAddress(from)) refuse("HUBBUB_MAIL_FROM", from, "an e-mail address");
  if (url.toLowerCase() === "none") return undefined;
  const server = URL.canParse(url) ? new URL(url) : undefined;
  // The password goes into no message.
  if (!server || !/^smtps?:$/.test(server.protocol) || server.hostname === "")
    refuse("HUBBUB_SMTP_URL", withoutPassword(url), "an smtp:// or smtps:// address");
  return Object.freeze({ url, from, needsTls: server.username !== "" && !isPrivateHost(server.hostname) });
}
