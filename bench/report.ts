import type { Engine } from "../src/storage/engine.ts";
import type { Bar } from "./cases/case.ts";
import type { CrowdRun } from "./crowd.ts";
import type { EffectsRun } from "./effects.ts";
import type { ExportRun } from "./exports.ts";
import type { DeliveryRun } from "./deliveries.ts";
import type { FollowersRun } from "./followers.ts";
import type { HostsRun } from "./hosts.ts";
import type { InboxRun } from "./inbox.ts";
import type { Figures } from "./measure.ts";
import type { PrivateDocumentsRun } from "./private-documents.ts";
import type { SignedRun } from "./signed.ts";
import type { StreamsRun } from "./streams.ts";
import type { UpgradeRun } from "./upgrade.ts";
import type { UploadRun } from "./uploads.ts";

/** Everything that can be measured, by what it is; each with the engine on which it was. */
export type Kinds = {
  results: { name: string; messages: number; hub: Figures; floor: Figures; bar: Bar | undefined };
  starts: { ready: number; idle: number; loaded: number };
  exports: ExportRun;
  uploads: UploadRun;
  signed: SignedRun;
  streams: StreamsRun;
  crowds: CrowdRun;
  deliveries: DeliveryRun;
  inboxes: InboxRun;
  followers: FollowersRun;
  hosts: HostsRun;
  privateDocuments: PrivateDocumentsRun;
  effects: EffectsRun;
  upgrades: UpgradeRun;
  scales: { small: Figures; large: Figures; messages: number };
};
export type Kind = keyof Kinds;
export type Entry<K extends Kind> = { engine: Engine } & Kinds[K];

/** Everything that a run has found. */
export type Found = { [K in Kind]: Entry<K>[] };

/** What could not be measured, and why. */
export type Missed = { engine: Engine; name: string; reason: string };

function ratio({ hub, floor }: Entry<"results">): number {
  return hub.rps / floor.rps;
}

/** What a run prints of each thing. */
export const linesOf: { [K in Kind]: (entry: Entry<K>) => string[] } = {
  results: (result) => [resultLine(result)],
  starts: (start) => [startLine(start)],
  exports: (run) => [exportLine(run)],
  uploads: (run) => [uploadLine(run)],
  signed: (run) => [signedLine(run)],
  streams: (run) => [streamsLine(run)],
  crowds: crowdLines,
  deliveries: (run) => [deliveryLine(run)],
  inboxes: (run) => [inboxLine(run)],
  followers: (run) => [followersLine(run)],
  hosts: (run) => [hostsLine(run)],
  privateDocuments: (run) => [privateDocumentsLine(run)],
  effects: (run) => [effectsLine(run)],
  upgrades: (run) => [upgradeLine(run)],
  scales: (scale) => [scaleLine(scale)],
};

/** The columns of results: what is above them, and how wide they are at least. */
const columns: [head: string, width: number][] = [
  ["engine", 8],
  ["case", 43],
  ["messages", 8],
  ["req/s", 6],
  ["p50 ms", 6],
  ["p99 ms", 7],
  ["CPU µs", 7],
  ["floor/s", 7],
  ["its CPU", 7],
  ["ratio", 5],
  ["by CPU", 6],
  ["bar", 0],
];

/** The line above results. */
export const head = inColumns(columns.map(([head]) => head));

function resultLine(result: Entry<"results">): string {
  const { engine, name, messages, hub, floor } = result;
  return inColumns([
    engine,
    name,
    String(messages),
    hub.rps.toFixed(0),
    hub.p50.toFixed(1),
    hub.p99.toFixed(1),
    hub.cpu.toFixed(0),
    floor.rps.toFixed(0),
    floor.cpu.toFixed(0),
    ratio(result).toFixed(2),
    (floor.cpu / hub.cpu).toFixed(2),
    verdict(result),
  ]);
}

/** Words to the left, numbers to the right. */
function inColumns(cells: string[]): string {
  const isWord = (place: number): boolean => place < 2 || place === columns.length - 1;
  return cells
    .map((cell, place) => (isWord(place) ? cell.padEnd(columns[place]![1]) : cell.padStart(columns[place]![1])))
    .join("  ")
    .trimEnd();
}

export function missedLine({ engine, name, reason }: Missed): string {
  return `${engine}: ${name} could not be measured: ${reason}`;
}

function verdict(result: Entry<"results">): string {
  if (!result.bar) return "";
  const met = result.bar.met({ ratio: ratio(result), rps: result.hub.rps, p99: result.hub.p99 });
  return `${result.bar.text}: ${word(met)}`;
}

