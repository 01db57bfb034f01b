import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { size } from "../../../../test/support/size.ts";
import { openTestHub } from "../../../../test/support/hub.ts";
import type { TestHub } from "../../../../test/support/hub.ts";
import { befriend, deliver, newcomer, nobody } from "../../../../test/support/people.ts";
import { addMembers, createGroup, removeMembers } from "../../groups/groups.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { findOwnItem } from "../find.ts";
import { deleteItem } from "../posting/delete.ts";
import { editItem } from "../posting/edit.ts";
import { postItem } from "../posting/post.ts";

/** People come to a group and leave it while its thread is written in; a plain model says what each of them reads. */

const owner = 0;
let hub: TestHub;
let people: Channel[];
let round = 0;

beforeAll(async () => {
  hub = await openTestHub();
  people = [];
  for (const nick of ["alice", "bob", "carol", "dora"]) people.push(await newcomer(hub, nick));
  for (const one of people.slice(1)) await befriend(hub, people[owner]!, one);
});
afterAll(() => hub?.close());

/** What somebody reads of a message; `apart`: they keep it as it was, until they come back. */
type Read = { text: string; apart: boolean };
type Message = { mid: string; author: number; text: string; reads: Map<number, Read> };

const member = fc.integer({ min: 1, max: 3 });
const step = fc.oneof(
  fc.record({ does: fc.constant("come" as const), who: member }),
  fc.record({ does: fc.constant("leave" as const), who: member }),
  fc.record({ does: fc.constant("comment" as const), who: fc.integer({ min: 0, max: 3 }) }),
  fc.record({ does: fc.constant("edit" as const), which: fc.nat() }),
);

test("everybody reads what is written while they are there, and as it was what has changed since they left", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
      const alice = people[owner]!;
      const group = await createGroup(hub, alice.channel_id, `Round ${++round}`);
      const hashes = (who: number): string[] => [people[who]!.channel_hash];
      await addMembers(
        hub,
        alice.channel_id,
        group.id,
        people.slice(1).map((one) => one.channel_hash),
      );
      const there = new Set([0, 1, 2, 3]);
      let texts = 0;
      const write = (): string => `text ${++texts}`;
      const add = (mid: string, author: number, text: string, readers: number[]): Message => ({
        mid,
        author,
        text,
        reads: new Map(readers.map((who) => [who, { text, apart: false }])),
      });
      const first = write();
      const top = await postItem(hub, alice, { body: first, audience: { ...nobody, allow_gid: [group.hash] } });
      await deliver(hub);
      const messages = [add(top.mid, owner, first, [0, 1, 2, 3])];
      const isInThread = (who: number): boolean => there.has(who);

      for (const one of steps) {
        if (one.does === "come") {
          await addMembers(hub, alice.channel_id, group.id, hashes(one.who));
          there.add(one.who);
          for (const { text, reads } of messages)
            if (reads.get(one.who)?.apart) reads.set(one.who, { text, apart: false });
        } else if (one.does === "leave") {
          await removeMembers(hub, alice.channel_id, group.id, hashes(one.who));
          there.delete(one.who);
        } else if (one.does === "comment" && isInThread(one.who)) {
          const text = write();
          const { mid } = await postItem(hub, people[one.who]!, { body: text, parent: { mid: top.mid } });
          messages.push(add(mid, one.who, text, [0, 1, 2, 3].filter(isInThread)));
        } else if (one.does === "edit") {
          const message = messages[one.which % messages.length]!;
          const text = write();
          const author = people[message.author]!;
          const own = (await findOwnItem(hub, author.channel_id, { mid: message.mid }))!;
          await editItem(hub, author, own.id, { body: text });
          message.text = text;
          for (const [who, read] of message.reads)
            if (!read.apart && (there.has(who) || who === message.author)) read.text = text;
            else read.apart = true;
        }
        await deliver(hub);
        for (const { mid, reads } of messages)
          for (const [who, { channel_id }] of people.entries())
            expect([who, mid, (await findOwnItem(hub, channel_id, { mid }))?.body]).toEqual([
              who,
              mid,
              reads.get(who)?.text,
            ]);
      }

      await deleteItem(hub, alice, { id: top.id });
      await deliver(hub);
      for (const { mid } of messages)
        for (const { channel_id } of people)
          expect((await findOwnItem(hub, channel_id, { mid }))?.item_deleted ?? 1).toBe(1);
    }),
    { numRuns: size(6, 150) },
  );
});
