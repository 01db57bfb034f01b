export { default } from "@github/text-expander-element";