function startLine({ engine, ready, idle, loaded }: Entry<"starts">): string {
  return (
    `${engine}: ready after ${(ready / 1000).toFixed(2)} s (under 1.5 s: ${word(ready < 1500)}); ` +
    `memory ${idle.toFixed(0)} MB idle (at most 110 MB: ${word(idle <= 110)}), ${loaded.toFixed(0)} MB after the load`
  );
}

function exportLine({ engine, items, seconds, size, growth }: Entry<"exports">): string {
  return (
    `${engine}: an export of ${items.toLocaleString("en")} items (${size.toFixed(0)} MB) takes ${seconds.toFixed(1)} s; ` +
    `memory grows by ${growth.toFixed(0)} MB (under 100 MB: ${word(growth < 100)})`
  );
}

function uploadLine({ engine, photos, median, longest, p99, alone }: Entry<"uploads">): string {
  return (
    `${engine}: a 12-megapixel photo is answered after ${median.toFixed(2)} s, the slowest of ${photos} after ` +
    `${longest.toFixed(2)} s (within 1.5 s: ${word(longest <= 1.5)}); meanwhile p99 of home_timeline is ${p99.toFixed(1)} ms ` +
    `(under 100 ms: ${word(p99 < 100)}), ${alone.toFixed(1)} ms without uploads`
  );
}

function signedLine({ engine, reading, writing }: Entry<"signed">): string {
  const words = ({ basic, more }: { basic: number; more: number }): string =>
    `${more.toFixed(0)} µs more than the ${basic.toFixed(0)} µs with a password (at most 150 µs: ${word(more <= 150)})`;
  return (
    `${engine}: a signature costs home_timeline ${words(reading)}, ` +
    `statuses/update ${words(writing)} of the hub's CPU`
  );
}

function streamsLine({ engine, streams, median, longest, cpu, pages, memory, idleCpu }: Entry<"streams">): string {
  return (
    `${engine}: a post is heard by the last of ${streams} open streams ${median.toFixed(0)} ms after its answer ` +
    `(within 200 ms: ${word(median <= 200)}), at the longest after ${longest.toFixed(0)} ms, and takes ${cpu.toFixed(0)} ms of ` +
    `the hub's CPU; ${pages} open pages take ${memory.toFixed(0)} MB (at most 100 MB: ${word(memory <= 100)}) and ` +
    `${idleCpu.toFixed(0)} ms of CPU in ten seconds in which nothing happens`
  );
}

function crowdLines({ engine, posting, many, memory }: Entry<"crowds">): string[] {
  const share = posting.perSecond / posting.perSecondUnread;
  const times = (one: number, other: number): string => `${(one / other).toFixed(1)} times the ${other.toFixed(1)} ms`;
  return [
    `${engine}: 40 connections post ${posting.perSecond.toFixed(0)} a second to many readers, ${share.toFixed(2)} of the ` +
      `${posting.perSecondUnread.toFixed(0)} to nobody (at least 0.5: ${word(share >= 0.5)}); the loop is held for at most ` +
      `${posting.hold.toFixed(0)} ms (50 ms: ${word(posting.hold <= 50)}), ${times(posting.hold, posting.holdAlone)} without ` +
      `posts, while the disk takes up to ${posting.disk.toFixed(0)} ms for others; p99 of home_timeline is ` +
      `${posting.reading.toFixed(1)} ms (under 100 ms: ${word(posting.reading < 100)}), ` +
      `${times(posting.reading, posting.alone)} alone`,
    `${engine}: with 400 connections p99 of reading is ${many.reads.toFixed(0)} ms (under 500 ms: ` +
      `${word(many.reads < 500)}), ${times(many.reads, many.readAlone)} of one connection, the longest ` +
      `${many.longestRead.toFixed(0)} ms, ${many.readsPerSecond.toFixed(0)} a second; of writing ${many.writes.toFixed(0)} ms ` +
      `(under 2 s: ${word(many.writes < 2000)}), ${times(many.writes, many.writeAlone)} of one connection, the longest ` +
      `${many.longestWrite.toFixed(0)} ms, ${many.writesPerSecond.toFixed(0)} a second; the loop is held for at most ` +
      `${many.hold.toFixed(0)} ms, and making the load takes ${many.load.toFixed(2)} of a processor`,
    `${engine}: own memory is ${memory.after.toFixed(0)} MB within a minute after the crowd, ` +
      `${(memory.after / memory.idle).toFixed(2)} times the ${memory.idle.toFixed(0)} MB before it ` +
      `(at most 1.3 times: ${word(memory.after <= memory.idle * 1.3)})`,
  ];
}

function deliveryLine({ engine, perSecond, signatures }: Entry<"deliveries">): string {
  const share = perSecond / signatures;
  return (
    `${engine}: a second of CPU is enough for ${perSecond.toFixed(0)} deliveries (at least 1500: ${word(perSecond >= 1500)}), ` +
    `${share.toFixed(2)} of the ${signatures.toFixed(0)} bare signatures (at least 0.5: ${word(share >= 0.5)})`
  );
}

