import { z } from "zod";
import { findTag } from "../../../domain/items/timelines/search-tags.ts";
import { endpoint } from "../../../http/endpoint.ts";
import { requiredText } from "../parameters.ts";
import { seeing } from "../seeing.ts";
import { presentTag } from "../present/tag.ts";

/** Mastodon contract 12.9. */
export const tagRows = [
  endpoint({
    path: "v1/tags/:name",
    methods: ["GET"],
    access: "public",
    summary: "One hashtag.",
    answer: "Tag",
    example: { name: "tea" },
    input: z.object({ name: requiredText("The word, with or without its sign.") }),
    async handle(hub, caller, { name }) {
      const { observer } = await seeing(hub, caller);
      const word = name.replace(/^#+/, "");
      const tag = (await findTag(hub, observer, word)) ?? { id: 0, name: word };
      return { tag, baseUrl: hub.config.baseUrl, hasToken: caller !== undefined, now: hub.clock() };
    },
    present: ({ tag, ...around }) => presentTag(tag, around),
  }),
];
