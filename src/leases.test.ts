import { afterEach, expect, test, vi } from "vitest";
import { Leases } from "./leases.ts";
import { zeroDate } from "./storage/sql.ts";

afterEach(() => void vi.restoreAllMocks());

test("whoever could not say that it is at work while the database was away has five seconds for it afterwards", () => {
  const hub = { clock: () => new Date("2026-03-01T12:00:00Z") };
  const clock = vi.spyOn(performance, "now").mockReturnValue(1000);
  const leases = new Leases();
  expect(leases.over(hub)).toBe("2026-03-01 12:00:00");
  leases.noteAway();
  for (const [moment, over] of [
    [1000, zeroDate],
    [5999, zeroDate],
    [6000, "2026-03-01 12:00:00"],
  ] as const) {
    clock.mockReturnValue(moment);
    expect(leases.over(hub)).toBe(over);
  }
});
