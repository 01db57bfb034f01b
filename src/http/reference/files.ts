import type { Face } from "../face.ts";
import { printDocs } from "./markdown.ts";
import { openApi } from "./openapi.ts";

/** The files of `docs/api` by their names: the document for programs, and the reference of each face for people. */
export async function referenceFiles(faces: readonly Face[], version: string): Promise<Record<string, string>> {
  // The same wherever it is printed, because the files are part of the repository.
  const about = { title: "Hubbub", version, baseUrl: "https://hub.example" };
  const document = JSON.stringify(await openApi(faces, about), undefined, 2);
  return { ...(await printDocs(faces)), "openapi.json": `${document}\n` };
}
