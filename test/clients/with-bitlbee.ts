import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../support/free-port.ts";
import type { Seat } from "./seat.ts";

/** What somebody does in IRC with BitlBee and its plugin for Mastodon, which knows no other port than 443. */
export async function driveBitlbee(seat: Seat, proxy: { url: string; certificate: string }) {
  const folder = mkdtempSync(join(tmpdir(), "hubbub-bitlbee-"));
  const file = join(folder, "bitlbee.conf");
  const settings = ["AuthMode = Open", `ConfigDir = ${folder}`, `CAfile = ${proxy.certificate}`];
  writeFileSync(file, `[settings]\n${settings.join("\n")}\n[defaults]\n`);
  const port = await freePort();
  const bee = spawn("bitlbee", ["-D", "-n", "-i", "127.0.0.1", "-p", String(port), "-c", file, "-d", `${folder}/`]);
  try {
    return await talk(new Irc(await reach(port)), seat, proxy.url);
  } finally {
    bee.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** May this process listen where BitlBee looks for servers? */
export function mayListenAt443(): boolean {
  if (process.getuid?.() === 0) return true;
  return Number(readFileSync("/proc/sys/net/ipv4/ip_unprivileged_port_start", "utf8")) <= 443;
}

/** An address of this machine that no other process of a test run uses. */
export function ownAddress(): string {
  const { pid } = process;
  return [127, 64 + ((pid >> 16) & 63), (pid >> 8) & 255, pid & 255].join(".");
}

async function talk(irc: Irc, { nick, agree, friendPosts }: Seat, url: string) {
  irc.say("NICK me", "USER me 0 * :me");
  await irc.hear(/ 366 me &bitlbee /);
  const account = (words: string): void => irc.say(`PRIVMSG &bitlbee :account ${words}`);
  account(`add mastodon ${nick}@${new URL(url).host}`);
  account(`mastodon set base_url ${url}/api/v1`);
  account("mastodon on");
  irc.say(`PRIVMSG mastodon_oauth :${await agree(await irc.hear(/(https:\S+\/oauth\/authorize\S+)/))}`);
  const room = await irc.hear(/JOIN :(#\S+)/);
  const type = (line: string): void => irc.say(`PRIVMSG ${room} :${line}`);
  const home = await irc.hear(/(Before 20)/);
  type("From BitlBee");
  await irc.hear(/(You: .*From BitlBee)/);
  // What comes before the stream is open is not streamed, so the friend says it until it is heard.
  const timer = setInterval(() => void friendPosts("Heard by BitlBee"), 2000);
  const streamed = await irc.hear(/:(\S+?)!.*Heard by BitlBee/).finally(() => clearInterval(timer));
  type(`fav ${streamed}`);
  type(`${streamed}: Answered by BitlBee`);
  await irc.hear(/(You: .*Answered by BitlBee)/);
  type("timeline home");
  // It knows of what there is more once it has shown that.
  await irc.hear(/(Before 20\b[^]*Before 20\b)/);
  type("more");
  const more = await irc.hear(/(Before 0\b)/);
  irc.say("QUIT");
  return { room, home, streamed, more };
}

/** A connection to an IRC server. */
class Irc {
  readonly #socket: Socket;
  #heard = "";

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (bytes) => (this.#heard += String(bytes)));
  }

  say(...lines: string[]): void {
    this.#socket.write(lines.map((line) => `${line}\r\n`).join(""));
  }

  /** Waits until this has been said, now or before; answers its first part. */
  async hear(words: RegExp): Promise<string> {
    for (;;) {
      const [all, part] = words.exec(this.#heard) ?? [];
      if (all !== undefined) return part ?? all;
      try {
        await once(this.#socket, "data", { signal: AbortSignal.timeout(60_000) });
      } catch (error) {
        throw new Error(`${String(words)} was not heard:\n${this.#heard}`, { cause: error });
      }
    }
  }
}

/** As soon as somebody listens there. */
async function reach(port: number): Promise<Socket> {
  for (let tries = 0; ; tries++) {
    const socket = connect(port, "127.0.0.1");
    try {
      await once(socket, "connect");
      return socket;
    } catch (error) {
      if (tries > 600) throw error;
      await sleep(100);
    }
  }
}
