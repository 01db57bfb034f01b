import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

/** A mail as a server has taken it. */
export type Received = {
  from: string;
  to: string[];
  /** As it came: headers, an empty line, text and HTML. */
  raw: string;
  /** Headers by lower-case name, unfolded. */
  headers: Record<string, string>;
  /** The text in plain, decoded. */
  text: string;
};

export type Mailbox = {
  /** For HUBBUB_SMTP_URL. */
  url: string;
  received: Received[];
  /** The mail that came last to this address. Throws when there is none. */
  lastTo(address: string): Received;
  /** What the server says to the next mails instead of taking them, by SMTP code; undefined takes them again. */
  refuse(code: number | undefined): void;
  close(): Promise<void>;
};

/** A real SMTP server on this machine that keeps what comes. Close it at the end. */
export async function openMailbox(): Promise<Mailbox> {
  const received: Received[] = [];
  let refused: number | undefined;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    logger: false,
    onAuth: ({ username, password }, _session, done) =>
      username === "hub" && password === "p@ss" ? done(null, { user: username }) : done(new Error("Wrong")),
    onRcptTo: (_address, _session, done) =>
      done(refused === undefined ? null : Object.assign(new Error("No"), { responseCode: refused })),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => void chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        const raw = Buffer.concat(chunks).toString("utf8");
        received.push({
          from: mailFrom ? mailFrom.address : "",
          to: rcptTo.map(({ address }) => address),
          raw,
          headers: headersOf(raw),
          text: plainText(raw),
        });
        done();
      });
    },
  });
  server.on("error", () => undefined);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    lastTo(address) {
      const found = received.findLast(({ to }) => to.includes(address));
      if (!found) throw new Error(`No mail has come to ${address}`);
      return found;
    },
    refuse: (code) => void (refused = code),
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
      }),
  };
}

function headersOf(raw: string): Record<string, string> {
  const head = raw.slice(0, raw.indexOf("\r\n\r\n")).replace(/\r\n[ \t]+/g, " ");
  const pairs = head.split("\r\n").map((line) => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  return Object.fromEntries(pairs);
}

/** The first part, which is plain text, with its transfer encoding undone. */
function plainText(raw: string): string {
  const part = raw.slice(raw.indexOf("Content-Type: text/plain"));
  const head = part.slice(0, part.indexOf("\r\n\r\n"));
  // Encoded lines may begin with dashes as well.
  const boundary = /boundary="([^"]+)"/.exec(raw)?.[1] ?? "";
  const body = part.slice(head.length + 4).split(`\r\n--${boundary}`)[0]!;
  if (/base64/i.test(head)) return Buffer.from(body, "base64").toString("utf8");
  if (!/quoted-printable/i.test(head)) return body;
  const bytes = body
    .replace(/=\r\n/g, "")
    .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}
