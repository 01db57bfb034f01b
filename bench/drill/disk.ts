import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeSync, openSync, closeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";

/** A small disk with the tables of a database on it; the log of the server lies elsewhere. */
export type Disk = {
  /** The database. */
  url: string;
  /** Takes all the room that is left. */
  fill(): void;
  makeRoom(): void;
  close(): void;
};

const size = "128m";

/** Only root may mount one. */
export async function openDisk(server: string): Promise<Disk> {
  const folder = mkdtempSync(join(tmpdir(), "hubbub-disk-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "hubbub-drill", folder]);
  const tables = join(folder, "tables");
  execFileSync("install", ["-d", "-o", "postgres", tables]);
  execFileSync("chmod", ["a+rx", folder]);
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`create tablespace small location '${tables}'`);
  await client.query("create database drill tablespace small");
  await client.end();
  const ballast = join(folder, "ballast");
  const url = new URL(server);
  url.pathname = "/drill";
  return {
    url: url.href,
    fill: () => fillWith(ballast),
    makeRoom: () => rmSync(ballast),
    close() {
      // The server may still look at it.
      execFileSync("umount", ["--lazy", folder]);
      rmSync(folder, { recursive: true });
    },
  };
}

function fillWith(file: string): void {
  const descriptor = openSync(file, "w");
  try {
    for (let bytes = 2 ** 20; bytes >= 1;) {
      try {
        writeSync(descriptor, Buffer.alloc(bytes));
      } catch {
        bytes /= 4;
      }
    }
  } finally {
    closeSync(descriptor);
  }
}
