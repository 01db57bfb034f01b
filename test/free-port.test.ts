import { expect, test } from "vitest";
import { freePort } from "./support/free-port.ts";

test("whoever asks for a port gets another one than all who asked before, also where they do not listen yet", async () => {
  const ports: number[] = [];
  while (ports.length < 300) ports.push(await freePort());
  expect(new Set(ports).size).toBe(300);
});
