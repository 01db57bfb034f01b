import type { Face } from "../face.ts";
import { schemasOf } from "./answers.ts";
import type { Schemas } from "./answers.ts";

/** A face with the schemas of what it answers. */
export type Reference = { face: Face; schemas: Schemas };

/** What the reference of these faces is made of. It takes its time, so whoever asks again keeps it. */
export function loadReference(faces: readonly Face[]): Promise<Reference[]> {
  return Promise.all(faces.map(async (face) => ({ face, schemas: await schemasOf(face) })));
}