function inboxLine({ engine, cavage, messages, floor, p99 }: Entry<"inboxes">): string {
  const [ofFloor, ofCavage] = [cavage / floor, messages / cavage];
  return (
    `${engine}: a second of CPU is enough for ${cavage.toFixed(0)} signed inbox posts (at least 1000: ` +
    `${word(cavage >= 1000)}), ${ofFloor.toFixed(2)} of the floor's ${floor.toFixed(0)} (at least 0.5: ` +
    `${word(ofFloor >= 0.5)}), and for ${messages.toFixed(0)} that are signed by RFC 9421, ${ofCavage.toFixed(2)} of these ` +
    `(at least 0.8: ${word(ofCavage >= 0.8)}); at a hundred a second p99 is ${p99.toFixed(1)} ms (under 200: ${word(p99 < 200)})`
  );
}

function followersLine({ engine, answered, queued, cpu }: Entry<"followers">): string {
  return (
    `${engine}: a post to 5,000 followers on 500 hosts is answered after ${answered.toFixed(0)} ms and queued after ` +
    `${queued.toFixed(0)} ms; the hub works ${cpu.toFixed(0)} ms on it (at most 200: ${word(cpu <= 200)})`
  );
}

function hostsLine({ engine, answered, answeredAlone, home, homeAlone, first, later, alone }: Entry<"hosts">): string {
  const [ofAnswer, ofHome] = [answered / answeredAlone, home / homeAlone];
  return (
    `${engine}: p99 of a post to 500 hosts, 400 of them dead or slow, is ${answered.toFixed(1)} ms, ${ofAnswer.toFixed(2)} ` +
    `times that of one that goes nowhere (at most 1.2: ${word(ofAnswer <= 1.2)}), and of timelines meanwhile ` +
    `${home.toFixed(1)} ms, ${ofHome.toFixed(2)} times that of quiet ones (at most 1.5: ${word(ofHome <= 1.5)}); the others ` +
    `have the first such post after ${first.toFixed(0)} ms and later ones after ${later.toFixed(0)}, where a post to them ` +
    `alone takes ${alone.toFixed(0)}`
  );
}

function privateDocumentsLine({ engine, hub, floor }: Entry<"privateDocuments">): string {
  const share = hub / floor;
  return (
    `${engine}: a second of CPU is enough for ${hub.toFixed(0)} signed requests for what not everybody may see, ` +
    `${share.toFixed(2)} of the floor's ${floor.toFixed(0)} (at least 0.25: ${word(share >= 0.25)})`
  );
}

function effectsLine({ engine, perSecond }: Entry<"effects">): string {
  return (
    `${engine}: a second of CPU is enough for ${perSecond.toFixed(0)} posts of elsewhere in the streams of five ` +
    `followers (at least 300: ${word(perSecond >= 300)})`
  );
}

function upgradeLine({ engine, messages, ready, filling, slowest, answers, stops }: Entry<"upgrades">): string {
  const longest = Math.max(stops.migrating, stops.ready, stops.filling);
  return (
    `${engine}: tables with ${messages.toLocaleString("en")} messages are up to date after ${(ready / 1000).toFixed(1)} s, ` +
    `their search index ${(filling / 1000).toFixed(0)} s later; meanwhile the slowest of ${answers} answers takes ` +
    `${slowest.toFixed(0)} ms (within 200 ms: ${word(slowest <= 200)}); a stop takes ${stops.migrating.toFixed(0)} ms during ` +
    `the migration, ${stops.ready.toFixed(0)} ms right after it, ${stops.filling.toFixed(0)} ms while the index is filled ` +
    `(within 2 s: ${word(longest <= 2000)})`
  );
}

function scaleLine({ engine, small, large, messages }: Entry<"scales">): string {
  const times = large.p99 / small.p99;
  return (
    `${engine}: p99 of home_timeline with ${messages.toLocaleString("en")} messages is ${large.p99.toFixed(1)} ms, ` +
    `${times.toFixed(2)} times that with a tenth of them (at most 1.3 times: ${word(times <= 1.3)})`
  );
}

function word(met: boolean): string {
  return met ? "met" : "MISSED";
}

