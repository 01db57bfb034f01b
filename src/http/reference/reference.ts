import type { Area, Face } from "../face.ts";
import { schemasOf } from "./answers.ts";
import type { Schemas } from "./answers.ts";

/** A face with its endpoints and the schemas of what they answer. */
export type Reference = { face: Face; areas: readonly Area[]; schemas: Schemas };

/** What the reference of these faces is made of. It takes its time, so whoever asks again keeps it. */
export function loadReference(faces: readonly Face[]): Promise<Reference[]> {
  return Promise.all(faces.map(async (face) => ({ face, areas: await face.areas(), schemas: await schemasOf(face) })));
}
