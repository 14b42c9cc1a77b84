/** The part of subset-font, which has no types, that our tests call. */
declare module "subset-font" {
  function subsetFont(font: Buffer, text: string, options: { keepAllGlyphs: true; targetFormat: "sfnt" }): Promise<Buffer>;
  export = subsetFont;
}