/** The figures for programs. */
export function figures(found: Found, missed: Missed[]): object {
  const { results, starts, scales, exports, uploads, signed, crowds, deliveries, inboxes, followers, upgrades } = found;
  const { hosts, privateDocuments, effects, streams } = found;
  return {
    results: results.map((result) => ({
      engine: result.engine,
      case: result.name,
      messages: result.messages,
      ratio: round(ratio(result)),
      ratio_cpu: round(result.floor.cpu / result.hub.cpu),
      rps: round(result.hub.rps),
      p50_ms: round(result.hub.p50),
      p99_ms: round(result.hub.p99),
      cpu_us: round(result.hub.cpu),
      floor_rps: round(result.floor.rps),
      floor_cpu_us: round(result.floor.cpu),
    })),
    starts: starts.map(({ engine, ready, idle, loaded }) => ({
      engine,
      ready_ms: round(ready),
      idle_mb: round(idle),
      loaded_mb: round(loaded),
    })),
    exports: exports.map(({ engine, items, seconds, size, growth }) => ({
      engine,
      items,
      seconds: round(seconds),
      size_mb: round(size),
      growth_mb: round(growth),
    })),
    uploads: uploads.map(({ engine, photos, median, longest, p99, alone }) => ({
      engine,
      photos,
      median_s: round(median),
      longest_s: round(longest),
      p99_ms: round(p99),
      p99_alone_ms: round(alone),
    })),
    signed: signed.map(({ engine, reading, writing }) => ({
      engine,
      reading_basic_us: round(reading.basic),
      reading_more_us: round(reading.more),
      writing_basic_us: round(writing.basic),
      writing_more_us: round(writing.more),
    })),
    streams: streams.map(({ engine, streams, median, longest, cpu, pages, memory, idleCpu }) => ({
      engine,
      streams,
      median_ms: round(median),
      longest_ms: round(longest),
      cpu_ms: round(cpu),
      pages,
      pages_mb: round(memory),
      pages_idle_cpu_ms: round(idleCpu),
    })),
    crowds: crowds.map(({ engine, posting, many, memory }) => ({
      engine,
      posts_per_second: round(posting.perSecond),
      posts_per_second_unread: round(posting.perSecondUnread),
      posting_hold_ms: round(posting.hold),
      alone_hold_ms: round(posting.holdAlone),
      posting_sync_ms: round(posting.disk),
      posting_read_p99_ms: round(posting.reading),
      alone_read_p99_ms: round(posting.alone),
      many_read_p99_ms: round(many.reads),
      many_read_longest_ms: round(many.longestRead),
      single_read_p99_ms: round(many.readAlone),
      many_reads_per_second: round(many.readsPerSecond),
      many_write_p99_ms: round(many.writes),
      many_write_longest_ms: round(many.longestWrite),
      single_write_p99_ms: round(many.writeAlone),
      many_writes_per_second: round(many.writesPerSecond),
      many_load_cpu: round(many.load),
      many_hold_ms: round(many.hold),
      idle_own_mb: round(memory.idle),
      after_own_mb: round(memory.after),
    })),
    deliveries: deliveries.map(({ engine, perSecond, signatures }) => ({
      engine,
      per_cpu_second: round(perSecond),
      signatures_per_cpu_second: round(signatures),
    })),
    inbox: inboxes.map(({ engine, cavage, messages, floor, p99 }) => ({
      engine,
      cavage_per_cpu_second: round(cavage),
      rfc9421_per_cpu_second: round(messages),
      floor_per_cpu_second: round(floor),
      p99_ms: round(p99),
    })),
    followers: followers.map(({ engine, answered, queued, cpu }) => ({
      engine,
      answered_ms: round(answered),
      queued_ms: round(queued),
      cpu_ms: round(cpu),
    })),
    hosts: hosts.map(({ engine, answered, answeredAlone, home, homeAlone, first, later, alone }) => ({
      engine,
      answered_p99_ms: round(answered),
      answered_alone_p99_ms: round(answeredAlone),
      home_p99_ms: round(home),
      home_alone_p99_ms: round(homeAlone),
      first_ms: round(first),
      later_ms: round(later),
      alone_ms: round(alone),
    })),
    private_documents: privateDocuments.map(({ engine, hub, floor }) => ({
      engine,
      per_cpu_second: round(hub),
      floor_per_cpu_second: round(floor),
    })),
    effects: effects.map(({ engine, perSecond }) => ({ engine, per_cpu_second: round(perSecond) })),
    upgrades: upgrades.map(({ engine, messages, ready, filling, slowest, answers, stops }) => ({
      engine,
      messages,
      ready_ms: round(ready),
      filling_ms: round(filling),
      slowest_ms: round(slowest),
      answers,
      stop_migrating_ms: round(stops.migrating),
      stop_ready_ms: round(stops.ready),
      stop_filling_ms: round(stops.filling),
    })),
    scales: scales.map(({ engine, small, large, messages }) => ({
      engine,
      messages,
      p99_ms: round(large.p99),
      p99_of_tenth_ms: round(small.p99),
    })),
    missed,
  };
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
