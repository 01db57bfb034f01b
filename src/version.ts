import { resolve } from "node:path";
import manifest from "../package.json" with { type: "json" };

/** The program's version. */
export const version: string = manifest.version;

/** The folder that the program runs from. */
export const programFolder = resolve(import.meta.dirname, "..");
