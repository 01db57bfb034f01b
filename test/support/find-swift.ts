import { existsSync } from "node:fs";

const banner = `
${"#".repeat(100)}
##
##  THERE IS NO S3 SERVER ON THIS MACHINE: WHAT TRIES BLOBS ON ONE IS SKIPPED.
##
##  Install it (Debian: apt-get install swift-proxy swift-account swift-container swift-object).
##
${"#".repeat(100)}
`;

/** Is OpenStack Swift on this machine, whose s3api is the S3 server of the tests? */
export const hasSwift = ["proxy", "account", "container", "object"].every((part) =>
  existsSync(`/usr/bin/swift-${part}-server`),
);

/** Says so that nobody overlooks it that tests are skipped; where machines read, it is a failure. */
export function warnWithoutSwift(): undefined {
  if (process.env["CI"]) throw new Error("CI tries blobs on an S3 server too, and there is none on this machine.");
  process.stderr.write(banner);
  process.once("exit", () => process.stderr.write(banner));
}
