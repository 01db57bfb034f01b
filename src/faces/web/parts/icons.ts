import { namesIn, recordOf } from "../../../record-of.ts";
import { raw } from "../html.ts";
import type { Html } from "../page.ts";

/** Drawn by hand on a 24 by 24 grid; each is decoration beside a word. */
const paths = {
  stream: "M4 6h16M4 12h10M4 18h13",
  bell: "M6 16V11a6 6 0 0 1 12 0v5l1.5 2h-15zM10 21h4",
  people:
    "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c0-3.6 2.9-5.5 6.5-5.5s6.5 1.9 6.5 5.5M16 4.3a3.5 3.5 0 0 1 0 6.4M18 14.9c2.2.7 3.5 2.4 3.5 5.1",
  circles: "M9 14.5a5 5 0 1 0 0-10 5 5 0 0 0 0 10zM15 19.5a5 5 0 1 0 0-10 5 5 0 0 0 0 10z",
  compass: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM15.5 8.5l-2 5-5 2 2-5z",
  person: "M12 11.5a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5c0-4 3.3-6 7.5-6s7.5 2 7.5 6",
  sliders: "M4 7h9M19 7h1M4 17h3M13 17h7M16 10a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM10 20a3 3 0 1 0 0-6 3 3 0 0 0 0 6z",
  shield: "M12 3l7.5 2.5V11c0 5-3.2 8.4-7.5 10-4.3-1.6-7.5-5-7.5-10V5.5z",
  help: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM9.5 9.5a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.9-1.1 1.8M12 16.8v.1",
  menu: "M4 7h16M4 12h16M4 17h16",
  swap: "M4 8h14l-3.5-3.5M20 16H6l3.5 3.5",
  exit: "M14 4H6a1 1 0 0 0-1 1v14a1 1 0 0 0 1 1h8M10 12h11m-3.5-3.5L21 12l-3.5 3.5",
  home: "M4 11l8-7 8 7v8a1 1 0 0 1-1 1h-4.5v-6h-5v6H5a1 1 0 0 1-1-1z",
  heart: "M12 20s-7.5-4.6-7.5-10A4.2 4.2 0 0 1 12 7.3 4.2 4.2 0 0 1 19.5 10c0 5.4-7.5 10-7.5 10z",
  down: "M7 4v10h3.5L9.7 19.5c-.2 1 .9 1.8 1.7 1.1L17 14V4zM20 4v10",
  reply: "M4.5 12c0-4.2 3.4-7 7.5-7s7.5 2.8 7.5 7-3.4 7-7.5 7c-1.2 0-2.3-.2-3.3-.6L4.5 20l1-3.7c-.6-1.3-1-2.7-1-4.3z",
  share: "M4 13v5a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-5M12 15V4m-4 4l4-4 4 4",
  quote:
    "M5 17c2.5-1 3.5-2.8 3.5-5H5V7h5.5v5c0 3.6-1.7 5.9-4.5 7zM14 17c2.5-1 3.5-2.8 3.5-5H14V7h5.5v5c0 3.6-1.7 5.9-4.5 7z",
  star: "M12 4l2.4 5.2 5.6.7-4.2 3.9 1.1 5.7L12 16.7l-4.9 2.8 1.1-5.7L4 9.9l5.6-.7z",
  globe:
    "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM3.5 12h17M12 3c2.5 2.5 3.7 5.5 3.7 9s-1.2 6.5-3.7 9c-2.5-2.5-3.7-5.5-3.7-9s1.2-6.5 3.7-9z",
  lock: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3",
  key: "M8 17a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM12 10.5L20.5 5M17 7.5l2 3",
  dots: "M6 12h.01M12 12h.01M18 12h.01",
  cross: "M6 6l12 12M18 6L6 18",
  pencil: "M5 19l1-4L16.5 4.5l3 3L9 18z",
  bin: "M5 7h14M10 7V4.5h4V7M7 7l1 13h8l1-13",
  check: "M5 12.5l4.5 4.5L19 7.5",
  plus: "M12 5v14M5 12h14",
  smile: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM8.5 14.5c1.8 2.2 5.2 2.2 7 0M9.3 9.5v.1M14.7 9.5v.1",
  pin: "M9 3.5h6l-1 6 3 3.5H7l3-3.5zM12 13v7.5",
  tag: "M4 12V4.5h7.5L20 13l-7 7zM8 8.5h.01",
  folder: "M3.5 6.5h6l2 2.5h9v10h-17z",
  page: "M7 3.5h7l4 4v13H7zM14 3.5v4h4",
  note: "M9 18V6l10-2v12M9 18a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0zM19 16a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0z",
  film: "M4 5h16v14H4zM10 9.5l5 2.5-5 2.5z",
  play: "M8 5.5v13l11-6.5z",
  picture: "M4 5h16v14H4zM4 16l4.5-4.5 4 4 2.5-2.5 5 5M15.5 9.5h.01",
  raise: "M12 19.5V5m-5.5 5.5L12 5l5.5 5.5",
  upload: "M4 15v4h16v-4M12 15V4.5m-4 4l4-4 4 4",
  download: "M4 15v4h16v-4M12 4.5V15m-4-4l4 4 4-4",
  lens: "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.3 15.3L20.5 20.5",
  letter: "M3.5 6h17v12.5h-17zM4 6.5l8 6.5 8-6.5",
  flag: "M6 21V4h11l-2.5 4L17 12H6",
  calendar: "M5 6h14v14H5zM5 10.5h14M9 3.5V7M15 3.5V7",
} as const;

export type IconName = keyof typeof paths;

const shown = recordOf(namesIn(paths), (name) =>
  raw(`<svg class="icon" aria-hidden="true"><use href="#i-${name}"/></svg>`),
);

/** A small picture that says nothing to a screen reader; it is drawn once on each page. */
export function icon(name: IconName): Html {
  return shown[name];
}

/** The drawings that the icons of a page, and of all parts that come onto it later, point to. */
export const drawings: Html = raw(
  `<div hidden><svg>${namesIn(paths)
    .map((name) => `<symbol id="i-${name}" viewBox="0 0 24 24"><path d="${paths[name]}"/></symbol>`)
    .join("")}</svg></div>`,
);
