// Brings the module of each custom element the first time that one is on the page: `<hub-upload>` is made by
// `elements/hub-upload.js`. What is on no page costs nothing.

/** @type {Set<string>} */
const brought = new Set();

/** @param {Document | Element} root */
function bringFor(root) {
  for (const { localName } of root.querySelectorAll(":not(:defined)")) bring(localName);
}

/** @param {string} name */
function bring(name) {
  if (brought.has(name) || !/^hub(-[a-z]+)+$/.test(name)) return;
  brought.add(name);
  void import(`./elements/${name}.js`);
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
