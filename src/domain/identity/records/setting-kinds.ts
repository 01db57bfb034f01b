import { storedJson } from "../../../stored-json.ts";
/** How a setting is kept as text. What is not there, or means nothing, is read as what is usual. */
export type SettingKind<T> = { read: (text: string | undefined) => T; write: (value: T) => string };

/** Off unless it is set. */
export const flag: SettingKind<boolean> = { read: (text) => text === "1", write: (on) => (on ? "1" : "0") };

/** Any text. */
export function text(usual = ""): SettingKind<string> {
  return { read: (text) => text?.trim() || usual, write: String };
}

/** Several texts without white space. */
export const words: SettingKind<readonly string[]> = {
  read: (text = "") => text.split(/\s+/).filter((word) => word !== ""),
  write: (words) => words.join("\n"),
};

/** Several texts, each in a line. */
export const lines: SettingKind<readonly string[]> = {
  read: (text = "") =>
    text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== ""),
  write: (lines) => lines.join("\n"),
};

/** A text that nothing stands in for. */
export const optional: SettingKind<string | undefined> = { read: (text) => text, write: (text = "") => text };

/** A whole number from 0 on. */
export function count(usual = 0, most = Number.MAX_SAFE_INTEGER): SettingKind<number> {
  const read = (text?: string): number => {
    const number = text ? Number(text) : usual;
    return Number.isInteger(number) && number >= 0 && number <= most ? number : usual;
  };
  return { read, write: String };
}

/** One of some words; `unknown` is how any other one is read. */
export function oneOf<T extends string>(
  words: readonly T[],
  { usual, unknown = usual }: { usual: T; unknown?: T },
): SettingKind<T> {
  const read = (text?: string): T => (text === undefined ? usual : (words.find((word) => word === text) ?? unknown));
  return { read, write: String };
}

/** A value that is kept as JSON. */
export function json<T>(): SettingKind<T | undefined> {
  return {
    read: (text) => (text === undefined ? undefined : storedJson<T>(text)),
    write: (value) => JSON.stringify(value),
  };
}
