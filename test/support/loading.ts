import { createRequire } from "node:module";

/** The workers resolve the program's imports by their names, as bin/hubbub.js does. */
const { resolveByName } = createRequire(import.meta.url)("../../bin/resolving.js") as { resolveByName: () => void };
resolveByName();
