import { settings } from "./settings.ts";
import type { Setting, SettingName } from "./settings.ts";

/** Variables by their names, as a process has them. */
export type Environment = Partial<Record<string, string>>;

/** A setting that cannot be used; the message tells the operator what was expected. */
export class ConfigError extends Error {}

/** What the operator says, or what holds when they say nothing. */
export function text(env: Environment, name: SettingName): string {
  return given(env, name) ?? find(name).fallback;
}

/** What the operator says, if anything. */
export function given(env: Environment, name: SettingName): string | undefined {
  return env[name]?.trim() || undefined;
}

/** Its row in the table. */
function find(name: SettingName): Setting {
  return settings.find((setting) => setting.name === name)!;
}

/** Throws ConfigError, which says what was `expected` and has the example of the table. */
export function refuse(name: SettingName, found: string, expected: string): never {
  throw new ConfigError(`${name} is "${found}", but it should be ${expected}. Example: ${name}=${find(name).example}`);
}

/** A whole number within bounds. */
export function whole(env: Environment, name: SettingName, least: number, most: number): number {
  const found = text(env, name);
  const value = Number(found);
  if (!/^\d+$/.test(found) || value < least || value > most) refuse(name, found, `a number from ${least} to ${most}`);
  return value;
}

/** One of some words, in small or capital letters. */
export function oneOf<T extends string>(env: Environment, name: SettingName, values: readonly T[]): T {
  const found = text(env, name).toLowerCase();
  return values.find((value) => value === found) ?? refuse(name, found, `one of ${values.join(", ")}`);
}

/** A switch. */
export function isOn(env: Environment, name: SettingName): boolean {
  return oneOf(env, name, ["on", "off"]) === "on";
}

/** The address of a database with the password masked, whatever signs it has and wherever it stands. */
export function withoutPassword(url: string): string {
  return url.replace(/^(\w+:\/\/[^:@/]*):.*@/, "$1:***@").replace(/([?&]password=)[^&]*/gi, "$1***");
}
