import { describe, expect, test } from "vitest";
import { isPrivateHost, isWithin } from "./private-hosts.ts";

describe("hosts", () => {
  test.each([
    "localhost",
    "db.internal",
    "printer.local",
    "intranet",
    "127.0.0.1",
    "10.1.2.3",
    "100.64.0.1",
    "169.254.169.254",
    "172.31.0.1",
    "192.168.0.1",
    "198.18.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::ffff:8.8.8.8]",
    "[64:ff9b::7f00:1]",
    "[64:ff9b::8.8.8.8]",
    "[64:ff9b:1::1]",
    "[fe80::1]",
    "[fc00::1]",
    "[2001:db8::1]",
    "[2002:7f00:1::]",
    "localhost.",
  ])("%s is private", (host) => {
    expect(isPrivateHost(host)).toBe(true);
  });

  test.each(["hub.example", "8.8.8.8", "172.32.0.1", "100.128.0.1", "[2606:4700::1111]"])("%s is public", (host) => {
    expect(isPrivateHost(host)).toBe(false);
  });
});

test.each([
  ["127.0.0.1", ["127.0.0.0/8"], true],
  ["127.0.0.1", ["10.0.0.0/8", "127.0.0.1"], true],
  ["127.0.0.1", ["127.0.0.2", "localhost"], false],
  ["old.example", ["old.example"], true],
  ["old.example", ["127.0.0.0/8", "fe80::/10"], false],
  ["[fe80::1]", ["fe80::/10"], true],
])("%s within %j: %s", (host, within, is) => {
  expect(isWithin(host, within)).toBe(is);
});
