/**
 * How a tag is written: `pair` encloses bbcode, `raw` encloses text that is not looked at, `void` stands alone,
 * `either` is raw when it is closed and void otherwise.
 */
export type Shape = "pair" | "raw" | "void" | "either";

const pairs =
  "b i u s o sup sub mark hl bdi color size font h1 h2 h3 h4 h5 h6 center footer quote list ul ol li dl checklist table tr th td url zrl mail share spoiler open summary observer observer.language channel event-summary event-description event-start event-finish event-location event-id event-adjust";
const raws = "code nobb noparse pre img zmg video zvideo audio zaudio embed attachment crypt rpost";
const voids =
  "hr * & box toc nosmile baseurl sitename observer.name observer.address observer.url observer.baseurl observer.webname observer.photo";

const shapes = new Map<string, Shape>([
  ...pairs.split(" ").map((name): [string, Shape] => [name, "pair"]),
  ...raws.split(" ").map((name): [string, Shape] => [name, "raw"]),
  ...voids.split(" ").map((name): [string, Shape] => [name, "void"]),
  ["map", "either"],
]);

const rawWithoutValue = new Set(["url", "zrl", "mail"]);

/** The shape of a tag, undefined for words that are no tags. */
export function shapeOf(name: string, hasValue: boolean): Shape | undefined {
  if (!hasValue && rawWithoutValue.has(name)) return "raw";
  return name === "map" && hasValue ? "void" : shapes.get(name);
}

const blocks = new Set(
  "h1 h2 h3 h4 h5 h6 center footer hr quote list ul ol dl checklist table tr th td share spoiler open summary toc event-summary event-description event-start event-finish event-location event-id event-adjust crypt".split(
    " ",
  ),
);

/** Whether a tag makes a block of its own, so that the line breaks right at its edges are not content. */
export function isBlock(name: string): boolean {
  return blocks.has(name);
}
