import type { Page, PageContext } from "../../page.ts";

/** The reference of the programs' interfaces for people; its addresses lie among those of the interfaces. */
export const apiDocsPages = [
  { path: "/api/docs", access: "anybody", get: async (context: PageContext) => (await pages()).showContents(context) },
  {
    path: "/api/docs/:face/answers",
    access: "anybody",
    get: async (context: PageContext) => (await pages()).showAnswers(context),
  },
  {
    path: "/api/docs/:face/:area",
    access: "anybody",
    get: async (context: PageContext) => (await pages()).showArea(context),
  },
] as const satisfies Page[];

export const apiDocsPaths: readonly string[] = apiDocsPages.map(({ path }) => path);

/** Few people read it, so nothing of it is loaded before somebody does. */
const pages = () => import("../../api-docs/pages.ts");
