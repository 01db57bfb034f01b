/** The elements that stay in a body. `input` is narrowed to check boxes by the filter. */
export const allowedTags: readonly string[] =
  "a abbr address article aside audio b bdi bdo blockquote br caption cite code col colgroup dd del details dfn div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hr i img input ins kbd li mark nav ol p pre q rp rt ruby s samp section small source span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var video wbr".split(
    " ",
  );

const anchored = ["id"];
const cell = ["colspan", "rowspan", "align"];

/** The attributes that stay, by element; URLs, styles and ids are checked by the filter. */
export const allowedAttributes: Record<string, string[]> = {
  "*": ["style", "title", "dir", "lang"],
  a: ["href", "rel", ...anchored],
  audio: ["src", "controls", "preload", "loop"],
  blockquote: ["cite"],
  col: ["span"],
  colgroup: ["span"],
  del: ["cite", "datetime"],
  details: ["open"],
  div: ["data-alg", "data-hint"],
  h1: anchored,
  h2: anchored,
  h3: anchored,
  h4: anchored,
  h5: anchored,
  h6: anchored,
  img: ["src", "alt", "width", "height", "data-blurhash", "data-focus"],
  input: ["type", "checked", "disabled"],
  ins: ["cite", "datetime"],
  li: ["value", ...anchored],
  ol: ["start", "reversed"],
  q: ["cite"],
  source: ["src", "type"],
  table: ["border"],
  td: cell,
  th: cell,
  time: ["datetime"],
  video: ["src", "poster", "width", "height", "controls", "preload", "loop"],
};

/** Classes are kept only when rendering itself uses them, so that a body cannot dress up as part of the page. */
export const allowedClasses: (string | RegExp)[] = [
  "avatar",
  "bookmark",
  "checklist",
  "contains-task-list",
  "crypt",
  "dl-horizontal",
  "embed",
  "emoji",
  "event",
  "footnote-backref",
  "footnote-item",
  "footnote-ref",
  "footnotes",
  "footnotes-list",
  "footnotes-sep",
  "hashtag",
  "map",
  "mention",
  "rpost",
  "shared",
  "shared-body",
  "spoiler",
  "summary",
  "task-list-item",
  "task-list-item-checkbox",
  "toc",
  "zrl",
  /^language-[\w+#.-]{1,30}$/,
];
