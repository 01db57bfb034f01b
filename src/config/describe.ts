import { usualProcesses } from "./database.ts";
import { baseUrl } from "./network.ts";
import { text, whole, withoutPassword } from "./read.ts";
import type { Environment } from "./read.ts";
import { settings } from "./settings.ts";
import type { Setting } from "./settings.ts";

/** Every setting with its meaning, its value and where that comes from; secrets are masked. */
export function describeConfig(env: Environment): (Setting & { value: string; source: "environment" | "default" })[] {
  return settings.map((setting: Setting) => {
    const given = env[setting.name]?.trim();
    const value = given || fallbackOf(setting, env);
    return {
      ...setting,
      value: setting.secret ? masked(setting, value) : value,
      source: given ? "environment" : "default",
    };
  });
}

/** A secret as it may be seen: an address without its password, and of anything else nothing. */
function masked({ fallback, secret }: Setting, value: string): string {
  return value === fallback || secret !== true || /^\w+:/.test(value) ? withoutPassword(value) : "***";
}

/** What a setting is when nobody sets it; some follow from others. */
function fallbackOf(setting: Setting, env: Environment): string {
  return setting.fallback
    .replace("<port>", () => text(env, "HUBBUB_PORT"))
    .replace("<host>", () => baseUrl(env, whole(env, "HUBBUB_PORT", 0, 65_535)).hostname)
    .replace("<upload>", () => text(env, "HUBBUB_MAX_UPLOAD"))
    .replace("<one, or on PostgreSQL one for each core>", () => String(usualProcesses(env)))
    .replace("<data>", () => text(env, "HUBBUB_DATA"));
}
