import { plain } from "../../answers.ts";
import type { Page } from "../../page.ts";

/** What crawlers are asked to leave alone. */
export const robotsPages: Page[] = [
  {
    path: "/robots.txt",
    access: "anybody",
    get: (context) =>
      plain(
        context,
        [
          "User-agent: *",
          ...["/api/", "/login", "/register", "/setup/", "/search", "/follow"].map((path) => `Disallow: ${path}`),
          "",
        ].join("\n"),
      ),
  },
];
