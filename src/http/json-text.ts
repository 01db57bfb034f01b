/** JSON that is written already: a presenter's answer where parts repeat so often that each is written once. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}
