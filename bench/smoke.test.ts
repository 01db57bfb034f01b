import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const cases = [
  "statuses/home_timeline",
  "statuses/user_timeline",
  "lists/statuses",
  "conversation",
  "network/stream",
  "group_members",
  "files",
  "filedata",
  "channel page (HTML)",
  "stream page (HTML)",
  "statuses/update",
];

/** These have figures of their own. */
const federation = [
  "deliveries",
  "inbox posts",
  "private documents",
  "posts of elsewhere in streams",
  "a post to 5,000 followers on 500 hosts",
  "a post to 500 hosts, 400 of them dead or slow",
];

type Figures = {
  [list in "deliveries" | "inbox" | "followers" | "hosts" | "private_documents" | "effects"]: Record<
    string,
    string | number
  >[];
} & {
  results: {
    engine: string;
    case: string;
    ratio: number;
    rps: number;
    p50_ms: number;
    p99_ms: number;
    cpu_us: number;
  }[];
};

test("the bench still runs, on a tiny data set", async () => {
  const folder = mkdtempSync(join(tmpdir(), "hubbub-bench-smoke-"));
  const file = join(folder, "figures.json");
  const size = [
    "--messages",
    "1000",
    "--channels",
    "20",
    "--readers",
    "20",
    "--engine",
    "sqlite",
    "--brief",
    ...[...cases, ...federation].flatMap((name) => ["--case", name]),
  ];
  try {
    const main = join(import.meta.dirname, "main.ts");
    const { stdout } = await promisify(execFile)(process.execPath, [main, ...size, "--json", file], {
      env: { ...process.env, TMPDIR: folder },
    });
    expect(stdout).toContain("ready after");
    const { results, ...of } = JSON.parse(readFileSync(file, "utf8")) as Figures;
    expect(results.map((result) => result.case)).toEqual(cases);
    for (const { rps, ratio, p99_ms } of results) expect(Math.min(rps, ratio, p99_ms)).toBeGreaterThan(0);
    // A few requests may take less than what the system's clock of CPU time counts in.
    expect(Math.max(...results.map((result) => result.cpu_us))).toBeGreaterThan(0);
    for (const list of [of.deliveries, of.inbox, of.followers, of.hosts, of.private_documents, of.effects]) {
      const [{ engine: _, ...run } = {}, ...others] = list;
      expect(others).toEqual([]);
      expect(Math.min(...Object.values(run).map(Number))).toBeGreaterThan(0);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
