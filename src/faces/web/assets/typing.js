/**
 * Puts words in the place of what is selected in a field, as if they were typed: they can be taken back, and everybody hears of them.
 * @param {HTMLTextAreaElement} field
 * @param {string} words
 */
export function typeIn(field, words) {
  field.focus();
  // Deprecated, and all that browsers have for it.
  if (document.execCommand("insertText", false, words)) return;
  field.setRangeText(words, field.selectionStart, field.selectionEnd, "end");
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
