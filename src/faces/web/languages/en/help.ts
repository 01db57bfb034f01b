/** What words and buttons mean, how programs are set up, how a hub is run. */
export const help = {
  preview: "What everything is called here, and how it works.",
  public: "Public",
  "public-means": "Everybody can read it, also people who are not logged in.",
  connections: "Connections",
  "connections-means": "All people whom you have approved.",
  "groups-or-people": "Groups or people",
  "groups-or-people-means": "Only the people you ticked. They do not learn the name of the group.",
  guest: "Guest",
  "guest-means": "Somebody without an account, who sees with a link of yours what you show to this guest.",
  profile: "Profile",
  "profile-means": "What you say about yourself. You can show another one to some connections, and post to just those.",
  comments: "Comments",
  "comments-means": "A comment is seen by everybody who sees the post, never by more.",
  "like-dislike": "Like, dislike",
  "like-dislike-means": "Everybody who sees the post also sees that you like it or not. Press again to take it back.",
  star: "Star",
  "star-means": "A private bookmark. Nobody else learns of it; your stream can show only posts with a star.",
  share: "Share",
  "share-means": "Makes a new post of yours that repeats a public one. Private posts cannot be shared.",
  quote: "Quote",
  "quote-means": "The same with words of yours above it. Whoever wrote it may say who may do that.",
  delete: "Delete",
  "delete-means": "Removes your post, with its comments, for everybody on this hub.",
  keys: "Keys",
  "keys-means":
    "Where scripts run, single keys do what buttons do. The question mark shows which, and lets you switch them off.",
  account: "Account",
  "account-means": "What you log in with. Others never see it.",
  channel: "Channel",
  "channel-means": "Who you are for others: a name, a picture, a wall. One account can have several.",
  connection: "Connection",
  "connection-means": "Somebody whose posts you get, or who gets yours. You decide what each may do.",
  "permission-set": "Permission set",
  "permission-set-means": "A selection of permissions with a name, to give to connections in one go.",
  "ignore-block": "Mute, block",
  "ignore-block-means": "Muted people change nothing of yours; blocked ones also see nothing that needs a permission.",
  page: "Page",
  "page-means": "A text with an address of its own. It is part of no stream, and has its own audience.",
  "block-menu": "Block, menu",
  "block-menu-means":
    "A piece of text, or a list of links, that pages show where they say [block]name[/block] or [menu]name[/menu].",
  layout: "Layout",
  "layout-means":
    "Where on a page its text, blocks and menus stand: [region=aside][menu]name[/menu][/region] [content]. Regions: header, aside, content, right_aside, footer.",
  wiki: "Wiki",
  "wiki-means":
    "Pages that several people write. Every version is kept; [[Page name]] links to another page of the wiki.",
  "what-things-mean": "What things mean",
  "who-sees-what": "Who sees what",
  "what-the-buttons-do": "What the buttons do",
  "accounts-and-channels": "Accounts and channels",
  "pages-and-wikis": "Pages and wikis",
  writing: "Writing",
  "apps-and-feed-readers": "Apps and feed readers",
  "those-who-run-the-hub": "Those who run the hub",
  "writing-ways":
    "Use <code>@name</code> to mention somebody, <code>#word</code> for a hashtag, and BBCode for looks: <code>[b]bold[/b]</code>, <code>[i]italic[/i]</code>, <code>[url=https://example.org]a link[/url]</code>, <code>[quote]a quotation[/quote]</code>. <code>@!name</code> makes a post private for that person.",
  "writing-first":
    "A post begins in your stream: write, choose who sees it, and press Post. The button beside it always says for whom it is.",
  elsewhere: "People on Mastodon and elsewhere",
  "elsewhere-find-you":
    "Tell them the address on your channel page. They enter it in the search of their server and follow you; it waits under <requests>Requests</requests> until you approve, if you want to be asked.",
  "elsewhere-find-them":
    "You find them by their full address, such as name@example.org, under <connections>Connections</connections>.",
  "moving-here": "Moving here",
  "moving-here-means":
    "Name your old account under <moving>Settings → Moving</moving>, then move it to this channel from its own server: followers come along. Whom you follow, block and mute comes as <lists>lists</lists>.",
  "picture-first-post":
    "The form for a new post, with some words in it, the audience Public, and the buttons Preview, Save draft and Post.",
  "picture-audience":
    "The open choice of the audience: Public, Connections, Groups or people, Only me. Groups or people is chosen, and the group Choir is ticked.",
  "picture-address": "The top of a channel page: picture, name, below it the address, and the button Connect.",
  "picture-coming": "The form Coming from elsewhere, with a field for the addresses of old accounts.",
  "picture-consent":
    "The page on which an application asks to be let in: it names the application, what it may do, and has the buttons to allow and to refuse it.",
  "to-programs": "<programs>How to set up a program</programs> on your phone or computer for this hub.",
  "to-community": "<community>What they decide, and what that means</community> for everybody else.",
  "community-approval": "Approval",
  "community-approval-means":
    "Where the hub asks for it, newcomers say why they want to join, and administrators let them in or refuse. Refused accounts are deleted.",
  "community-confirmed": "Confirmed",
  "community-confirmed-means":
    "Where the hub sends mail, an account works once its address is confirmed. What is not confirmed within two weeks is deleted, and its nick is free again.",
  "community-invitations": "Invitations",
  "community-invitations-means":
    "Links by which members let others in. Administrators see all of them and can end each.",
  "community-report": "Report",
  "community-report-means":
    "Members and other hubs say what is wrong. Only administrators read it, and nobody is told who has said so.",
  "community-warn": "Warn",
  "community-warn-means": "Words from those who run the hub. They come as a notice, and by e-mail.",
  "community-limit": "Limit",
  "community-limit-means":
    "The account goes on, but is not shown in the directory, in suggestions and in public lists, and people it wants to connect with are asked first.",
  "community-suspend": "Suspend",
  "community-suspend-means": "Nobody can log in to the account until that ends. Nothing is deleted.",
  "community-delete": "Delete",
  "community-delete-means":
    "The account goes with all of its channels, and with what they wrote and stored. That cannot be undone.",
  "community-what-was-done": "What was done",
  "community-what-was-done-means":
    "Who did what about whom, and why, is kept for two years. Those whom it concerns find what they were told under Settings → From those who run the hub.",
  "community-look": "Look",
  "community-look-means":
    "Name, logo, colours, the words of the front page, and own styles. Colours in which words could not be read are refused.",
  "community-texts": "Texts",
  "community-texts-means":
    "What the hub says of itself, its rules, and what it does with data. Everybody reads them under About this hub.",
  "community-figures": "Figures",
  "community-figures-means":
    "People, posts, storage, what waits, and which requests take longest, over the last day and month. They count; they do not say who.",
  "community-jobs": "Jobs",
  "community-jobs-means":
    "What the hub does later and has given up, with the reason. It can be tried again or dropped.",
  "community-running-a-hub": "Running a hub",
  "community-letting-people-in": "Letting people in",
  "community-when-somebody-does-harm": "When somebody does harm",
  "community-how-the-hub-looks-and-how-it-is": "How the hub looks and how it is",
  "community-lead":
    "Whoever runs a hub decides who joins, and what becomes of those who harm others. This is what the words and buttons under Administration mean, also for those about whom something is decided.",
  "programs-kind-of-server": "Kind of server",
  "programs-kind-of-server-means": "GNU social or StatusNet if it is on the list, else Friendica, else Twitter.",
  "programs-password": "Password",
  "programs-password-means": "That of your account. Give it only to programs that you trust with everything.",
  "programs-andstatus-means": "Add a social network of the kind GNU social with the address of this hub.",
  "programs-choqok-means":
    "Account of the kind GNU social, API path api. It cannot enter nicks with - or _, and shows 20 friends at most.",
  "programs-friendica-apps": "Friendica apps",
  "programs-friendica-apps-means": "The server, your nick and the password.",
  "programs-the-heart": "The heart",
  "programs-the-heart-means":
    "It is a private star: a bookmark that nobody else sees. A like that others see is made with the Like button here.",
  "programs-retweet": "Retweet",
  "programs-retweet-means": "Makes a post of yours that shows the other one. Only public posts can be shared.",
  "programs-lists": "Lists",
  "programs-lists-means": "They are your groups.",
  "programs-audience": "Audience",
  "programs-audience-means": "A program that does not ask posts to the usual audience of your channel.",
  "programs-seen": "Seen",
  "programs-seen-means": "What a program has loaded into its home timeline counts as seen here too.",
  "programs-gaps-for-pictures": "Gaps for pictures",
  "programs-gaps-for-pictures-means": "Pictures of private posts are shown only in a browser that is logged in.",
  "programs-programs": "Programs",
  "programs-for-mastodon": "Applications for Mastodon",
  "programs-for-mastodon-lead":
    "Tusky, Ivory, Ice Cubes, Mona, Fedilab, Moshidon, Elk, Phanpy and others that ask for a server or an instance.",
  "programs-log-in": "Log in",
  "programs-log-in-means":
    "Enter {host} where the application asks for your server, without @ and without a path. A page of this hub opens in your browser: log in there, choose the channel if you have several, and read what the application wants to do.",
  "programs-consent": "Say yes",
  "programs-consent-means":
    "The browser leads back to the application. Programs for the terminal show an address instead, and the page shows a code to copy. The application never learns your password.",
  "programs-to-a-group": "Post to a group",
  "programs-to-a-group-line":
    "Begin the text with a line that names the group and says nothing else, and write the post below it:",
  "programs-to-a-group-example": "!!Family\nWe are there at six.",
  "programs-to-a-group-means":
    'Everybody in the group sees the post, and nobody else, whatever the application says of its visibility. The line is taken out. Names with spaces stand in quotes (!!"Close friends"), people are named as @!bob, and several may stand in the line. Or say at <channel>Settings → Channel</channel> what group followers only means, or make the group the usual audience.',
  "programs-mastodon-audience": "Who sees a post",
  "programs-mastodon-audience-means":
    "Followers only is for your connections, direct for those whom the text names. An answer has the audience of what it answers: to answer somebody alone, choose direct.",
  "programs-mastodon-lists": "Lists and favourites",
  "programs-mastodon-lists-means":
    "Lists are your groups: people you put into one see what you post to that group, also what you posted there before. Favourites are likes, which all readers see; bookmarks are stars, which nobody else sees.",
  "programs-end": "Take an application's access away",
  "programs-end-means": "It is listed at <applications>Settings → Applications</applications>, where you do that.",
  "programs-others": "Programs for Twitter, GNU social and Friendica",
  "programs-others-lead": "If a program knows Mastodon as well, choose that.",
  "programs-what-to-enter": "What to enter",
  "programs-some-programs": "Some programs",
  "programs-what-may-surprise-you": "What may surprise you",
  "programs-feed-readers": "Feed readers",
  "programs-lead":
    "Apps and programs that were made for Mastodon, GNU social, StatusNet, Friendica or Twitter can read and write here, if they let you enter a server.",
  "programs-server": "Server",
  "programs-api-address": "API address",
  "programs-user": "User",
  "programs-user-is": "{nick}, or {nick}@{host}, or the e-mail address of your account.",
  "programs-oauth-addresses": "OAuth addresses",
  "programs-oauth-is": "{baseUrl}/oauth/request_token, {baseUrl}/oauth/authorize and {baseUrl}/oauth/access_token",
  "programs-twidere-is": "Account type StatusNet, authentication Basic, no version suffix, API address {baseUrl}/api.",
  "programs-bti-is": "host={baseUrl}/api/statuses, with key, secret and token.",
  "programs-own-scripts": "Own scripts",
  "programs-scripts-is":
    "The libraries tweepy, python-twitter, Net::Twitter and Ruby's twitter work with {baseUrl}/api/1.1.",
  "programs-key-and-secret": "Key and secret",
  "programs-key-is":
    "If the program asks for them instead of a password, <add>make a pair for it</add>. It then sends you here to agree, and shows up among <yours>your applications</yours>, where you can stop it at any time.",
  "programs-api": "What own programs can ask, with examples: <docs>the programming interfaces</docs>.",
  "programs-feeds":
    "The public posts of a channel are a feed, at <code>{feed}</code> (Atom) and <code>{feed}.rss</code>. Most readers find it when you give them the address of the channel.",
  "programs-your-nick": "your-nick",
  archives: "Archives",
  "archives-means":
    "All of a channel in one file: posts, files, connections and its key. Any Hubbub makes the same channel of it again. You download one under Settings → Export, or have them sent to a disk of yours by themselves under Settings → Archives.",
} as const;
