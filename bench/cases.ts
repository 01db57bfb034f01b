import { applicationCases } from "./cases/applications.ts";
import type { Case } from "./cases/case.ts";
import { documentCases } from "./cases/documents.ts";
import { fileCases } from "./cases/files.ts";
import { nativeCases, pageCases } from "./cases/native.ts";
import { pollCases } from "./cases/polls.ts";
import { postCases } from "./cases/posts.ts";
import { searchCases } from "./cases/search.ts";
import { timelineCases } from "./cases/timelines.ts";

/** The cases, in the order in which they run: the home timeline, which other measurements use too, first; those that write last. */
export const cases: Case[] = [
  ...timelineCases,
  ...nativeCases,
  ...fileCases,
  ...pageCases,
  ...documentCases,
  ...searchCases,
  ...applicationCases,
  ...pollCases,
  ...postCases,
];
