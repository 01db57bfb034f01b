import { viewerCondition, viewerData } from "../viewer-marks.ts";
import { inner } from "./context.ts";
import type { Renderer, RendererTable } from "./context.ts";

const flag =
  (name: string): Renderer =>
  (element, context) => {
    const { value } = element.tag;
    const isFlag = value === "0" || value === "1";
    return isFlag ? viewerCondition(`${name}=${value}`, inner(element, context)) : undefined;
  };

const language: Renderer = (element, context) => {
  const { negated, value = "" } = element.tag;
  if (!/^[a-z]{2,3}(?:-[a-z]{2,8})?$/i.test(value)) return undefined;
  const condition = `language${negated ? "!=" : "="}${value.toLowerCase()}`;
  return viewerCondition(condition, inner(element, context));
};

/** Tags whose result depends on the viewer; they are resolved when the body is read. */
export const viewerTags: RendererTable = {
  observer: flag("observer"),
  channel: flag("channel"),
  "observer.language": language,
  "observer.name": () => viewerData("name"),
  "observer.address": () => viewerData("address"),
  "observer.url": () => viewerData("url"),
  "observer.baseurl": () => viewerData("baseurl"),
  "observer.webname": () => viewerData("webname"),
  "observer.photo": () => viewerData("photo"),
};
