// Brings the module of each custom element the first time that one is on the page: `<hub-upload>` is made by
// `elements/hub-upload.js`. What is on no page costs nothing; what is on most pages of members comes as one file (assets.ts).

/** @type {Set<string>} */
const brought = new Set();

/** @param {string} name */
const load = (name) => import(`./elements/${name}.js`).catch(() => {});

const usual = document.body.classList.contains("member") ? load("together") : Promise.resolve();

/** @param {Document | Element} root */
function bringFor(root) {
  for (const { localName } of root.querySelectorAll(":not(:defined)")) bring(localName);
}

/** @param {string} name */
function bring(name) {
  if (brought.has(name) || !/^hub(-[a-z]+)+$/.test(name)) return;
  brought.add(name);
  void usual.then(() => customElements.get(name) ?? load(name));
}

bringFor(document);
// Also what comes later, in fragments and by other modules.
new MutationObserver((changes) => {
  for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
    if (!(node instanceof Element)) continue;
    bring(node.localName);
    bringFor(node);
  }
}).observe(document.body, { childList: true, subtree: true });
