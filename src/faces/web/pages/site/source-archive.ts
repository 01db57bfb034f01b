import { glob, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { createTarPacker } from "modern-tar";
import type { TarPackController } from "modern-tar";
import { programFolder, version } from "../../../../version.ts";

/** What the program is made from; packages have less of it, and none has anything of the hub's data. */
const parts = [
  "{bin,src,docs}/**/*.{ts,js,css,json,md,svg,png,sql}",
  "packaging/**/*.*",
  "{package,package-lock,tsconfig}.json",
  "{LICENSE,README.md,CHANGELOG.md,FEDERATION.md,SECURITY.md,CONTRIBUTING.md}",
];

/** The source of the program that runs here, with whatever was changed in it, as a tar file made while it is read. */
export function sourceArchive(whenOver: () => void): ReadableStream<Uint8Array> {
  const { readable, controller } = createTarPacker();
  void fill(controller)
    .then(() => controller.finalize())
    // Whoever reads hears of it; where nobody does any more, there is nobody to tell.
    .catch((error: unknown) => controller.error(error))
    .finally(whenOver);
  return readable.pipeThrough(new CompressionStream("gzip"));
}

async function fill(controller: TarPackController): Promise<void> {
  for await (const name of glob(parts, { cwd: programFolder, exclude: ["**/node_modules/**"] })) {
    const place = join(programFolder, name);
    const found = await stat(place);
    if (!found.isFile()) continue;
    const entry = `hubbub-${version}/${name.replaceAll("\\", "/")}`;
    const writer = controller.add({ name: entry, size: found.size, mtime: found.mtime, type: "file" }).getWriter();
    await writer.write(await readFile(place));
    await writer.close();
  }
}
