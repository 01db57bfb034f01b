// Short sentences about what was just done, or was not; read out, and gone after a while.

const place = document.getElementById("said");
/** @type {ReturnType<typeof setTimeout> | undefined} */
let end;

/** @param {string} sentence */
export function say(sentence) {
  if (place) place.textContent = sentence;
}

/** Says that the hub cannot be reached. */
export function sayAway() {
  say(place?.dataset["away"] ?? "");
}

/**
 * What a page says that the hub has sent instead of doing something; empty for one that says nothing.
 * @param {string} page
 */
export function refusalIn(page) {
  const main = new DOMParser().parseFromString(page, "text/html").querySelector("main");
  const words = main?.querySelector("[role=alert], .field-fault, p")?.textContent ?? "";
  return words.trim().replace(/\s+/g, " ");
}

/**
 * Says what a page says that the hub has sent instead of doing something.
 * @param {string} page
 */
export function sayRefusal(page) {
  const words = refusalIn(page);
  if (words === "") sayAway();
  else say(words);
}

/**
 * Is one below the other?
 * @param {DOMRect} one
 * @param {DOMRect} other
 */
function meet(one, other) {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

// It does not hide what somebody has gone to by keyboard; where a program moves the focus, it has just been said.
document.addEventListener("keyup", () => {
  const at = document.activeElement;
  if (!place?.firstChild || !at || at === document.body) return;
  if (meet(at.getBoundingClientRect(), place.getBoundingClientRect())) place.replaceChildren();
});

if (place)
  new MutationObserver(() => {
    clearTimeout(end);
    end = setTimeout(() => place.replaceChildren(), 10_000);
  }).observe(place, { childList: true });
