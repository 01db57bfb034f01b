// Node looks for every import of every file: whether it is there, what it is called really, to which package it belongs. A
// start spent a quarter of its time on that. Where the program's own files are, their names say; where a package is, is the
// same for all of them; and what stands beside a module that a package brings is where its name says, too.
const { flushCompileCache, registerHooks } = require("node:module");
const { join, sep } = require("node:path");
const { pathToFileURL } = require("node:url");

const isInstalled = __dirname.split(sep).includes("node_modules");
// Node reads no TypeScript below node_modules; packages have the program without its types (packaging/dist.ts).
const [folder, ending, format] = isInstalled ? ["dist", ".js", "module"] : ["src", ".ts", "module-typescript"];
const program = pathToFileURL(join(__dirname, "..", folder, "/")).href;
const packages = new Map();
/** Folders of packages, as addresses, of whose files Node has said that they are modules: that depends on nothing but the folder. */
const foldersOfModules = new Set();

exports.resolveByName = () => registerHooks({ resolve });

function resolve(specifier, context, next) {
  // What Node has read from the compile cache it keeps until it is told to write what is new. All of it at once would be 20 MB
  // in small pieces between others that stay, of which the system gets next to nothing back.
  flushCompileCache();
  const { parentURL, conditions } = context;
  if (!parentURL?.startsWith(program) || !parentURL.endsWith(ending))
    return conditions.includes("import") && isBeside(specifier)
      ? resolveBeside(specifier, context, next)
      : next(specifier, context);
  if (!specifier.startsWith(".")) {
    // Whoever requires a package may get another file than who imports it.
    const asked = `${specifier} ${conditions.join(" ")}`;
    if (!packages.has(asked)) packages.set(asked, next(specifier, context));
    return { ...packages.get(asked), shortCircuit: true };
  }
  if (!specifier.endsWith(ending)) return next(specifier, context);
  return { url: new URL(specifier, parentURL).href, format, shortCircuit: true };
}

function isBeside(specifier) {
  return specifier.startsWith(".") && specifier.endsWith(".js");
}

/** What a module of a package imports by its place. The first of a folder is looked for, the others are like it. */
function resolveBeside(specifier, context, next) {
  const url = new URL(specifier, context.parentURL).href;
  const folder = url.slice(0, url.lastIndexOf("/"));
  if (foldersOfModules.has(folder)) return { url, format: "module", shortCircuit: true };
  const found = next(specifier, context);
  if (found.url === url && found.format === "module") foldersOfModules.add(folder);
  return found;
}
