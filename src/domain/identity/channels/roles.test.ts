import { expect, test } from "vitest";
import { grantsOf, limits, permissionBits, permissionNames, roles } from "./roles.ts";
import type { RoleName } from "./roles.ts";

const sums: Partial<Record<RoleName, number>> = {
  social: 218555,
  social_restricted: 153019,
  social_private: 151995,
  forum: 218603,
  forum_restricted: 153067,
  forum_private: 153003,
  feed: 217531,
  feed_restricted: 217531,
  soapbox: 217099,
  repository: 259563,
};

test.each(Object.entries(sums))("the grants of %s add up to %i", (role, sum) => {
  const grants = grantsOf(role as RoleName);
  expect(permissionNames.reduce((total, name) => total + grants[name] * permissionBits[name], 0)).toBe(sum);
});

test("all bits together are those of appendix A", () => {
  expect(permissionNames).toHaveLength(18);
  expect(Object.values(permissionBits).reduce((total, bit) => total | bit, 0)).toBe(261627);
});

test("custom starts as social_restricted without post_wall", () => {
  expect(grantsOf("custom")).toEqual({ ...grantsOf("social_restricted"), post_wall: 0 });
});

test("limits are standard except where the table says otherwise", () => {
  expect(roles.social.limits).toMatchObject({
    view_stream: limits.public,
    view_wiki: 1,
    post_wall: 128,
    write_wiki: 128,
  });
  expect(roles.social_private.limits).toMatchObject({
    view_stream: 1,
    view_contacts: 128,
    view_storage: 128,
    view_pages: 1,
  });
  expect(roles.forum_private.limits).toMatchObject({ view_stream: 1, view_profile: 128, view_wiki: 128 });
});
