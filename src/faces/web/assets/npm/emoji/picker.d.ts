export { default } from "emoji-picker-element/picker.js";
