import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vi } from "vitest";
import { freePort } from "./free-port.ts";

const program = "/usr/sbin/lighttpd";

/** Is lighttpd with its WebDAV module on this machine? Where machines read, it has to be. */
export const hasWebdav = existsSync(program) && existsSync("/usr/lib/lighttpd/mod_webdav.so");
if (!hasWebdav && process.env["CI"])
  throw new Error("CI tries archives on a WebDAV server too, and there is none here.");

/** A WebDAV server of the tests' own, for one user. */
export type WebdavServer = {
  /** The address of a folder that is not there yet. */
  address: string;
  login: string;
  password: string;
  /** The names in that folder, sorted. */
  names(): string[];
  /** How many files are on their way there. */
  arriving(): number;
  read(name: string): Buffer;
  /** When the file was last written (milliseconds). */
  written(name: string): number;
  /** It answers nothing, but takes connections. */
  hang(): void;
  goOn(): void;
  kill(): Promise<void>;
  startAgain(): Promise<void>;
  stop(): Promise<void>;
};

export async function startWebdavServer(): Promise<WebdavServer> {
  const folder = mkdtempSync(join(tmpdir(), "hubbub-test-"));
  const [login, password] = ["ann", "correct:horse ü"];
  const port = await freePort();
  const files = join(folder, "files");
  for (const name of ["files", "uploads"]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, "users"), `${login}:${password}\n`);
  const settings = join(folder, "lighttpd.conf");
  writeFileSync(
    settings,
    `server.modules = ("mod_auth", "mod_authn_file", "mod_webdav")
server.document-root = "${files}"
server.upload-dirs = ("${folder}/uploads")
server.bind = "127.0.0.1"
server.port = ${port}
auth.backend = "plain"
auth.backend.plain.userfile = "${folder}/users"
auth.require = ("" => ("method" => "basic", "realm" => "files", "require" => "valid-user"))
webdav.activate = "enable"
`,
  );
  const kept = join(files, "archives");
  let child = await start(settings, port);
  const kill = async (): Promise<void> => {
    const gone = new Promise((resolve) => child.once("close", resolve));
    child.kill("SIGKILL");
    await gone;
  };
  return {
    address: `http://127.0.0.1:${port}/archives`,
    login,
    password,
    names: () => (existsSync(kept) ? readdirSync(kept).toSorted() : []),
    arriving: () => readdirSync(join(folder, "uploads")).length,
    read: (name) => readFileSync(join(kept, name)),
    written: (name) => statSync(join(kept, name)).mtimeMs,
    hang: () => void child.kill("SIGSTOP"),
    goOn: () => void child.kill("SIGCONT"),
    kill,
    startAgain: async () => void (child = await start(settings, port)),
    async stop() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function start(settings: string, port: number): Promise<ChildProcess> {
  const child = spawn(program, ["-D", "-f", settings], { stdio: ["ignore", "ignore", "pipe"] });
  // Also when the run is cut off.
  const kill = (): boolean => child.kill("SIGKILL");
  process.once("exit", kill);
  child.once("close", () => process.off("exit", kill));
  await vi.waitFor(() => answers(port), { timeout: 30_000, interval: 20 });
  return child;
}

function answers(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve();
    }).once("error", reject);
  });
}
