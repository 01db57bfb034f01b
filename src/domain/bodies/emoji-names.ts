/** Emoji by short name, in pairs; a table of the common ones. */
const table = `
smile 😄 smiley 😃 grinning 😀 grin 😁 laughing 😆 satisfied 😆 sweat_smile 😅 joy 😂 rofl 🤣 slightly_smiling_face 🙂
upside_down_face 🙃 wink 😉 blush 😊 innocent 😇 heart_eyes 😍 star_struck 🤩 kissing_heart 😘 kissing 😗 yum 😋
stuck_out_tongue 😛 stuck_out_tongue_winking_eye 😜 zany_face 🤪 money_mouth_face 🤑 hugs 🤗 hugging 🤗 shushing_face 🤫
thinking 🤔 thinking_face 🤔 zipper_mouth_face 🤐 raised_eyebrow 🤨 neutral_face 😐 expressionless 😑 no_mouth 😶 smirk 😏
unamused 😒 roll_eyes 🙄 grimacing 😬 relieved 😌 pensive 😔 sleepy 😪 sleeping 😴 mask 😷 nauseated_face 🤢 sneezing_face 🤧
dizzy_face 😵 cowboy_hat_face 🤠 partying_face 🥳 sunglasses 😎 nerd_face 🤓 confused 😕 worried 😟 slightly_frowning_face 🙁
frowning ☹️ open_mouth 😮 hushed 😯 astonished 😲 flushed 😳 pleading_face 🥺 fearful 😨 cold_sweat 😰 cry 😢 sob 😭 scream 😱
disappointed 😞 sweat 😓 weary 😩 tired_face 😫 yawning_face 🥱 triumph 😤 rage 😡 angry 😠 smiling_imp 😈 imp 👿 skull 💀
poop 💩 hankey 💩 clown_face 🤡 ghost 👻 alien 👽 robot 🤖 smiley_cat 😺 see_no_evil 🙈 hear_no_evil 🙉 speak_no_evil 🙊 kiss 💋
heart ❤️ red_heart ❤️ orange_heart 🧡 yellow_heart 💛 green_heart 💚 blue_heart 💙 purple_heart 💜 black_heart 🖤 white_heart 🤍
broken_heart 💔 sparkling_heart 💖 two_hearts 💕 heartbeat 💓 100 💯 anger 💢 boom 💥 dizzy 💫 sweat_drops 💦 dash 💨 zzz 💤
wave 👋 raised_hand ✋ vulcan_salute 🖖 ok_hand 👌 v ✌️ crossed_fingers 🤞 metal 🤘 call_me_hand 🤙 point_left 👈 point_right 👉
point_up ☝️ point_down 👇 +1 👍 thumbsup 👍 -1 👎 thumbsdown 👎 fist ✊ facepunch 👊 punch 👊 clap 👏 raised_hands 🙌
open_hands 👐 handshake 🤝 pray 🙏 writing_hand ✍️ muscle 💪 brain 🧠 eyes 👀 eye 👁️ shrug 🤷 facepalm 🤦 dancer 💃
dog 🐶 cat 🐱 mouse 🐭 fox_face 🦊 bear 🐻 panda_face 🐼 tiger 🐯 lion 🦁 cow 🐮 pig 🐷 frog 🐸 monkey_face 🐵 chicken 🐔
penguin 🐧 bird 🐦 unicorn 🦄 bee 🐝 bug 🐛 butterfly 🦋 snail 🐌 turtle 🐢 snake 🐍 octopus 🐙 fish 🐟 whale 🐳 elephant 🐘
rose 🌹 sunflower 🌻 tulip 🌷 cherry_blossom 🌸 four_leaf_clover 🍀 evergreen_tree 🌲 cactus 🌵 mushroom 🍄 earth_africa 🌍
sunny ☀️ cloud ☁️ umbrella ☔ snowflake ❄️ snowman ⛄ zap ⚡ fire 🔥 rainbow 🌈 star ⭐ star2 🌟 sparkles ✨ crescent_moon 🌙
apple 🍎 banana 🍌 strawberry 🍓 lemon 🍋 pizza 🍕 hamburger 🍔 fries 🍟 bread 🍞 cheese 🧀 cake 🍰 birthday 🎂 cookie 🍪
chocolate_bar 🍫 icecream 🍦 coffee ☕ tea 🍵 beer 🍺 beers 🍻 wine_glass 🍷 cocktail 🍸 champagne 🍾 christmas_tree 🎄
tada 🎉 confetti_ball 🎊 balloon 🎈 gift 🎁 trophy 🏆 medal_sports 🏅 soccer ⚽ basketball 🏀 dart 🎯 game_die 🎲 video_game 🎮
musical_note 🎵 notes 🎶 guitar 🎸 microphone 🎤 headphones 🎧 art 🎨 movie_camera 🎥 camera 📷 tv 📺 radio 📻 phone ☎️
iphone 📱 computer 💻 keyboard ⌨️ floppy_disk 💾 bulb 💡 battery 🔋 book 📖 books 📚 newspaper 📰 pencil ✏️ memo 📝 email 📧
envelope ✉️ package 📦 calendar 📅 chart_with_upwards_trend 📈 pushpin 📌 paperclip 📎 scissors ✂️ lock 🔒 unlock 🔓 key 🔑
hammer 🔨 wrench 🔧 gear ⚙️ link 🔗 bomb 💣 pill 💊 moneybag 💰 bell 🔔 mega 📣 hourglass ⌛ alarm_clock ⏰ car 🚗 bus 🚌
train 🚆 bike 🚲 airplane ✈️ rocket 🚀 ship 🚢 house 🏠 office 🏢 tent ⛺ checkered_flag 🏁 rainbow_flag 🏳️‍🌈 warning ⚠️
no_entry ⛔ x ❌ heavy_check_mark ✔️ white_check_mark ✅ question ❓ exclamation ❗ recycle ♻️ infinity ♾️ arrow_right ➡️
arrow_left ⬅️ arrow_up ⬆️ arrow_down ⬇️ new 🆕 cool 🆒 free 🆓 ok 🆗 sos 🆘
`;

