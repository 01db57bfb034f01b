import { ConfigError } from "../config/read.ts";
import { readConfig } from "../config/config.ts";
import type { Environment } from "../config/read.ts";
import { checkAddress } from "./checks/address.ts";
import { checkBlobs } from "./checks/blobs.ts";
import { checkDatabase } from "./checks/database.ts";
import { checkExtensions } from "./checks/extensions.ts";
import { failed } from "./checks/finding.ts";
import type { Finding } from "./checks/finding.ts";
import { checkFolders } from "./checks/folders.ts";
import { checkOutside } from "./checks/outside.ts";
import { command } from "./command.ts";

const signs = { ok: "ok      ", warning: "warning ", failed: "FAILED  " };

export const commands = [
  command({
    name: "doctor",
    summary: "look for what would keep the hub from working",
    run: async ({ env }) => {
      const findings = await examine(env);
      return { healthy: findings.every((finding) => finding.state !== "failed"), findings };
    },
    print: ({ findings }) => findings.map(lineOf).join("\n"),
    failed: ({ healthy }) => !healthy,
  }),
];

async function examine(env: Environment): Promise<Finding[]> {
  try {
    const config = readConfig(env);
    return [
      ...(await checkDatabase(config)),
      ...(await checkExtensions(config)),
      ...(await checkFolders(config)),
      ...(await checkBlobs(config)),
      ...(await checkAddress(config)),
      ...(await checkOutside(config)),
    ];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [failed("settings", error.message, "`hubbub config` shows every setting.")];
  }
}

function lineOf({ check, state, found, advice }: Finding): string {
  return `${signs[state]}${check}: ${found}${advice === undefined ? "" : `\n        ${advice}`}`;
}
