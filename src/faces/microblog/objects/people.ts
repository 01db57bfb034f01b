import { z } from "zod";
import { always, count, date, digits, id, text, truth, url, words } from "./kinds.ts";
import { User } from "./status.ts";

/** Groups, lists, profiles and what connects people. */

/** Microblog contract 7.8. */
export const Group = z.strictObject({
  name: words("Name of the group.", "Choir"),
  gid: id("Id of the group.", 3),
  user: z.array(User).meta({ description: "Its members." }),
});

/** What became of a group, for clients of other servers (microblog contract 2.5). */
export const GroupResult = z.strictObject({
  success: always(true, "Always true."),
  gid: id("Id of the group.", 3),
  name: words("Name of the group.", "Choir"),
  status: z
    .enum(["ok", "missing user", "deleted"])
    .meta({ description: "How it went; `missing user`: some are no connections.", examples: ["ok"] }),
  "wrong users": z.array(z.int()).meta({ description: "Ids that are no connections of the caller.", examples: [[]] }),
});

/** Microblog contract 7.9. */
export const GroupChange = Group.extend(GroupResult.shape);

/** Microblog contract 7.10. */
export const Profile = z.strictObject({
  profile_id: id("Id of the profile.", 2),
  profile_name: words("What its owner calls it.", "default"),
  is_default: truth("It is what everybody sees.", true),
  hide_friends: truth("It does not show connections."),
  profile_photo: url("Its picture, large.", "https://hub.example/photo/profile/l/2"),
  profile_thumb: url("Its picture, small.", "https://hub.example/photo/profile/m/2"),
  publish: truth("It is listed in the directory of the hub.", true),
  net_publish: truth("It is listed in a directory of all hubs."),
  description: text("A few words about the person."),
  date_of_birth: z
    .string()
    .regex(/^(\d{4}-\d\d-\d\d)?$/)
    .meta({ description: "Day of birth; its year may be `0000`.", examples: ["0000-02-29"] }),
  address: text("Street and number."),
  city: text("Town.", "Oslo"),
  region: text("Region."),
  postal_code: text("Postal code."),
  country: text("Country."),
  hometown: text("Where the person is from."),
  gender: text("Gender."),
  marital: text("Whether the person lives with somebody."),
  marital_with: text("With whom."),
  marital_since: text("Since when."),
  sexual: text("Sexual preference."),
  politic: text("Political views."),
  religion: text("Religion."),
  public_keywords: text("Keywords, with commas between them.", "song, rain"),
  private_keywords: text("Keywords that nobody sees."),
  likes: text("What the person likes, as HTML."),
  dislikes: text("What the person dislikes, as HTML."),
  about: text("About the person, as HTML.", "I sing"),
  music: text("Music, as HTML."),
  book: text("Books, as HTML."),
  tv: text("Television, as HTML."),
  film: text("Films, as HTML."),
  interest: text("Interests, as HTML."),
  romance: text("Romance, as HTML."),
  work: text("Work, as HTML."),
  education: text("Education, as HTML."),
  social_networks: text("How to reach the person, as HTML."),
  homepage: text("Home page."),
  users: z.array(User).meta({ description: "Who sees it in place of the default one." }),
  custom_fields: z
    .array(z.strictObject({ label: text("What it is called."), value: text("What it says.") }))
    .meta({ description: "Further fields." }),
});

/** Profiles for clients of other servers (microblog contract 2.5). */
export const Profiles = z.strictObject({
  multi_profiles: truth("There can be several.", true),
  global_dir: text("Address of a directory of all hubs."),
  friendica_owner: User.meta({ description: "The caller." }),
  svc_owner: User.meta({ description: "The caller." }),
  profiles: z.array(Profile).meta({ description: "The profiles." }),
});

/** Microblog contract 7.14. */
export const List = z.strictObject({
  id: id("Id of the list.", 3),
  id_str: digits("The same as text.", "3"),
  name: words("Its name.", "Choir"),
  full_name: words("Whose it is, and its `slug`.", "@ann/choir"),
  slug: words("Its name in addresses.", "choir"),
  user: User.meta({ description: "Whose it is: the caller." }),
  mode: z
    .enum(["public", "private"])
    .meta({ description: "Whether its members may see who is in it.", examples: ["private"] }),
  description: always("", "Always empty."),
  member_count: count("How many are in it.", 2),
  subscriber_count: always(0, "Always 0."),
  following: always(true, "Always true."),
  uri: words("Its place.", "/ann/lists/choir"),
  created_at: date("When it was made."),
});

const maybe = (description: string) =>
  z
    .boolean()
    .nullable()
    .meta({ description, examples: [false] });

const Side = z.strictObject({
  id: id("Id of the person."),
  id_str: digits("The same as text."),
  screen_name: words("Nick of the person.", "ann"),
  following: truth("This one receives the other's posts.", true),
  followed_by: truth("The other receives this one's posts.", true),
  following_received: maybe("The other has asked this one; null if the caller cannot know."),
  following_requested: maybe("This one has asked the other; null if the caller cannot know."),
});

/** Microblog contract 7.15. */
export const Relationship = z.strictObject({
  relationship: z
    .strictObject({
      source: Side.extend({
        can_dm: truth("They can write each other messages.", true),
        blocking: maybe("The caller blocks the other."),
        blocked_by: z.null().meta({ description: "Always null: nobody learns who blocks them." }),
        muting: maybe("The caller ignores the other."),
        want_retweets: maybe("The caller receives what the other shares."),
        all_replies: maybe("The caller receives the other's answers."),
        marked_spam: maybe("Never true."),
        notifications_enabled: maybe("Never true."),
        live_following: always(false, "Always false."),
      }).meta({ description: "The first person." }),
      target: Side.meta({ description: "The second person." }),
    })
    .meta({ description: "What connects the two." }),
});

/** Microblog contract 8.8. */
export const Connections = z.strictObject({
  id: id("Id of the person."),
  id_str: digits("The same as text."),
  name: words("Name of the person.", "Ann Example"),
  screen_name: words("Nick of the person.", "ann"),
  connections: z
    .array(z.enum(["following", "following_requested", "followed_by", "blocking", "none"]))
    .min(1)
    .meta({ description: "What connects the caller with the person.", examples: [["following"]] }),
});

/** Microblog contract 3.4. */
const cursors = {
  next_cursor: count("`cursor` of the next page; 0 when there is none."),
  next_cursor_str: digits("The same as text.", "0"),
  previous_cursor: z
    .int()
    .nonpositive()
    .meta({ description: "`cursor` of the page before; 0 when there is none.", examples: [0] }),
  previous_cursor_str: z
    .string()
    .regex(/^(0|-\d+)$/)
    .meta({ description: "The same as text.", examples: ["0"] }),
  total_count: count("How many there are in all.", 1),
};

export const UserIds = z
  .array(z.union([z.int(), z.string().regex(/^\d+$/)]))
  .meta({ description: "Ids of people, as numbers or with `stringify_ids` as text.", examples: [[17, 23]] });
export const UserIdPage = z.strictObject({ ids: UserIds, ...cursors });
export const UserPage = z.strictObject({ users: z.array(User).meta({ description: "The people." }), ...cursors });
export const ListPage = z.strictObject({ lists: z.array(List).meta({ description: "The lists." }), ...cursors });
