import { execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { arch, tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { version } from "../src/version.ts";

/**
 * Makes a Debian package for machines of this kind: `npm run debian -- FOLDER`. It has the program as npm installs it, the Node that it
 * runs on, a service, and what shells and `man` read.
 */

const root = resolve(import.meta.dirname, "..");
const parts = join(import.meta.dirname, "debian");
const names = { x64: "amd64", arm64: "arm64" } as const;
const architecture = names[arch() as keyof typeof names];

const run = (command: string, args: readonly string[], cwd = root): string =>
  execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });

function put(from: string, to: string, mode = 0o644): void {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
  chmodSync(to, mode);
}

/** The program with all that it needs, and of Node what runs. */
function installProgram(tree: string, scratch: string): void {
  const archive = run("npm", ["pack", "--pack-destination", scratch, "--loglevel=error"]).trim().split("\n").at(-1)!;
  const place = join(tree, "usr/lib/hubbub");
  mkdirSync(place, { recursive: true });
  const flags = ["--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  run("npm", ["install", "--prefix", place, ...flags, join(scratch, basename(archive))], scratch);
  const node = `node_modules/node-linux-${arch()}`;
  for (const part of readdirSync(join(place, node)).filter(
    (name) => !["bin", "LICENSE", "package.json"].includes(name),
  ))
    rmSync(join(place, node, part), { recursive: true });
  symlinkSync(join(node, "bin/node"), join(place, "node"));
}

function addManuals(tree: string): void {
  const dist = join(root, "dist");
  const share = join(tree, "usr/share");
  const page = join(share, "man/man1/hubbub.1.gz");
  mkdirSync(dirname(page), { recursive: true });
  writeFileSync(page, gzipSync(readFileSync(join(dist, "hubbub.1")), { level: 9 }));
  put(join(dist, "hubbub.bash"), join(share, "bash-completion/completions/hubbub"));
  put(join(dist, "hubbub.zsh"), join(share, "zsh/vendor-completions/_hubbub"));
  put(join(dist, "hubbub.fish"), join(share, "fish/vendor_completions.d/hubbub.fish"));
  const papers = join(share, "doc/hubbub");
  put(join(root, "LICENSE"), join(papers, "copyright"));
  put(join(dist, "licences.txt"), join(papers, "licences.txt"));
  put(join(dist, "bill-of-materials.json"), join(papers, "bill-of-materials.json"));
  for (const paper of ["README.md", "CHANGELOG.md", "docs/operating.md"])
    put(join(root, paper), join(papers, basename(paper)));
}

function addControl(tree: string): void {
  const size = Number(run("du", ["-sk", tree]).split("\t")[0]);
  const values = { VERSION: version, ARCHITECTURE: architecture, SIZE: String(size) };
  const control = readFileSync(join(parts, "control"), "utf8");
  const filled = control.replaceAll(/@(\w+)@/g, (_, name: string) => values[name as keyof typeof values]);
  mkdirSync(join(tree, "DEBIAN"));
  writeFileSync(join(tree, "DEBIAN/control"), filled, { mode: 0o644 });
  put(join(parts, "conffiles"), join(tree, "DEBIAN/conffiles"));
  for (const script of ["postinst", "prerm", "postrm"]) put(join(parts, script), join(tree, "DEBIAN", script), 0o755);
}

function make(folder: string): string {
  const scratch = mkdtempSync(join(tmpdir(), "hubbub-debian-"));
  try {
    const tree = join(scratch, "tree");
    mkdirSync(tree, { mode: 0o755 });
    installProgram(tree, scratch);
    put(join(parts, "hubbub"), join(tree, "usr/bin/hubbub"), 0o755);
    put(join(parts, "hubbub.service"), join(tree, "lib/systemd/system/hubbub.service"));
    put(join(parts, "hubbub.env"), join(tree, "etc/hubbub/hubbub.env"));
    addManuals(tree);
    // Whatever the mask of whoever makes it.
    run("chmod", ["-R", "u=rwX,go=rX", tree]);
    addControl(tree);
    const file = join(folder, `hubbub_${version}_${architecture}.deb`);
    run("dpkg-deb", ["--root-owner-group", "-Zxz", "-z1", "--build", tree, file]);
    return file;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

process.stdout.write(`${make(resolve(process.argv[2] ?? "."))}\n`);
