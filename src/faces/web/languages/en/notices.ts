/** Whose notices somebody wants, and what waits for their word. */
export const notices = {
  title: "Held back",
  lead: "What these people did has not been told to you, as you have <chosen>chosen</chosen>. You hear from now on of those whom you let through.",
  people: "People whose notices are held back",
  none: "Nothing is held back.",
  count: "{count, plural, one {# notice} other {# notices}}",
  from: "{count, plural, one {# notice} other {# notices}} from {name}",
  "let-through": "Let through",
  remove: "Remove",
  "all-through": "Let all through",
  "remove-all": "Remove all",
  "of-person": "Held back from {name}",
  who: "Who it is",
  crumb: "Notices",
  waiting: "{count, plural, one {Notices from # person are held back} other {Notices from # people are held back}}",
  strangers: "Notices from strangers",
  "strangers-hint":
    "What is held back waits under <held>Held back</held>, where you let people through; what is left out is not even kept. People you follow are strangers only if you say so in the second line.",
  "from-not-following": "People whom you do not follow",
  "from-not-followers": "People who do not follow you",
  "from-new-accounts": "People whom this hub has known for less than 30 days",
  "from-private-mentions": "People who write to you alone, unasked",
  "from-limited-accounts": "People whom this hub limits",
  "from-bots": "Programs",
  "rule-accept": "Tell me",
  "rule-filter": "Hold back",
  "rule-drop": "Leave out",
  "rule-needed": "Choose whether they are told, held back or left out.",
  "by-push": "By push",
  "by-push-means": "By push means in browsers where you have turned that on, and in apps that ask for it.",
  "push-here": "Push in this browser",
  "push-on":
    "This browser tells you what you have chosen under “By push”, also when no page of the hub is open, until you log out here.",
  "push-off":
    "This browser can tell you what you have chosen under “By push”, also when no page of the hub is open. Its maker passes that on, and cannot read it.",
  "push-start": "Tell me in this browser",
  "push-stop": "Stop telling me here",
  "push-needs":
    "Your browser has to run scripts and to support web push. On iPhones and iPads, add the hub to the home screen first.",
  "push-denied":
    "Your browser does not let the hub tell you anything. You can change that in its settings for this site.",
  "push-failed": "Your browser cannot get notices just now.",
} as const;
