import type { Node } from "./node.ts";

/** When something takes place: at a moment, or by what the clocks show wherever one is, which is read as if it were UTC. */
export type EventTimes = { start: Date; end: Date | undefined; byClock: boolean };

/** Undefined for what is no event, or does not say when it is. */
export function eventOf(node: Node): EventTimes | undefined {
  if (!node.types.includes("Event")) return undefined;
  const moment = node.date("startTime");
  const start = moment ?? clockIn(node, "startTime");
  if (!start || !isOfCalendars(start)) return undefined;
  const end = moment ? node.date("endTime") : clockIn(node, "endTime");
  return { start, end: end && end > start && isOfCalendars(end) ? end : undefined, byClock: !moment };
}

/** Other years have no stored form. */
function isOfCalendars(date: Date): boolean {
  return date.getUTCFullYear() >= 100 && date.getUTCFullYear() < 9990;
}

const clock = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d)?)(?:\.\d{1,9})?)?$/;

function clockIn(node: Node, name: string): Date | undefined {
  const [, day, time = "00:00"] = clock.exec(node.text(name) ?? "") ?? [];
  const date = new Date(`${day}T${time}Z`);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

export type Place = {
  name: string | undefined;
  /** Where that is, in the words of a letter. */
  address: string | undefined;
  latitude: number | undefined;
  longitude: number | undefined;
};

export function placeOf(node: Node): Place | undefined {
  const place = node.nodes("location").find(({ types }) => types.includes("Place"));
  if (!place) return undefined;
  const [latitude, longitude] = [place.number("latitude"), place.number("longitude")];
  return { name: place.text("name"), address: addressOf(place), latitude, longitude };
}

const addressLines = ["streetAddress", "postalCode", "addressLocality", "addressRegion", "addressCountry"] as const;

function addressOf(place: Node): string | undefined {
  const [parts] = place.nodes("address");
  const lines = addressLines.flatMap((name) => parts?.text(name)?.trim() || []);
  return lines.length > 0 ? lines.join(", ") : place.text("address");
}
