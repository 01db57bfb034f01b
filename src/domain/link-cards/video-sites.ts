/** Sites whose films are played in a page of theirs, which a page of ours shows when somebody wants to see the film. */

type VideoSite = {
  /** Its group is the id of a film. */
  page: RegExp;
  /** Where films are played. */
  player: string;
  playerOf: (id: string) => string;
  /** Where the site says what a film is called, in a few lines of JSON (oembed.com). */
  words: string;
};

const sites: readonly VideoSite[] = [
  {
    page: /^https?:\/\/(?:(?:www\.|m\.|music\.)?youtube(?:-nocookie)?\.com\/(?:watch\?(?:[^#]*&)?v=|shorts\/|live\/|embed\/)|youtu\.be\/)([\w-]{11})(?![\w-])/i,
    player: "https://www.youtube-nocookie.com",
    playerOf: (id) => `https://www.youtube-nocookie.com/embed/${id}?autoplay=1&rel=0`,
    words: "https://www.youtube.com/oembed",
  },
  {
    page: /^https?:\/\/(?:www\.)?vimeo\.com\/(?:video\/)?(\d{5,12})(?!\d)/i,
    player: "https://player.vimeo.com",
    playerOf: (id) => `https://player.vimeo.com/video/${id}?autoplay=1&dnt=1`,
    words: "https://vimeo.com/api/oembed.json",
  },
  {
    page: /^https?:\/\/(?:(?:www\.)?dailymotion\.com\/video|dai\.ly)\/([a-z\d]{5,12})(?![a-z\d])/i,
    player: "https://geo.dailymotion.com",
    playerOf: (id) => `https://geo.dailymotion.com/player.html?video=${id}`,
    words: "https://www.dailymotion.com/services/oembed",
  },
];

/** The origins of all players: a page may show nothing else of others. */
export const players: readonly string[] = sites.map(({ player }) => player);

/** The page in which the film at this address is played; undefined for everything else. */
export function playerOf(url: string): string | undefined {
  const site = siteOf(url);
  return site && site.playerOf(site.page.exec(url)![1]!);
}

/** Where to ask what the film at this address is called; undefined for everything else. */
export function filmWordsAt(url: string): string | undefined {
  const site = siteOf(url);
  return site && `${site.words}?format=json&url=${encodeURIComponent(url)}`;
}

function siteOf(url: string): VideoSite | undefined {
  return sites.find(({ page }) => page.test(url));
}
