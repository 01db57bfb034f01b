import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** An authority for certificates that nobody knows but those who are given its file. */
export type Authority = {
  /** File with its own certificate: what others must trust. */
  file: string;
  /** A key and a certificate for a server of these names. */
  certify(...names: string[]): { key: string; cert: string };
  close(): void;
};

const ellipticKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];

/** Makes one. Close it at the end: that removes its files. */
export function openAuthority(): Authority {
  const folder = mkdtempSync(join(tmpdir(), "hubbub-tls-"));
  const [file, secret] = [join(folder, "authority.pem"), join(folder, "authority.key")];
  const make = (cert: string, key: string, ...more: string[]): void => {
    const options = ["req", "-x509", ...ellipticKey, "-days", "2", "-out", cert, "-keyout", key, ...more];
    execFileSync("openssl", options, { stdio: "pipe" });
  };
  make(file, secret, "-subj", "/CN=Authority of a test");
  return {
    file,
    certify(...names) {
      const [cert, key] = [join(folder, `${names[0]}.pem`), join(folder, `${names[0]}.key`)];
      const kinds = names.map((name) => (/^[\d.]+$/.test(name) ? `IP:${name}` : `DNS:${name}`));
      const about = ["-subj", `/CN=${names[0]}`, "-addext", `subjectAltName=${kinds.join(",")}`];
      make(cert, key, "-CA", file, "-CAkey", secret, "-addext", "basicConstraints=critical,CA:FALSE", ...about);
      return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