/** Typed smileys; they count only between spaces, so that `8)` in a list or `http:/` stay text. */
export const smileys: ReadonlyMap<string, string> = new Map([
  [":-)", "🙂"],
  [":)", "🙂"],
  ["=)", "🙂"],
  [";-)", "😉"],
  [";)", "😉"],
  [":-D", "😀"],
  [":D", "😀"],
  ["xD", "😆"],
  ["XD", "😆"],
  [":-(", "🙁"],
  [":(", "🙁"],
  [":'-(", "😢"],
  [":'(", "😢"],
  [":-P", "😛"],
  [":P", "😛"],
  [":-p", "😛"],
  [":p", "😛"],
  [";-P", "😜"],
  [";P", "😜"],
  [":-O", "😮"],
  [":O", "😮"],
  [":-o", "😮"],
  [":o", "😮"],
  [":-/", "😕"],
  [":/", "😕"],
  [":-|", "😐"],
  [":|", "😐"],
  [":-*", "😘"],
  [":*", "😘"],
  [":-X", "🤐"],
  ["8-)", "😎"],
  ["B-)", "😎"],
  [">:-(", "😠"],
  ["O:-)", "😇"],
  ["<3", "❤️"],
  ["</3", "💔"],
  ["\\o/", "🙌"],
  ["^_^", "😊"],
]);

let byName: Map<string, string> | undefined;

/** The emoji of a short name without its colons, if it is known; those that have none here are their own names. */
export function emojiNamed(name: string): string | undefined {
  byName ??= readTable();
  return byName.get(name) ?? (oneEmoji.test(name) ? name : undefined);
}

/** One emoji as Unicode recommends it for interchange. */
const oneEmoji = /^\p{RGI_Emoji}$/v;

let byEmoji: Map<string, string> | undefined;

/** The short name of an emoji that may be told by that name as well; undefined for what is none. */
export function emojiName(emoji: string): string | undefined {
  byName ??= readTable();
  const name = /^:([\w+-]{1,64}):$/.exec(emoji)?.[1] ?? "";
  if (byName.has(name)) return name;
  byEmoji ??= new Map([...byName].toReversed().map(([known, character]) => [bare(character), known]));
  return byEmoji.get(bare(emoji)) ?? [emoji, `${emoji}\ufe0f`].find((one) => oneEmoji.test(one));
}

/** Emoji whose short names begin so, the shortest names first; each once. */
export function emojiBeginning(start: string, count: number): { name: string; emoji: string }[] {
  byName ??= readTable();
  const wanted = start.toLowerCase();
  const found = [...byName].filter(([name]) => name.startsWith(wanted)).toSorted(([a], [b]) => a.length - b.length);
  const once = new Map(found.toReversed().map(([name, emoji]) => [emoji, name]));
  return [...once]
    .toReversed()
    .slice(0, count)
    .map(([emoji, name]) => ({ name, emoji }));
}

/** Whether it is to be shown in colours or as text makes no other emoji of it. */
function bare(emoji: string): string {
  return emoji.replaceAll("\ufe0f", "");
}

function readTable(): Map<string, string> {
  const words = table.trim().split(/\s+/);
  const pairs = words.flatMap((word, at): [string, string][] => (at % 2 === 0 ? [[word, words[at + 1] ?? ""]] : []));
  return new Map(pairs);
}
