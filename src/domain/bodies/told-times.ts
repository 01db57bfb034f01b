import type { HtmlMark, HtmlToken } from "./html-tokens.ts";

/** A time as the renderer writes it (`event-html.ts`): a moment of the world, a time on everybody's clock, or a whole day. */
type Told = { form: "moment" | "clock" | "day"; at: Date; written: string };

/** Goes through a body and answers what stands there in the place of a time, undefined for everything else. */
export type Clock = (piece: HtmlToken | HtmlMark) => string | undefined;

/**
 * Tells times in the language of the locale, moments on the clock of the zone. Where the end of something is told right behind its
 * beginning, the day that both have is not said again.
 */
export function clockOf(zone: string, locale: string): Clock {
  const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options);
  const forms = {
    moment: format({ ...day, ...hour, timeZone: zone, timeZoneName: "short" }),
    clock: format({ ...day, ...hour, timeZone: "UTC" }),
    day: format({ ...day, timeZone: "UTC" }),
  };
  let open: Told | undefined;
  let beginning: Told | undefined;
  return (piece) => {
    const time = open;
    open = toldBy(piece);
    if (time && piece.kind === "text" && piece.text === time.written) {
      const isEnd = beginning?.form === time.form && time.form !== "day";
      const timeZone = time.form === "moment" ? zone : "UTC";
      const dayAlone = format({ ...day, timeZone });
      const isSameDay = isEnd && dayAlone.format(beginning!.at) === dayAlone.format(time.at);
      beginning = isSameDay ? undefined : time;
      return isSameDay ? format({ ...hour, timeZone }).format(time.at) : forms[time.form].format(time.at);
    }
    if (!open && !(piece.kind === "close" && piece.name === "time") && !(piece.kind === "text" && piece.text === " – "))
      beginning = undefined;
    return undefined;
  };
}

const day = { weekday: "short", day: "numeric", month: "short", year: "numeric" } as const;
const hour = { hour: "2-digit", minute: "2-digit" } as const;

function toldBy(piece: HtmlToken | HtmlMark): Told | undefined {
  if (piece.kind !== "open" || piece.name !== "time") return undefined;
  const [, date, minutes = "", seconds = "", utc = ""] = machine.exec(piece.attributes) ?? [];
  const at = new Date(`${date}${minutes === "" ? "" : `T${minutes}`}Z`);
  if (date === undefined || Number.isNaN(at.getTime())) return undefined;
  if (minutes === "") return { form: "day", at, written: date };
  if (utc === "") return { form: "clock", at, written: `${date} ${minutes}${seconds}` };
  return { form: "moment", at, written: `${date} ${minutes} UTC` };
}

const machine = /^ datetime="(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(:\d\d)?(Z)?)?"$/;
