import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { answers } from "../src/faces/mastodon/answers.ts";

/**
 * Each field of each entity of Mastodon contract 11, line by line: it is there, of its kind, and may be null or missing where the
 * contract says so. That answers have these shapes is looked at wherever tests ask for one.
 */

const contract = readFileSync("docs/contract/mastodon/11-entities.md", "utf8");

/** Where an entity stands: its section, and the words that begin its part of that, where there are several. */
const places: Record<string, [section: string, begins?: string]> = {
  Account: ["11.1"],
  CredentialAccount: ["11.2"],
  Field: ["11.2", "Field:"],
  MutedAccount: ["11.2", "MutedAccount:"],
  Status: ["11.3"],
  Mention: ["11.4"],
  MediaAttachment: ["11.5"],
  Poll: ["11.6"],
  PreviewCard: ["11.7"],
  Quote: ["11.8", "- Quote:"],
  StatusEdit: ["11.10"],
  StatusSource: ["11.11"],
  ScheduledStatus: ["11.12"],
  Context: ["11.9"],
  Notification: ["11.14"],
  NotificationPolicy: ["11.16", "Policy v2:"],
  NotificationPolicyV1: ["11.16", "Policy v1:"],
  NotificationRequest: ["11.16", "Request:"],
  GroupedNotifications: ["11.15", "GroupedNotificationsResults"],
  "GroupedNotifications.notification_groups": ["11.15"],
  Relationship: ["11.17"],
  List: ["11.18"],
  "List.hubbub": ["11.18", "`hubbub`:"],
  Filter: ["11.19", "Filter:"],
  FilterKeyword: ["11.19", "FilterKeyword:"],
  FilterStatus: ["11.19", "FilterStatus:"],
  FilterResult: ["11.19", "FilterResult:"],
  FilterV1: ["11.20"],
  Conversation: ["11.21"],
  Search: ["11.22"],
  Tag: ["11.23"],
  Preferences: ["11.25"],
  Instance: ["11.26"],
  InstanceV1: ["11.27"],
  Rule: ["11.28"],
  Application: ["11.29", "Application:"],
  CredentialApplication: ["11.29", "CredentialApplication adds"],
  Token: ["11.30"],
  WebPushSubscription: ["11.31"],
  "Status.emojis": ["11.32"],
  Markers: ["11.24", "\n"],
  "Markers.home": ["11.24", "Marker:"],
  Announcement: ["11.33", "Announcement:"],
  "Announcement.reactions": ["11.33", "Reaction:"],
  Report: ["11.34"],
  Suggestion: ["11.35"],
  FeaturedTag: ["11.36", "FeaturedTag:"],
  FamiliarFollowers: ["11.36", "FamiliarFollowers:"],
  "CredentialAccount.role": ["11.37"],
  SiteText: ["11.38", "PrivacyPolicy:"],
  Profile: ["11.40"],
};

/** What is not there, and why. */
const missing: Record<string, readonly string[]> = {
  // Optional; the address stands in `acct`.
  Account: ["memorial", "hubbub"],
  // There is no setting for alias fields; `in_reply_to_status` is not sent, as the contract says.
  Status: ["friendica", "in_reply_to_status"],
  // Input only.
  MediaAttachment: ["focus"],
  // Of quotes within quotes.
  Quote: ["quoted_status_id"],
  // Nothing is held back.
  Notification: ["filtered"],
  // The hub has none.
  Search: ["collections"],
  // In `hubbub`.
  List: ["visible", "members", "default"],
};

/** What the contract says of it in a sentence: these are the caller's, and nobody has none. */
const ofCallers: Record<string, readonly string[]> = {
  Status: ["favourited", "reblogged", "bookmarked", "muted", "filtered"],
};

type Line = { field: string; kind: string; orNull: boolean; optional: boolean };

