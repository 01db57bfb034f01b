import type { Channel } from "./channel.ts";

/**
 * What keeps something out of the lists of a channel, by bits of its row: filters of whatever action, those that hide in each place, people
 * whom it does not want to hear, and choices of whose posts stand in its home of applications (decision 153): lists that have some alone,
 * people without shares or in some languages. Lists of a channel without it need not look (decision 146).
 */
export const screenBits = {
  filters: 1,
  home: 2,
  notifications: 4,
  public: 8,
  thread: 16,
  account: 32,
  people: 64,
  choices: 128,
} as const;

export type Screen = keyof typeof screenBits;

/** Has the channel that? */
export function hasScreen({ channel_screens: bits }: Pick<Channel, "channel_screens">, screen: Screen): boolean {
  return (bits & screenBits[screen]) !== 0;
}