const sections = new Map(
  contract.split(/^#+ (?=11\.\d+ )/m).map((part) => [/^11\.\d+/.exec(part)?.[0] ?? "", part] as const),
);

function partOf([section, begins]: [string, string?]): string {
  const part = sections.get(section)!;
  if (begins === undefined) return part;
  const [rest = ""] = part.slice(part.indexOf(begins) + begins.length).split(/\n\n|\n- /);
  const next = /[.] [A-Z][A-Za-z]+(?::| adds)/.exec(rest);
  return next ? rest.slice(0, next.index) : rest;
}

const type = String.raw`(\*\*I\*\*|(?:S|I|F|B|null)\b|\[[^\]]*\]|\{|[A-Z]\w+)(?: (?:html|url|dt|date))?`;
const marks = String.raw`(\?)?(?: ?(\*opt\*))?`;

function linesOf(place: [string, string?]): Line[] {
  const part = partOf(place);
  const rows = [
    ...part.matchAll(new RegExp(String.raw`^\| ((?:\x60[^\x60]+\x60(?:, )?)+) \| ${type}[^|?*]*${marks}`, "gm")),
  ];
  if (rows.length === 0 || place[1] !== undefined) return inText(part);
  return rows.flatMap(([, names, kind, orNull, optional]) =>
    [...names!.matchAll(/`([^`]+)`/g)].map(([, name]) => lineOf(name!, kind!, orNull, optional)),
  );
}

/** Fields as a sentence names them, and what is in braces behind them. */
function inText(part: string, before = ""): Line[] {
  const lines: Line[] = [];
  const field = new RegExp(String.raw`\x60([a-z_.]+)\x60 ${type}`, "g");
  for (let found = field.exec(part); found; found = field.exec(part)) {
    const name = before + found[1]!;
    let end = field.lastIndex;
    if (found[2] === "{") {
      end = closing(part, end);
      lines.push(...inText(part.slice(field.lastIndex, end - 1), `${name}.`));
    }
    const [, orNull, optional] = new RegExp(marks, "y").exec(part.slice(end)) ?? [];
    lines.push(lineOf(name, found[2]!, orNull, optional));
    field.lastIndex = end;
  }
  return lines;
}

/** Behind the brace that closes the one before. */
function closing(text: string, from: number): number {
  let depth = 1;
  let at = from;
  for (; depth > 0 && at < text.length; at++) depth += text[at] === "{" ? 1 : text[at] === "}" ? -1 : 0;
  return at;
}

function lineOf(field: string, kind: string, orNull: string | undefined, optional: string | undefined): Line {
  return {
    field,
    kind: kindIn(kind.replaceAll("*", "")),
    orNull: orNull === "?" || kind === "null",
    optional: !!optional,
  };
}

function kindIn(word: string): string {
  if (word.startsWith("[")) return "list";
  return /^[SIFB]$|^null$/.test(word) ? word : "object";
}

/** A schema without what lets it be null or missing. */
function bare(schema: z.ZodType): { inner: z.ZodType; orNull: boolean; optional: boolean } {
  const found = { inner: schema, orNull: false, optional: false };
  for (;;) {
    const { inner } = found;
    if (inner instanceof z.ZodNullable) [found.orNull, found.inner] = [true, inner.unwrap() as z.ZodType];
    else if (inner instanceof z.ZodOptional) [found.optional, found.inner] = [true, inner.unwrap() as z.ZodType];
    else return found;
  }
}

/** Also of what a list holds. */
function fieldOf(schema: z.ZodType, path: string): z.ZodType | undefined {
  let { inner } = bare(schema);
  if (inner instanceof z.ZodArray) inner = inner.element as z.ZodType;
  const shape = inner instanceof z.ZodObject ? (inner.shape as Record<string, z.ZodType>) : {};
  if (shape[path]) return shape[path];
  const [name, ...rest] = path.split(".");
  const next = shape[name!];
  return next && rest.length > 0 ? fieldOf(next, rest.join(".")) : undefined;
}

const examples: Record<string, unknown> = { S: "", I: 0, F: 0.5, B: true, list: [], object: {} };

function kindOf(schema: z.ZodType): string {
  const { type } = schema.def;
  if (type === "literal") return kindOfValue([...(schema as z.ZodLiteral).values][0]);
  if (type === "string" || type === "enum") return "S";
  if (type === "number") return schema.safeParse(examples["F"]).success ? "F" : "I";
  const others: Record<string, string> = {
    boolean: "B",
    array: "list",
    object: "object",
    record: "object",
    null: "null",
  };
  return others[type] ?? type;
}

function kindOfValue(value: unknown): string {
  return typeof value === "string" ? "S" : typeof value === "number" ? "I" : "B";
}

describe.each(Object.entries(places))("%s", (name, place) => {
  const schema = fieldOf(z.object(answers), name)!;
  const lines = linesOf(place).filter(({ field }) => !missing[name]?.includes(field));

  test("has fields in the contract", () => expect(lines.length).toBeGreaterThan(0));

  test.each(lines)("$field", (line) => {
    const found = fieldOf(schema, line.field);
    expect(found ? "there" : "missing").toBe("there");
    const { inner, orNull, optional } = bare(found!);
    const isNull = kindOf(inner) === "null";
    // What is never null is good where it might be, and so is what is never missing.
    expect({ ...line, kind: isNull && line.orNull ? line.kind : kindOf(inner), orNull, optional }).toEqual({
      ...line,
      orNull: line.orNull && orNull,
      optional: (line.optional || ofCallers[name]?.includes(line.field) === true) && optional,
    });
  });
});
